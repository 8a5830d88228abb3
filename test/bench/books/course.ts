/**
 * The books of a company through three years, made by the product's own code over the database file. Every
 * decision, seal, batch, trigger and entry is the same as by HTTP. Only time, chance and the authority are
 * simulated.
 */

import { invoiceBody, toInvoiceRequest } from "../../../src/api/wire/invoice-body.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { orderAsSent, toSentOrder } from "../../../src/api/wire/order-facts.ts";
import { prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import type { Chance } from "./chance.ts";
import type { Books, Clock } from "./company.ts";
import { type Body, rectificationBody, saleBody } from "./invoices.ts";
import { orderBodyOf, withUnknownCharge } from "./orders.ts";
import { WEBHOOK_URL } from "./webhook.ts";

export interface CoursePlan {
  /** Invoices of all kinds, those of orders included. */
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

/** More in a batch than the product would take: the rows are the same, and there are fewer batches. */
const GROUP = 512;
const GROUP_OF_FEW = 64;
const FEW = 50_000;
/** Sales that a later one still refers to. */
const REMEMBERED = 600;
/** Lines of the activity log are in pairs, one for so many invoices. */
const INVOICES_A_DECLARATION = 200;
/** The last part of the course, through which a webhook listens. */
const HEARD = 0.02;
/** Orders that become an invoice. */
const INVOICED = 0.7;
/** Not entered or submitted: left for the product. */
const LAST = 10;

export async function runCourse(plan: CoursePlan, course: Course): Promise<void> {
  const { busy, clock, tell } = course;
  const direct = plan.invoices - Math.round(plan.orders * INVOICED);
  const group = plan.invoices < FEW ? GROUP_OF_FEW : GROUP;
  const steps = Math.ceil(direct / group);
  const hearsFrom = Math.min(Math.floor(steps * (1 - HEARD)), Math.max(0, steps - 4));
  const sales = new Map<number, Body>();
  const startedAt = performance.now();
  let [sent, declared] = [0, 0];
  for (let step = 0; step < steps; step++) {
    const share = (of: number) => Math.floor((of * (step + 1)) / steps);
    clock.now = Math.round(plan.from + ((plan.to - plan.from) * step) / steps);
    if (step === hearsFrom) await listen(busy);
    const until = Math.min(direct - LAST, (step + 1) * group);
    await issueSome(range(step * group, until), sales, course);
    if (share(plan.orders) - sent >= GROUP_OF_FEW || step === steps - 1) {
      await sendSome(range(sent, share(plan.orders)), course);
      sent = share(plan.orders);
    }
    for (; declared < share(plan.invoices / INVOICES_A_DECLARATION); declared++)
      await declare(declared, busy);
    await busy.ledger.wake();
    if (until % 10_000 < group) tell(`${until} of ${direct} after ${seconds(startedAt)}`);
  }
  clock.now = plan.to;
  await issueSome(range(direct - LAST, direct), sales, course);
  tell(`all after ${seconds(startedAt)}`);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Sales, then refunds of some, then annulled ones. */
async function issueSome(
  indexes: readonly number[],
  sales: Map<number, Body>,
  { busy, chance }: Course,
): Promise<void> {
  const { ledger, caller } = busy;
  const returns = indexes.filter((index) => isReturn(index) && sales.has(index - RETURNED_AFTER));
  const sold = indexes.filter((index) => !returns.includes(index));
  for (const index of sold) sales.set(index, saleBody(directId(index), chance));
  const issue = (body: Body) => ledger.issueInvoice(caller, preparedFrom(body));
  const bodyOf = (index: number) => sales.get(index) ?? {};
  expectAll(await Promise.all(sold.map((index) => issue(bodyOf(index)))), "issued");
  const rectifications = returns.map((index) =>
    rectificationBody(directId(index), bodyOf(index - RETURNED_AFTER)),
  );
  expectAll(await Promise.all(rectifications.map(issue)), "issued");
  const mistaken = indexes.filter((index) => index % 100 === 50 && index > CANCELLED_AFTER);
  const cancelled = mistaken.map((index) =>
    ledger.cancelInvoice(caller, {
      externalId: directId(index - CANCELLED_AFTER),
      reason: "Emitida por error",
    }),
  );
  expectAll(await Promise.all(cancelled), "cancelled");
  for (const index of indexes) sales.delete(index - REMEMBERED);
}

/** None of these is returned and cancelled, or a return itself. */
const RETURNED_AFTER = 193;
const CANCELLED_AFTER = 400;
const isReturn = (index: number) => index % 25 === 7;

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
    url: WEBHOOK_URL,
    events: ["invoice.issued", "record.accepted", "record.rejected", "order.held"],
  });
}

/** Two lines of the activity log, of a kind that has no order decided again. */
async function declare(index: number, busy: Books): Promise<void> {
  const origin = `https://campana-${index}.example`;
  await busy.act({ verb: "add_origin", origin });
  await busy.act({ verb: "remove_origin", origin });
}

function expectAll(outcomes: readonly { readonly outcome: string }[], expected: string): void {
  const other = outcomes.find(({ outcome }) => outcome !== expected);
  if (other) throw new Error(`not ${expected}: ${JSON.stringify(other)}`);
}

function seconds(startedAt: number): string {
  return `${Math.round((performance.now() - startedAt) / 1_000)} s`;
}
