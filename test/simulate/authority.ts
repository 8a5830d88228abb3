/** A tax authority that keeps every record and misbehaves as the weather says; it speaks JSON. */
import { submissionStore } from "../../src/db/submission/submission-store.ts";
import { sha256OfBytes } from "../../src/domain/shared/hash.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import type { InvoiceKey, SealedRecord } from "../../src/domain/verifactu/record.ts";
import type {
  AnswerLine,
  AttemptResult,
  FoundRecord,
  SubmissionAnswer,
  TransportOutcome,
} from "../../src/domain/verifactu/submission/answer.ts";
import { PACE } from "../../src/domain/verifactu/submission/chain.ts";
import { type Operation, operationOf } from "../../src/domain/verifactu/submission/state.ts";
import type { Authority } from "../../src/platform/authority.ts";
import type { SubmissionDeps } from "../../src/work/due-work.ts";
import type { Chance } from "./chance.ts";
import type { Life } from "./object.ts";
import type { Scheduler } from "./scheduler.ts";

export const AUTHORITY_FAULTS = [
  ...(["no_connection", "stored_then_lost", "stored_then_late", "server_fault", "not_delivered"] as const),
  ...(["http_error", "mismatch"] as const),
];
type AuthorityFault = (typeof AUTHORITY_FAULTS)[number];

export interface AuthorityWeather {
  /** From 0 to 1, for each message. */
  faults: number;
  /** From 0 to 1, for each record. */
  rejects: number;
  evidenceFails: number;
}

interface SentRecord {
  readonly position: number;
  readonly reference: string;
  readonly key: InvoiceKey;
  readonly operation: Operation;
  readonly hash: string;
}

/** A record under its key, as the authority has it. */
export interface HeldRecord {
  readonly key: InvoiceKey;
  /** References of the records that it took, each with its hash. */
  readonly taken: Map<string, string>;
  hash: string;
  state: "accepted" | "accepted_with_errors" | "annulled";
}

export interface SimulatedAuthority {
  readonly weather: AuthorityWeather;
  readonly held: ReadonlyMap<string, HeldRecord>;
  /** References with their hashes, in the order of their first arrival. */
  readonly arrivals: ReadonlyMap<string, string>;
  /** A record that came again with another content, or before the one before it. */
  readonly faults: readonly string[];
  depsOf(life: Life, binding: D1Database, connectionId: string): SubmissionDeps;
}

interface AuthorityDeps {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly count: (what: string) => void;
  /** An instance with a wrong clock takes a lease for over. */
  readonly hasSkew: () => boolean;
}

const DUPLICATE = 3000;
const NOT_EXISTENT = 3002;

