/** One round: requests at random, several at once, each answer checked, and the books at the end. */
import type { Judge, ToldAnswer } from "./answers.ts";
import { BYTE_FAULT_KINDS } from "./broken-bytes.ts";
import { TREE_FAULT_KINDS } from "./broken-tree.ts";
import type { Contract, Operation } from "./contract.ts";
import type { Draw } from "./draw.ts";
import { type FuzzRequest, requestElsewhere, requestFor, requestOfViewer } from "./requests.ts";
import { type Booked, type Caller, openWorld, type World } from "./world.ts";

declare module "vitest" {
  interface TaskMeta {
    fuzz?: Report;
  }
}

export interface Round {
  readonly seed: number;
  readonly requests: number;
  send(path: string, init: RequestInit): Promise<ToldAnswer>;
}

export type Counts = Readonly<Record<string, number>>;

export interface Report {
  readonly of: "public" | "owner";
  readonly problems: readonly string[];
  /** How often each status was answered, by route. */
  readonly statuses: Readonly<Record<string, Counts>>;
  /** How many requests of each kind were made: together, all of them. */
  readonly validities: Counts;
  /** For the public API: the repeats of issued invoices, not counted in the others. */
  readonly replays?: number;
  readonly booked: Partial<Booked>;
  /** Of the public API: kinds of faults that no request had. */
  readonly unusedFaults?: readonly string[];
}

interface Begun {
  readonly caller: Caller | undefined;
  readonly request: FuzzRequest;
  readonly init: RequestInit;
  readonly answering: Promise<ToldAnswer>;
}

const AT_ONCE = 8;
const MOST_PROBLEMS = 20;
/** Out of a hundred requests. */
const ELSEWHERE = 6;
const OF_VIEWER = 4;
/** The share of issued invoices that is sent a second time. */
const REPEATED = 0.2;

export async function fuzz(contract: Contract, judge: Judge, draw: Draw, round: Round): Promise<Report> {
  const world = await openWorld(`f${round.seed}`);
  const operations = contract.operations.flatMap((each) => Array<Operation>(weightOf(each)).fill(each));
  const tally = newTally();
  const problems: string[] = [];
  let replays = 0;
  for (let sent = 0; sent < round.requests && problems.length < MOST_PROBLEMS; sent += AT_ONCE) {
    const count = Math.min(AT_ONCE, round.requests - sent);
    const begun = Array.from({ length: count }, () => begin(operations, world, draw, round));
    const answered = await Promise.all(
      begun.map(async (each) => ({ ...each, answer: await each.answering })),
    );
    for (const { caller, request, answer, init } of answered) {
      world.note(caller, request, answer);
      tally.count(request, answer);
      const found = judge.problemsOf(request, answer);
      if (answer.status === 201 && draw.chance(REPEATED)) {
        replays += 1;
        found.push(...judge.ofReplay(answer, await round.send(request.path, init)));
      }
      problems.push(...found.map((problem) => described(request, problem)));
    }
    problems.push(...(await world.answerReactivated(draw)));
  }
  const unusedFaults = [...TREE_FAULT_KINDS, ...BYTE_FAULT_KINDS].filter((kind) => !draw.kinds.has(kind));
  const booked = await world.expectConsistent();
  return { of: "public", problems, ...tally.counts, replays, booked, unusedFaults };
}

function begin(operations: readonly Operation[], world: World, draw: Draw, round: Round): Begun {
  const operation = draw.any(operations);
  if (!operation) throw new Error("the document has no operations");
  const caller = world.callerFor(operation.path, draw);
  const request = requestOf(operation, draw.below(100), world, caller, draw);
  const key = operation.needsKey ? world.keyOf(caller, draw) : undefined;
  const init = initOf(request, key, draw);
  return { caller, request, init, answering: round.send(request.path, init) };
}

function requestOf(
  operation: Operation,
  kind: number,
  world: World,
  caller: Caller | undefined,
  draw: Draw,
): FuzzRequest {
  if (kind < OF_VIEWER) return requestOfViewer(world.viewerPath(draw), draw);
  const make = kind < OF_VIEWER + ELSEWHERE ? requestElsewhere : requestFor;
  return make(operation, world.knownTo(caller), draw);
}

/** Routes with a body can have the most faults, above all those that issue. */
function weightOf({ path, body, parameters }: Operation): number {
  if (/^\/api\/v1\/(invoice|order)$/.test(path)) return 14;
  // Documents exist only after an invoice, and electronic ones only of the full invoices among them.
  if (body || path.includes("{invoice_id}")) return 5;
  return parameters.length > 0 ? 3 : 1;
}

function initOf({ method, headers, bytes }: FuzzRequest, key: string | undefined, draw: Draw): RequestInit {
  // The brake on failed authentication counts by address.
  const address = `198.51.${draw.below(256)}.${draw.below(256)}`;
  const all = { ...headers, ...(key === undefined ? {} : { "X-API-KEY": key }), "CF-Connecting-IP": address };
  return { method, headers: all, redirect: "manual", ...(bytes ? { body: bytes } : {}) };
}

function newTally() {
  const statuses: Record<string, Record<string, number>> = {};
  const validities: Record<string, number> = {};
  return {
    counts: { statuses, validities },
    count({ target, validity }: FuzzRequest, { status }: ToldAnswer) {
      const route = typeof target === "string" ? target : `${target.method} ${target.path}`;
      const ofRoute = statuses[route] ?? {};
      statuses[route] = { ...ofRoute, [status]: (ofRoute[status] ?? 0) + 1 };
      validities[validity] = (validities[validity] ?? 0) + 1;
    },
  };
}

const SHOWN = 600;

function described({ method, path, headers, bytes, fault, validity }: FuzzRequest, problem: string): string {
  const body = bytes ? new TextDecoder().decode(bytes).slice(0, SHOWN) : "";
  const what = `(${validity}, ${fault || "no fault"}, ${headers["Content-Type"] ?? "no type"})`;
  return `${method} ${path.slice(0, 300)} ${what} ${body}\n  -> ${problem.slice(0, SHOWN)}`;
}
