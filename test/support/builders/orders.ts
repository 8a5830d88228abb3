/**
 * Orders through the real decision, on books that exist only here. Every reason is checked in both
 * languages, so that every row of a table proves its sentences.
 */

import { type SalesSettings, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { seriesCode } from "../../../src/domain/billing/series.ts";
import type { RateLookup } from "../../../src/domain/exchange/reference-rate.ts";
import type { IssueDraft } from "../../../src/domain/invoice/decide-issue.ts";
import type { TaxGroup } from "../../../src/domain/invoice/document.ts";
import { scaleOf } from "../../../src/domain/invoice/prepare.ts";
import type { ActingInvoice, RectifiableInvoice } from "../../../src/domain/invoice/rectifiable.ts";
import type { InvoiceType } from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { grossOf } from "../../../src/domain/invoice/tax-groups.ts";
import {
  type IssuedForOrder,
  NO_ANSWERS,
  NO_HISTORY,
  type OrderContext,
  type OrderSettings,
  type OwnerAnswers,
} from "../../../src/domain/order/context.ts";
import { decideOrder } from "../../../src/domain/order/decide-order.ts";
import type { OrderDecision, OrderEffect } from "../../../src/domain/order/decision.ts";
import type {
  ClientFacts,
  CorrectionEvent,
  Discount,
  LineKind,
  OrderFacts,
  OrderLine,
  UnmappedTotal,
} from "../../../src/domain/order/facts.ts";
import { nextGeneration } from "../../../src/domain/order/generation.ts";
import { originText } from "../../../src/domain/order/order-origin.ts";
import { type CivilDate, civilDate } from "../../../src/domain/shared/civil-date.ts";
import {
  type Decimal,
  decimal,
  negate,
  round,
  sum,
  toFixed,
  ZERO,
} from "../../../src/domain/shared/decimal.ts";
import { mustBeReadableReason } from "../rules/readable.ts";
import { theSettings } from "./direct-invoicing.ts";
import { A_RECIPIENT } from "./requests.ts";

export const TODAY = civilDate("2026-11-27");

export const A_PERSON: ClientFacts = { firstName: "Ana", lastName: "Pérez", country: "ES" };

/** An order that gets a full invoice. */
export const A_COMPANY: ClientFacts = A_RECIPIENT;

/** 100.00 + 21.00 to a person in Spain, ordered at noon today. */
export function anOrder(change: Partial<OrderFacts> = {}): OrderFacts {
  const breakdown = change.breakdown ?? linesOf("100+21@21");
  return {
    idExternal: "5001",
    orderedAt: Date.parse("2026-11-27T12:00:00+01:00"),
    paidAt: Date.parse("2026-11-27T12:00:00+01:00"),
    currency: "EUR",
    isCandidate: true,
    isCancelled: false,
    asksFullInvoice: false,
    client: A_PERSON,
    discounts: [],
    unmappedTotals: [],
    events: [],
    tags: [],
    contractVersion: "1.8",
    ...change,
    breakdown,
    total: change.total ?? totalOf(breakdown, change),
  };
}

/** `linesOf("40+4@10 shipping:5+1.05@21")`: base, tax and rate; kind and id (`#a`) where they matter. */
export function linesOf(text: string): OrderLine[] {
  return text.split(" ").map((each) => {
    const [, kind = "product", base = "", tax = "", rate = "", lineId] =
      /^(?:(\w+):)?(-?[\d.]+)\+(-?[\d.]+)@([\d.]+)(?:#(\w+))?$/.exec(each) ?? [];
    if (base === "") throw new Error(`no line: ${each}`);
    return {
      kind: kindOf(kind),
      quantity: decimal("1"),
      base: decimal(base),
      tax: decimal(tax),
      taxRate: decimal(rate),
      ...(lineId === undefined ? {} : { lineId }),
    };
  });
}

export const TWO_RATES = anOrder({ breakdown: linesOf("100+21@21 100+10@10") });

export function aDiscount(amount: string, change: Partial<Discount> = {}): Discount {
  return {
    name: "Cupón",
    amount: decimal(amount),
    kind: "promotional",
    lines: [],
    included: false,
    ...change,
  };
}

export function unmapped(code: string, value: string): UnmappedTotal {
  return { code, value: decimal(value), kind: "promotional" };
}

/** `refundOf("r1", "8.26+1.74@21")`: what goes back, positive. */
export function refundOf(id: string, lines: string, change: Partial<CorrectionEvent> = {}): CorrectionEvent {
  return {
    id,
    type: "refund",
    lines: linesOf(lines).map(({ base, tax, taxRate, lineId }) => ({
      ...(lineId === undefined ? {} : { lineId }),
      baseDelta: negate(base),
      taxDelta: negate(tax),
      taxRate,
    })),
    ...change,
  };
}

export function refundOfAmount(
  id: string,
  amount: string,
  change: Partial<CorrectionEvent> = {},
): CorrectionEvent {
  return { id, type: "refund", amount: negate(decimal(amount)), lines: [], ...change };
}

export const CANCELLATION: CorrectionEvent = {
  id: "fiscal_event:cancelled",
  type: "cancellation",
  lines: [],
};

export interface Situation {
  readonly sales?: Partial<SalesSettings>;
  readonly settings?: Partial<OrderSettings>;
  readonly issuer?: Partial<IssuingSettings>;
  readonly answers?: Partial<OwnerAnswers>;
  readonly rates?: (day: CivilDate, currency: string) => RateLookup;
  readonly today?: CivilDate;
}

export function contextOf(facts: OrderFacts, situation: Situation = {}): OrderContext {
  return {
    facts,
    issuer: theSettings({ connectionKind: "commerce", ...situation.issuer }),
    settings: {
      connectionName: "Tienda",
      profiles: [],
      sales: { ...UNDECLARED, ...situation.sales },
      stem: "PED-1",
      tagRules: [],
      keptRates: [],
      statuses: {},
      cutoffDate: civilDate("2026-01-01"),
      selectedStores: null,
      ...situation.settings,
    },
    history: NO_HISTORY,
    answers: { ...NO_ANSWERS, ...situation.answers },
    rateOn: situation.rates ?? (() => ({ outcome: "not_yet" })),
    today: situation.today ?? TODAY,
  };
}

/** Decides an order for the first time. */
export function decide(facts: OrderFacts, situation: Situation = {}): OrderDecision {
  return decideOrder(contextOf(facts, situation));
}

/** Codes of the reasons, in order; throws when one of them has no sentence. */
export function codesOf({ reasons }: OrderDecision): string[] {
  for (const reason of reasons) mustBeReadableReason(reason);
  return reasons.map(({ code }) => code);
}

/** `held tax_mismatch`, `invoiced`, `stored zero_total`. */
export function outcomeOf(decision: OrderDecision): string {
  return [decision.state, ...codesOf(decision)].join(" ");
}

type Issued = Extract<OrderEffect, { readonly effect: "issue" }>;

/** The only document of a decision; throws when there is none or more than one. */
export function onlyIssue(decision: OrderDecision): Issued {
  const [effect, ...more] = decision.effects;
  if (effect?.effect !== "issue" || more.length > 0) {
    throw new Error(`no single document: ${JSON.stringify([outcomeOf(decision), decision.reasons])}`);
  }
  return effect;
}

/** `F2 PED-1S-2026`: type and series. */
export function documentIn(effect: Issued): string {
  const { request } = effect.draft.document;
  return `${request.invoiceType} ${seriesCode(effect.stem, request, TODAY)}`;
}

/** `21: 100.00 / 21.00` per group, in the order of the breakdown. */
export function groupsIn({ draft }: Pick<Issued, "draft">): string[] {
  return groupTexts(draft.document.groups, draft.document.request.currency);
}

/** `100.00 / 21.00 / 121.00` of the whole document. */
export function totalsIn({ draft }: Pick<Issued, "draft">): string {
  const { totals, request } = draft.document;
  const text = (amount: Decimal) => toFixed(amount, scaleOf(request.currency));
  return [totals.base, totals.tax, totals.total].map(text).join(" / ");
}

export function groupTexts(groups: readonly TaxGroup[], currency: string): string[] {
  const text = (amount: Decimal) => toFixed(amount, scaleOf(currency));
  return groups.map(({ rate, amounts: { base, tax, surcharge } }) => {
    const more = surcharge === "0" ? "" : ` + ${text(surcharge)}`;
    return `${rate}: ${text(base)} / ${text(tax)}${more}`;
  });
}

/** An order and everything that was ever issued for it. */
export interface Course {
  readonly context: OrderContext;
  readonly decision: OrderDecision;
  /** All documents, oldest first. */
  readonly issued: readonly Issued[];
}

/** Decides and carries out, as the ledger does, until nothing more is due. */
export function course(facts: OrderFacts, situation: Situation = {}): Course {
  return settle({ context: contextOf(facts, situation), issued: [] });
}

/** The same order again, changed; its documents stay. */
export function next(before: Course, change: Partial<OrderFacts>, situation: Situation = {}): Course {
  const facts = { ...before.context.facts, ...change };
  const context = { ...contextOf(facts, situation), history: before.context.history };
  return settle({ context, issued: before.issued });
}

function settle(before: Omit<Course, "decision">): Course {
  let { context, issued } = before;
  for (let turn = 0; turn < 5; turn += 1) {
    const decision = decideOrder(context);
    const wasElsewhere = decision.reasons.some(({ code }) => code === "invoiced_elsewhere");
    const history = carriedOut(context, decision, issued.length);
    context = { ...context, history: { ...history, wasElsewhere } };
    issued = [...issued, ...decision.effects.filter((effect) => effect.effect === "issue")];
    if (!decision.redecide) return { context, decision, issued };
  }
  throw new Error("the decision never comes to an end");
}

function carriedOut(context: OrderContext, decision: OrderDecision, count: number): OrderContext["history"] {
  let history: History = { ...context.history, acted: [...context.history.acted, ...decision.handled] };
  for (const [index, effect] of decision.effects.entries()) {
    history =
      effect.effect === "annul"
        ? annulledIn(history, effect)
        : issuedIn(history, effect, { context, ordinal: count + index + 1 });
  }
  return history;
}

type History = OrderContext["history"];

function annulledIn(history: History, effect: Extract<OrderEffect, { readonly effect: "annul" }>): History {
  const annul = (issued: IssuedForOrder): IssuedForOrder =>
    issued.rectifiable.invoiceId === effect.invoiceId
      ? { ...issued, rectifiable: { ...issued.rectifiable, cancelled: true } }
      : issued;
  return {
    ...history,
    ...(history.invoice ? { invoice: annul(history.invoice) } : {}),
    ...(history.replacement ? { replacement: annul(history.replacement) } : {}),
    acted: [...history.acted, ...effect.acted],
  };
}

function issuedIn(
  history: History,
  effect: Issued,
  { context, ordinal }: { context: OrderContext; ordinal: number },
): History {
  const { draft, stem, origin } = effect;
  const rectifiable = rectifiableOf(draft, { context: { ...context, history }, ordinal, stem });
  const issued: IssuedForOrder = { rectifiable, document: draft.document, stem };
  const acts = (target: IssuedForOrder) => actedOn(target, draft, rectifiable);
  const after = {
    ...history,
    ...(history.invoice ? { invoice: acts(history.invoice) } : {}),
    ...(history.replacement ? { replacement: acts(history.replacement) } : {}),
    rectifications: history.rectifications.map(acts),
    acted: [...history.acted, ...effect.acted],
  };
  switch (origin.of) {
    case "order":
      return {
        ...(origin.generation === undefined ? after : { ...nextGeneration(after), acted: after.acted }),
        invoice: issued,
        ...(effect.soldFingerprint === undefined ? {} : { soldFingerprint: effect.soldFingerprint }),
      };
    case "event_replacement":
      return { ...after, followUps: [...(after.followUps ?? []), issued] };
    case "event":
      return { ...after, rectifications: [...after.rectifications, issued] };
    case "replacement":
      return { ...after, replacement: issued };
  }
}

function actedOn(target: IssuedForOrder, draft: IssueDraft, by: RectifiableInvoice): IssuedForOrder {
  const links = draft.links.filter(({ targetId }) => targetId === target.rectifiable.invoiceId);
  const acting = links.map(
    ({ kind, taken }): ActingInvoice => ({
      invoiceId: by.invoiceId,
      externalId: by.externalId,
      number: by.number,
      kind,
      taken,
      inForce: true,
      actedOnBy: [],
    }),
  );
  const { rectifiable } = target;
  const known = rectifiable.actedOnBy.map((one): ActingInvoice => {
    const further = draft.links
      .filter(({ targetId }) => targetId === one.invoiceId)
      .map(({ kind }) => ({ invoiceId: by.invoiceId, number: by.number, kind }));
    return { ...one, actedOnBy: [...one.actedOnBy, ...further] };
  });
  return { ...target, rectifiable: { ...rectifiable, actedOnBy: [...known, ...acting] } };
}

interface Numbered {
  readonly context: OrderContext;
  readonly ordinal: number;
  readonly stem: string;
}

function rectifiableOf(
  { document, links }: IssueDraft,
  { context, ordinal, stem }: Numbered,
): RectifiableInvoice {
  const { request, operationDate, defaults, groups } = document;
  return {
    invoiceId: `in${ordinal}`,
    externalId: request.externalId,
    number: `${seriesCode(stem, request, context.today)}-${String(ordinal).padStart(6, "0")}`,
    issueDate: context.today,
    ...(operationDate === undefined ? {} : { operationDate }),
    invoiceType: request.invoiceType,
    regime: request.regime,
    flags: request.flags,
    currency: request.currency,
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    defaults,
    groups,
    identifiers: [],
    cancelled: false,
    actsOn: links.map(({ targetId, kind }) => ({
      invoiceId: targetId,
      externalId: targetId,
      kind,
      invoiceType: typeOf(context.history, targetId),
    })),
    actedOnBy: [],
  };
}

function typeOf({ invoice, replacement, rectifications }: History, invoiceId: string): InvoiceType {
  const all = [invoice, replacement, ...rectifications].flatMap((issued) => issued?.rectifiable ?? []);
  const found = all.find((rectifiable) => rectifiable.invoiceId === invoiceId);
  if (!found) throw new Error(`no invoice ${invoiceId}`);
  return found.invoiceType;
}

/** Origins of all that was issued: none ever comes twice. */
export function originsIn({ issued, context }: Course): string[] {
  return issued.map(({ origin }) => originText(context.facts.idExternal, origin));
}

export function grossIn(effects: readonly Pick<Issued, "draft">[]): Decimal {
  return sum(effects.flatMap(({ draft }) => draft.document.groups.map(({ amounts }) => grossOf(amounts))));
}

function totalOf(breakdown: readonly OrderLine[], order: Partial<OrderFacts>): Decimal {
  const lines = breakdown.flatMap(({ base, tax, surcharge = ZERO }) => [base, tax, surcharge]);
  const taken = (order.discounts ?? [])
    .filter(({ included }) => !included)
    .map(({ amount }) => negate(amount));
  const rest = (order.unmappedTotals ?? []).map(({ value }) => value);
  return round(sum([...lines, ...taken, ...rest]), 2);
}

function kindOf(text: string): LineKind {
  switch (text) {
    case "product":
    case "shipping":
    case "fee":
    case "gift_voucher":
      return text;
    default:
      throw new Error(`no kind of line: ${text}`);
  }
}
