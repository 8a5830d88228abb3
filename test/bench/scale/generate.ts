/**
 * The books of a company through three years, made by the product's own code over the database file: every decision,
 * seal, batch, trigger and entry is the one that HTTP would have led to. Only time, chance and the authority are
 * made up.
 */
import { prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import { invoiceBody } from "../../../src/http/contract/invoice-body.ts";
import { orderBody } from "../../../src/http/contract/order-body.ts";
import { orderAsSent, toSentOrder } from "../../../src/http/contract/order-facts.ts";
import { toInvoiceRequest } from "../../../src/http/contract/to-invoice-request.ts";
import { parseExactly } from "../../../src/http/exact-number.ts";
import type { Chance } from "./chance.ts";
import type { Books, Clock } from "./company.ts";
import { type Body, rectificationBody, saleBody } from "./invoices.ts";
import { orderBodyOf, withUnknownCharge } from "./orders.ts";

export interface CoursePlan {
  /** Of all kinds, those of orders included. */
  readonly invoices: number;
  readonly orders: number;
  readonly from: number;
  readonly to: number;
}

export interface Course {
  /** Takes direct invoices and most of the orders. */
  readonly busy: Books;
  /** Without consent: its orders wait. */
  readonly waiting: Books;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly tell: (line: string) => void;
}

const GROUP = 64;
/** Sales that a later one still refers to. */
const REMEMBERED = 600;
const AUDITS = 10_000;
/** The last part of the course, through which a webhook listens. */
const HEARD = 0.02;
/** Orders that become an invoice. */
const INVOICED = 0.7;
/** Left for the product: nobody has entered or sent them. */
const LAST = 10;

export async function runCourse(plan: CoursePlan, course: Course): Promise<void> {
  const { busy, clock, tell } = course;
  const direct = plan.invoices - Math.round(plan.orders * INVOICED);
  const steps = Math.ceil(direct / GROUP);
  const sales = new Map<number, Body>();
  const startedAt = performance.now();
  let sent = 0;
  for (let step = 0; step < steps; step++) {
    clock.now = Math.round(plan.from + ((plan.to - plan.from) * step) / steps);
    const until = Math.min(direct - LAST, (step + 1) * GROUP);
    await issueSome(range(step * GROUP, until), sales, course);
    const due = Math.floor((plan.orders * (step + 1)) / steps);
    const isLast = step === steps - 1;
    if (due - sent >= GROUP || isLast) {
      await sendSome(range(sent, due), course);
      sent = due;
    }
    if (step === Math.floor(steps * (1 - HEARD))) await listen(busy);
    if (step % Math.max(2, Math.ceil(steps / AUDITS)) === 0) await declare(step, busy);
    await busy.ledger.wake();
    if (step % 500 === 499) tell(`${until} of ${direct} after ${seconds(startedAt)}`);
  }
  clock.now = plan.to;
  await issueSome(range(direct - LAST, direct), sales, course);
  tell(`all after ${seconds(startedAt)}`);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

async function issueSome(
  indexes: readonly number[],
  sales: Map<number, Body>,
  { busy, chance }: Course,
): Promise<void> {
  const bodies = indexes.map((index) => {
    const sold = index % 25 === 7 ? sales.get(index - 193) : undefined;
    if (sold) return rectificationBody(directId(index), sold);
    const body = saleBody(directId(index), chance);
    sales.set(index, body);
    sales.delete(index - REMEMBERED);
    return body;
  });
  const outcomes = await Promise.all(
    bodies.map((body) => busy.ledger.issueInvoice(busy.caller, preparedFrom(body))),
  );
  expectAll(outcomes, "issued");
  const cancelled = indexes.filter((index) => index % 100 === 50 && index > REMEMBERED);
  expectAll(
    await Promise.all(
      cancelled.map((index) =>
        busy.ledger.cancelInvoice(busy.caller, {
          externalId: directId(index - 400),
          reason: "Emitida por error",
        }),
      ),
    ),
    "cancelled",
  );
}

export function directId(index: number): string {
  return `f-${index}`;
}

export function orderId(index: number): string {
  return `W-${index}`;
}

export function preparedFrom(body: Body) {
  return prepareInvoice(toInvoiceRequest(invoiceBody.parse(parseExactly(JSON.stringify(body)))));
}

async function sendSome(indexes: readonly number[], { busy, waiting, clock, chance }: Course): Promise<void> {
  const outcomes = await Promise.all(
    indexes.map((index) => {
      const { ledger, caller } = index % 4 === 3 ? waiting : busy;
      const body = orderBodyOf(orderId(index), clock.now, chance);
      return ledger.submitOrder(caller, submissionOf(index % 20 === 1 ? withUnknownCharge(body) : body));
    }),
  );
  for (const [at, outcome] of outcomes.entries()) {
    const index = indexes[at] ?? 0;
    const expected = index % 4 === 3 ? "deferred" : index % 20 === 1 ? "held" : "invoiced";
    const state = "order" in outcome ? outcome.order.state : outcome.outcome;
    if (state !== expected)
      throw new Error(`order ${index} is ${state}, not ${expected}: ${JSON.stringify(outcome)}`);
  }
}

function submissionOf(body: Body) {
  const exact = parseExactly(JSON.stringify(body));
  return { sent: toSentOrder(orderBody.parse(exact)), asSent: orderAsSent(exact), preview: false };
}

async function listen(busy: Books): Promise<void> {
  await busy.act({
    verb: "register_webhook",
    url: "https://avisos.example/cuadre",
    events: ["invoice.issued", "record.accepted", "record.rejected", "order.held"],
  });
}

/** Lines of the activity log. */
async function declare(step: number, busy: Books): Promise<void> {
  const tag = `campaña-${step}`;
  await busy.act({ verb: "set_tag_rule", rule: { tag, action: "ignore" } });
  await busy.act({ verb: "remove_tag_rule", tag });
}

function expectAll(outcomes: readonly { readonly outcome: string }[], expected: string): void {
  const other = outcomes.find(({ outcome }) => outcome !== expected);
  if (other) throw new Error(`not ${expected}: ${JSON.stringify(other)}`);
}

function seconds(startedAt: number): string {
  return `${Math.round((performance.now() - startedAt) / 1_000)} s`;
}
