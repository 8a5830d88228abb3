/** A chain that submits itself to the sandbox, with a ledger in memory and a clock that jumps. */

import { aeatTransport } from "../../../src/aeat/authority.ts";
import { readAttempt } from "../../../src/aeat/read-answer.ts";
import { instantOf } from "../../../src/domain/shared/instant.ts";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import {
  type ChainSubmission,
  newChainSubmission,
  PACE,
  type Pace,
} from "../../../src/domain/verifactu/submission/chain.ts";
import type { SentRecord } from "../../../src/domain/verifactu/submission/meaning.ts";
import { composeMessage, type SubmissionMessage } from "../../../src/domain/verifactu/submission/message.ts";
import {
  beginAttempt,
  nextSubmission,
  type QueuedRecord,
  type SubmissionOrder,
} from "../../../src/domain/verifactu/submission/next-submission.ts";
import {
  type OperatorAlert,
  type RecordChange,
  settleAttempt,
  withheld,
} from "../../../src/domain/verifactu/submission/settle.ts";
import { isFinal, operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import { manualTimers } from "../faults/manual-timers.ts";
import { aeatFolder } from "./aeat-folder.ts";
import { type Answered, type Sandbox, SERVICE } from "./authority.ts";
import { NOON } from "./messages.ts";
import { xsdErrors } from "./xsd.ts";

export const AN_ISSUER = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };

export interface Submitter {
  /** One decision: a message, or a jump of the clock; false when nothing is left to do. */
  step(): Promise<boolean>;
  /** Until all records are final, or only a person can continue. */
  runToEnd(mostSteps?: number): Promise<void>;
  add(records: readonly SealedRecord[]): void;
  standing(position: number): RecordChange;
  states(): string[];
  chain(): ChainSubmission;
  change(chain: ChainSubmission): void;
  now(): number;
  setTime(at: number): void;
  /** The next message is sent, and its sender dies before it can record the answer. */
  dieAfterSending(): void;
  readonly messages: SubmissionMessage[];
  readonly rings: OperatorAlert[];
}

export interface SubmitterOptions {
  readonly pace?: Pace;
  /** Some record is meant to break the schema. */
  readonly breaksSchema?: boolean;
}

export function aSubmitter(
  sandbox: Sandbox,
  records: readonly SealedRecord[],
  { pace = PACE, breaksSchema = false }: SubmitterOptions = {},
): Submitter {
  const sealed = new Map(records.map((record) => [record.position, record]));
  const standings = new Map(records.map(({ position }) => [position, pending(position)]));
  const messages: SubmissionMessage[] = [];
  const rings: OperatorAlert[] = [];
  let chain = newChainSubmission(pace);
  let now = NOON;
  let dies = false;
  const submit = transportTo(sandbox, pace);

  function queue(): QueuedRecord[] {
    return [...standings.values()].flatMap(({ position, state, notBefore }) => {
      if (state !== "pending_submission" && state !== "submitted") return [];
      const generatedAt = instantOf(sealed.get(position)?.content.generatedAt ?? "");
      return [{ position, state, generatedAt, ...(notBefore === undefined ? {} : { notBefore }) }];
    });
  }

  async function send(order: SubmissionOrder): Promise<void> {
    const run = [...sealed.values()].filter(({ position }) => position >= order.from && position <= order.to);
    const message = composeMessage(run, { issuer: AN_ISSUER, incident: order.incident });
    const xml = new TextDecoder().decode(message.bytes);
    const problems = aeatFolder === undefined || breaksSchema ? [] : xsdErrors(xml);
    if (problems.length > 0) throw new Error(`a message outside of its schema: ${problems.join("\n")}`);
    messages.push(message);
    const owner = `owner-${messages.length}`;
    const sent = message.records.map(({ position, content }): SentRecord => {
      const standing = standings.get(position);
      return {
        ...{ position, reference: content.reference, key: content.key, operation: operationOf(content) },
        ...{ wasLost: standing?.state === "submitted", tries: standing?.tries ?? 0 },
      };
    });
    chain = beginAttempt(chain, order, message, { owner, at: now, pace }).chain;
    apply(sent.map(({ position }) => ({ position, state: "submitted" })));
    sandbox.setTime(now);
    const result = readAttempt(await submit(message.bytes));
    if (dies) {
      dies = false;
      return;
    }
    const facts = { sent, unsent: queue().length, at: now, chance: 0.5, pace };
    const settled = settleAttempt(chain, owner, result, facts);
    if (!settled) throw new Error("the attempt is its owner's");
    chain = settled.chain;
    apply(settled.records);
    if (settled.ring) rings.push(settled.ring);
  }

  function apply(changes: readonly RecordChange[]): void {
    for (const change of changes) standings.set(change.position, change);
  }

  async function step(): Promise<boolean> {
    const next = nextSubmission(chain, queue(), now);
    if (next.next === "nothing" || next.next === "stopped") return false;
    if (next.next === "withhold") apply(next.positions.map(withheld));
    else if (next.next === "send") await send(next);
    else {
      if (next.until <= now) throw new Error("a wait that is over");
      now = next.until;
    }
    return true;
  }

  return {
    step,
    messages,
    rings,
    async runToEnd(mostSteps = 500) {
      for (let steps = 0; await step(); steps += 1) {
        if (steps > mostSteps) throw new Error("it does not come to an end");
      }
    },
    add(more) {
      for (const record of more) {
        if (sealed.has(record.position)) continue;
        sealed.set(record.position, record);
        standings.set(record.position, pending(record.position));
      }
    },
    standing: (position) => standings.get(position) ?? pending(position),
    states: () => [...standings.values()].map(({ state, code }) => (code ? `${state} ${code}` : state)),
    chain: () => chain,
    change: (changed) => {
      chain = changed;
    },
    now: () => now,
    setTime: (at) => {
      now = at;
    },
    dieAfterSending: () => {
      dies = true;
    },
  };
}

export function allFinal(submitter: Submitter, count: number): boolean {
  return Array.from({ length: count }, (_, index) => submitter.standing(index + 1).state).every(isFinal);
}

function pending(position: number): RecordChange {
  return { position, state: "pending_submission" };
}

/** Over the product's own transport; where the sandbox waits for longer than the limit, time is over. */
function transportTo(sandbox: Sandbox, pace: Pace) {
  const timers = manualTimers();
  const transport = aeatTransport({
    fetch: async (_, { body }) => {
      const waitedBefore = sandbox.waits.length;
      const answered = await sandbox.send(body as Uint8Array);
      if (sandbox.waits.slice(waitedBefore).some((waitedMs) => waitedMs > pace.timeLimitMs)) {
        timers.elapse(pace.timeLimitMs);
      }
      return responseOf(answered);
    },
    after: timers.after,
    timeLimitMs: pace.timeLimitMs,
    userAgent: "Cuadre/1.0.0",
  });
  return (bytes: Uint8Array) => transport.submit(bytes, `${SERVICE}/VerifactuSOAP`);
}

function responseOf({ status, contentType, body, location, isBroken }: Answered): Response {
  const headers = { "Content-Type": contentType, ...(location === null ? {} : { Location: location }) };
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error("the connection is closed")),
  });
  return new Response(isBroken ? broken : body, { status, headers });
}