export function authorityOf({ scheduler, chance, count, hasSkew }: AuthorityDeps): SimulatedAuthority {
  const weather: AuthorityWeather = { faults: 0, rejects: 0, evidenceFails: 0 };
  const held = new Map<string, HeldRecord>();
  const arrivals = new Map<string, string>();
  const faults: string[] = [];
  const keyOf = ({ issuerNif, number, date }: InvoiceKey) => `${issuerNif}|${number}|${date}`;

  /** When a record was sent without an answer so far. */
  const openSince = new Map<string, number>();

  /** Until an attempt's lease is over no other may send its records. */
  const begin = (records: readonly SentRecord[]) => {
    for (const { reference } of records) {
      const since = openSince.get(reference);
      const isOpen = since !== undefined && scheduler.now - since < PACE.timeLimitMs;
      if (isOpen && !hasSkew()) faults.push(`${reference} was sent while it was under way`);
      openSince.set(reference, scheduler.now);
    }
  };

  const judge = (sent: SentRecord): AnswerLine => {
    const { reference, key, operation, hash } = sent;
    if ((arrivals.get(reference) ?? hash) !== hash) faults.push(`${reference} came again and is another`);
    arrivals.set(reference, hash);
    const line = { reference, key, operation };
    const known = held.get(keyOf(key));
    const rejected = (code: number): AnswerLine => ({ ...line, state: "rejected", code, text: "simulated" });
    const isAnnulment = operation.kind === "ANULACION";
    const isTaken = known?.taken.has(reference) ?? false;
    const isAnnulled = known?.state === "annulled";
    if (known && (isTaken || (isAnnulment && isAnnulled) || (!isAnnulment && !operation.amends))) {
      const state = isTaken && isAnnulment ? "annulled" : known.state;
      return { ...rejected(DUPLICATE), duplicate: { petition: `pet-${reference}`, state } };
    }
    if (!known && isAnnulment && !operation.withoutPreviousRecord) return rejected(NOT_EXISTENT);
    if (!known && operation.amends && operation.previousRejection !== "X") return rejected(NOT_EXISTENT);
    if (chance.is(weather.rejects)) {
      count("record rejected");
      return rejected(chance.pick([1239, 1129, 1241]));
    }
    const isErroneous = chance.is(weather.rejects / 2);
    const state = isErroneous ? "accepted_with_errors" : "accepted";
    const now = known ?? { key, taken: new Map<string, string>(), hash, state };
    now.taken.set(reference, hash);
    now.hash = hash;
    now.state = isAnnulment ? "annulled" : state;
    held.set(keyOf(key), now);
    return isErroneous ? { ...line, state, code: 2001, text: "simulated" } : { ...line, state };
  };

  const answerTo = (records: readonly SentRecord[]): SubmissionAnswer => {
    const lines = records.map(judge);
    const accepted = lines.filter(({ state }) => state !== "rejected").length;
    const state = accepted === 0 ? "rejected" : accepted < lines.length ? "partly_accepted" : "accepted";
    const csv = accepted > 0 ? { csv: `A-${arrivals.size}` } : {};
    return { ...csv, waitSeconds: 60, state, lines };
  };

  const answerBytes = (body: object): TransportOutcome => ({
    ...{ outcome: "answered", status: 200, contentType: "application/json" },
    bytes: encoder.encode(JSON.stringify(body)),
  });

  const submitFor = (life: Life): Authority["transport"]["submit"] => {
    return (bytes, _, limitMs = PACE.timeLimitMs) => {
      const { promise, resolve } = Promise.withResolvers<TransportOutcome>();
      const body = JSON.parse(decoder.decode(bytes)) as Message;
      const records = "query" in body ? [] : body.records;
      begin(records);
      const tell = (delayMs: number, outcome: TransportOutcome) =>
        scheduler.after(delayMs, `authority ${outcome.outcome}`, () => {
          if (life.isOver) return;
          for (const { reference } of records) openSince.delete(reference);
          resolve(outcome);
        });
      const fault: AuthorityFault | undefined = chance.is(weather.faults)
        ? chance.pick(AUTHORITY_FAULTS as [AuthorityFault, ...AuthorityFault[]])
        : undefined;
      count(`authority ${fault ?? "answers"}`);
      scheduler.after(chance.between(5, 200), "at the authority", () => {
        const answered = () => answerBytes("query" in body ? found(body.query) : answerTo(body.records));
        switch (fault) {
          case undefined:
            return tell(chance.between(5, chance.is(0.1) ? 40_000 : 500), answered());
          case "no_connection":
            return tell(10, { outcome: "no_connection" });
          case "stored_then_lost":
            answered();
            return tell(
              10,
              chance.pick([{ outcome: "no_connection" }, { outcome: "interrupted", status: 200 }]),
            );
          case "stored_then_late":
            answered();
            return tell(limitMs, { outcome: "timeout" });
          case "server_fault":
            return tell(10, answerBytes({ fault: { side: "server", code: 4103, text: "simulated" } }));
          case "not_delivered":
            return tell(10, { outcome: "answered", status: 429, contentType: "", bytes: new Uint8Array() });
          case "http_error":
            answered();
            return tell(10, { outcome: "answered", status: 503, contentType: "", bytes: new Uint8Array() });
          case "mismatch":
            return tell(10, answerBytes({ state: "accepted", lines: [] }));
        }
      });
      return promise;
    };
  };

  const found = (key: InvoiceKey): { found: readonly FoundRecord[] } => {
    const known = held.get(keyOf(key));
    return { found: known ? [{ key, hash: known.hash, state: known.state }] : [] };
  };

  return {
    ...{ weather, held, arrivals, faults },
    depsOf: (life, binding, connectionId) => ({
      authority: {
        compose: composed,
        transport: { submit: submitFor(life) },
        read,
        query: ({ key }) => encoder.encode(JSON.stringify({ query: key })),
        readFound: (outcome) => {
          if (outcome.outcome !== "answered" || outcome.status !== 200) return undefined;
          return (JSON.parse(decoder.decode(outcome.bytes)) as { found?: FoundRecord[] }).found;
        },
        endpointFor: () => "https://authority.test",
        wantsRepresentation: false,
      },
      pace: PACE,
      store: submissionStore(binding, connectionId),
      evidence: {
        keep: async () => {
          await scheduler.sleep(chance.between(1, 40), "evidence");
          if (!chance.is(weather.evidenceFails)) return;
          count("evidence not kept");
          throw new Error("R2 is down");
        },
      },
      newOwner: () => "",
    }),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Message = { readonly records: readonly SentRecord[] } | { readonly query: InvoiceKey };

const composed: Authority["compose"] = (run, { incident }) => {
  const records = run.slice(0, 1_000);
  const [first, last] = [records[0], records.at(-1)];
  invariant(first && last, "a message has a record");
  const bytes = encoder.encode(JSON.stringify({ records: records.map(sentOf), incident }));
  return { bytes, sha256: sha256OfBytes(bytes), incident, records, from: first.position, to: last.position };
};

function sentOf({ content, position, hash }: SealedRecord): SentRecord {
  const { reference, key } = content;
  return { position, reference, key, operation: operationOf(content), hash };
}

function read(outcome: TransportOutcome): AttemptResult {
  switch (outcome.outcome) {
    case "answered": {
      const { status, bytes } = outcome;
      if (status === 429) return { result: "not_delivered" };
      if (status !== 200) return { result: "no_answer", cause: "http_status", status };
      const body = JSON.parse(decoder.decode(bytes));
      return body.fault ? { result: "fault", fault: body.fault } : { result: "answered", answer: body };
    }
    default:
      return { result: "no_answer", cause: outcome.outcome };
  }
}
