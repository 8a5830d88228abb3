/** Callers and owners: they call over the network, try again without an answer, and remember what they were told. */
import { type PreparedInvoice, prepareInvoice } from "../../src/domain/invoice/prepare.ts";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { ledgerClient } from "../../src/ledger/client.ts";
import type { OrderSubmission } from "../../src/ledger/orders/order-outcomes.ts";
import type { Caller, LedgerCalls } from "../../src/ledger/rpc.ts";
import { aSentOrder, aSubmission, type SentBody } from "../support/builders/sent-bodies.ts";
import { type Problem, problem } from "../support/rules/book-rules.ts";
import type { Chance } from "./chance.ts";
import { count, type Figures } from "./figures.ts";
import type { SimulatedObject } from "./object.ts";
import type { Scheduler } from "./scheduler.ts";
import { dayOf, eventBody, FLAGS, type OrderStep, SENT_ORDER } from "./steps.ts";
import type { SimulatedShop } from "./template.ts";

interface Outcome {
  readonly outcome: string;
}

/** An answer that reached its caller. */
export interface Told {
  readonly connectionId: string;
  /** `issue a`, `order 3:x`: what was asked, and about which. */
  readonly about: string;
  readonly outcome: Outcome;
}

export interface CallersDeps {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly figures: Figures;
  readonly objects: ReadonlyMap<string, SimulatedObject>;
  /** Looks into the books at the moment of an acknowledgement. */
  readonly check: (told: Told) => readonly Problem[];
}

/** No answer was given, or one that says to try again. */
const UNANSWERED = ["unavailable", "failed"];

export class Callers {
  readonly told: Told[] = [];
  readonly problems: Problem[] = [];
  /** Every call that may have an effect, by what it is about: for a last try. */
  readonly asked = new Map<string, () => Promise<Outcome>>();
  /** Steps that have not ended. */
  open = 0;
  readonly #deps: CallersDeps;
  readonly #clients = new Map<string, LedgerCalls>();
  #requests = 0;

  constructor(deps: CallersDeps) {
    this.#deps = deps;
  }

  /** Through the product's own client, which tries again. */
  to({ connectionId }: Pick<SimulatedShop, "connectionId">): LedgerCalls {
    const known = this.#clients.get(connectionId);
    if (known) return known;
    const { scheduler, chance, objects } = this.#deps;
    const client = ledgerClient(
      {
        namespace: namespaceOf(objects),
        now: () => scheduler.now,
        sleep: (delayMs) => scheduler.sleep(delayMs, "client waits"),
        chance: chance.fraction,
      },
      connectionId,
    );
    this.#clients.set(connectionId, client);
    return client;
  }

  callerOf({ connectionId, keyHash }: SimulatedShop, key = keyHash): Caller {
    this.#requests += 1;
    return { connectionId, keyHash: key, requestId: `request-${this.#requests}` };
  }

  nextRequest(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  /** A call that has an effect: repeated a few times while no answer comes, and once more at the end. */
  async settle<Out extends Outcome>(
    { connectionId }: Pick<SimulatedShop, "connectionId">,
    about: string,
    call: () => Promise<Out>,
    tries = 3,
  ): Promise<Out | undefined> {
    const name = `${connectionId} ${about}`;
    if (!this.asked.has(name)) this.asked.set(name, call);
    for (let tried = 1; tried <= tries; tried += 1) {
      const outcome = await this.ask({ connectionId, about }, call);
      if (outcome && !UNANSWERED.includes(outcome.outcome)) return outcome;
      await this.#deps.scheduler.sleep(this.#deps.chance.between(200, 8_000), "caller waits");
    }
    return undefined;
  }

  /** One call, and what its caller is told. */
  async ask<Out extends Outcome>(
    { connectionId, about }: Omit<Told, "outcome">,
    call: () => Promise<Out>,
  ): Promise<Out | undefined> {
    const { scheduler, chance, figures, check } = this.#deps;
    const outcome = await call();
    // A caller may be gone when its answer comes.
    if (chance.is(0.03)) {
      count(figures, "answer without a caller");
      return undefined;
    }
    count(figures, `told ${about.split(" ")[0]} ${outcome.outcome}`);
    scheduler.note(`told ${about} ${JSON.stringify(outcome)}`);
    const told = { connectionId, about, outcome };
    this.told.push(told);
    this.problems.push(...check(told));
    if (outcome.outcome === "failed") count(figures, `failed ${Reflect.get(outcome, "cause")}`);
    return outcome;
  }

  /** Runs a step beside the others. A fault of the step itself is a fault of the simulation or of the product. */
  begin(what: string, act: () => Promise<unknown>): void {
    this.open += 1;
    act().then(
      () => {
        this.open -= 1;
      },
      (error: unknown) => {
        this.open -= 1;
        this.problems.push(
          problem("answer", `${what} threw ${error instanceof Error ? error.stack : error}`),
        );
      },
    );
  }
}

/** As much of a namespace as the product's client uses. */
function namespaceOf(objects: ReadonlyMap<string, SimulatedObject>): DurableObjectNamespace {
  const getByName = (name: string) => {
    const object = objects.get(name);
    if (!object) throw new Error(`no object ${name}`);
    return new Proxy(
      {},
      {
        get:
          (_, member) =>
          (...given: unknown[]) =>
            object.call(String(member), given),
      },
    );
  };
  return { getByName } as unknown as DurableObjectNamespace;
}

const prepared = new Map<string, PreparedInvoice>();

/** Values that no call changes, so that all histories share them. */
export function preparedInvoice(request: InvoiceRequest): PreparedInvoice {
  const key = JSON.stringify(request);
  const known = prepared.get(key) ?? prepareInvoice(request);
  prepared.set(key, known);
  return known;
}

const submissions = new Map<string, OrderSubmission>();

export function submissionOf(
  { shop, id, events, flag, updatedAt, client }: OrderStep,
  preview = false,
): OrderSubmission {
  const time =
    updatedAt === undefined ? {} : { updated_at: `2026-10-20T10:${String(updatedAt).padStart(2, "0")}:00Z` };
  const body: SentBody = aSentOrder(id, {
    ...{ ...SENT_ORDER, ...FLAGS[flag], ...time, ...(client ? { client } : {}) },
    order_date: `${dayOf(shop, id)} 12:00:00`,
    correction_events: events.map(eventBody),
  });
  const key = JSON.stringify([body, preview]);
  const known = submissions.get(key) ?? aSubmission(body, preview);
  submissions.set(key, known);
  return known;
}
