import type { DeclarationRefusal } from "../billing/declarations.ts";
import type { Balance } from "../invoice/balance.ts";
import type { Payment, TaxGroup } from "../invoice/document.ts";
import { refuse } from "../invoice/refusal.ts";
import type { DocumentaryRegime, InvoiceType } from "../invoice/request.ts";
import { isOss, sumAmounts } from "../invoice/tax-groups.ts";
import { totalInEur } from "../invoice/totals.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isZero,
  multiply,
  percentOf,
  subtract,
  ZERO,
} from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { comparableTag, hasInk, isPlainText } from "../shared/text.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import { collectedInPart, collectedWarnings } from "./collected.ts";
import type { ActedEvent, OrderContext, TagRule } from "./context.ts";
import { dueDateOf, futureReasons, lateWarnings, operationDateOf } from "./dates.ts";
import type { OrderDecision, OrderState } from "./decision.ts";
import { ossStateOf } from "./destination.ts";
import { chooseDocument } from "./document-kind.ts";
import { type ExchangeReading, readExchange } from "./exchange-rate.ts";
import { amountOf } from "./fact-text.ts";
import { soldFingerprintOf } from "./facts.ts";
import { draftFirstInvoice, isLeft, netGroups, referenceOf } from "./first-invoice.ts";
import { stopAtGates } from "./gates.ts";
import { generationIn, isReissue } from "./generation.ts";
import { netEvents } from "./judge-event.ts";
import { readTotals, taxWarnings } from "./order-totals.ts";
import { chooseProfile, type ProfileChoice, type Sale } from "./profile.ts";
import { because, inLadderOrder, type OrderWarning, type Reason } from "./reasons.ts";
import { clientOf, identifierOf, partyOf } from "./recipient.ts";
import { shopFactReasons, withEnteredRates } from "./shop-facts.ts";
import { readSoldOrder, type SoldOrder } from "./sold-order.ts";
import { ignoredWarnings, tradeOf, unfitOfClient } from "./trade.ts";

/** An order without an invoice: the ladder from its gates to the draft. */
export function decideFirst(context: OrderContext): OrderDecision {
  const stop = stopAtGates(context);
  if (stop) return settled(context, stop.state, stop.reasons);
  const choice = chooseProfile(context);
  const unwanted =
    (isReissue(context) ? undefined : ignoredByTag(context)) ?? invoicedElsewhere(context, choice);
  if (unwanted) return settled(context, "stored", [unwanted]);
  return choice.sale ? conclude(assess(context, choice.sale)) : withoutProfile(context, choice);
}

/** An order invoiced elsewhere stays so, regardless of later declarations: never invoice twice. */
function invoicedElsewhere(
  { history, answers, settings }: OrderContext,
  { sale }: ProfileChoice,
): Reason | undefined {
  const wasThen = history.wasElsewhere === true && !answers.released;
  if (sale?.sales.issuingMode !== "none" && !wasThen) return undefined;
  return because("invoiced_elsewhere", sale?.declaredBy ?? { connection: settings.connectionName });
}

/** With a missing profile only those reasons are shown that no profile could change. */
function withoutProfile(context: OrderContext, choice: ProfileChoice): OrderDecision {
  const exchange = readExchange(context);
  const totals = readTotals(context, { discountsIncluded: false });
  const party = partyOf(clientOf(context));
  return held(
    context,
    [
      ...choice.reasons,
      ...tagReasons(context),
      ...totals.reasons,
      ...shopFactReasons(context),
      ...exchange.reasons,
      ...(party.ok ? [] : [party.error]),
      ...futureReasons(context),
    ],
    { exchange, warnings: totals.warnings },
  );
}

/** The ladder after its gates: the invoice as far as known, and all reasons against it. */
function assess(context: OrderContext, sale: Sale): Assessment {
  const party = partyOf(clientOf(context));
  const identifier = identifierOf(clientOf(context));
  const sold = readSoldOrder(context, sale, identifier);
  const exchange = readExchange(context);
  const net = netEvents(context, sold, referenceOf(context.facts));
  const groups = netGroups(net.balances, exchange);
  const isKnown = sold.reasons.length === 0 && exchange.isKnown;
  const document = documented(context, { sale, party, groups, isKnown });
  const reasons = [
    ...tagReasons(context),
    ...sold.reasons,
    ...shopFactReasons(context),
    ...(isKnown ? groupTaxReasons(groups) : []),
    ...exchange.reasons,
    ...document.reasons,
    ...approvalReasons(context, sale),
    ...futureReasons(context),
    ...tooManyGroups(groups),
    ...net.reasons,
  ];
  const { balances, acted } = net;
  return { context, sale, sold, exchange, balances, acted, groups, document, reasons };
}

interface Documented {
  readonly kind?: Parameters<typeof draftFirstInvoice>[0]["kind"];
  readonly reasons: readonly Reason[];
}

interface Documentable {
  readonly sale: Sale;
  readonly party: ReturnType<typeof partyOf>;
  readonly groups: readonly TaxGroup[];
  /** True if the total can be compared with the limits. */
  readonly isKnown: boolean;
}

function documented(context: OrderContext, { sale, party, groups, isKnown }: Documentable): Documented {
  if (!party.ok) return { reasons: [party.error] };
  if (!isKnown || groups.length === 0) return { reasons: [] };
  const chosen = chooseDocument({
    party: party.value,
    client: clientOf(context),
    groups,
    totalEur: totalInEur(groups),
    sales: sale.sales,
    authorisation: context.issuer.authorisation,
  });
  return chosen.ok ? { kind: chosen.value, reasons: [] } : { reasons: [chosen.error] };
}

function approvalReasons({ answers }: OrderContext, { declaredBy, sales }: Sale): Reason[] {
  if (sales.issuingMode !== "review" || answers.approved) return [];
  return [because("manual_issuing", declaredBy)];
}

function tooManyGroups(groups: readonly TaxGroup[]): Reason[] {
  if (groups.length <= LIMITS.breakdownLines) return [];
  return [because("too_many_tax_groups", { count: { amount: String(groups.length) } })];
}

interface Assessment {
  readonly context: OrderContext;
  readonly sale: Sale;
  readonly sold: SoldOrder;
  readonly exchange: ExchangeReading;
  readonly balances: readonly Balance[];
  readonly acted: readonly ActedEvent[];
  readonly groups: readonly TaxGroup[];
  readonly document: Documented;
  readonly reasons: readonly Reason[];
}

/** Everything is known: held, nothing to invoice, or the invoice. */
function conclude(assessment: Assessment): OrderDecision {
  const { context, sale, sold, exchange, balances, acted, groups, document, reasons } = assessment;
  const owed = { payments: sold.payments, balances };
  const isOwed = sold.reasons.length === 0 && sold.groups.length > 0;
  const warnings = [...sold.warnings, ...(isOwed ? collectedWarnings(context.facts, owed) : [])];
  if (reasons.length > 0) return held(context, reasons, { exchange, warnings });
  if (sold.groups.length === 0) {
    const code = sold.hasVouchersOnly ? "nothing_to_invoice" : "zero_total";
    return settled(context, "stored", [because(code)]);
  }
  if (!balances.some(isLeft) || !document.kind) {
    return settled(context, "cancelled", [because("cancelled_before_invoice")]);
  }
  const collected = collectedInPart(context.facts, owed);
  const trade = tradeOf(context, { isInPart: collected !== undefined });
  const { kind } = document;
  const parts = { context, sale, sold, balances, groups, exchange, kind, trade: trade.details };
  const draft = draftFirstInvoice(parts);
  if (!draft.ok) return held(context, [draft.error], { exchange, warnings });
  const unfit = kind.identifier ? unfitOfClient(clientOf(context), kind.recipient ?? {}) : [];
  const dueDate = dueDateOf(operationDateOf(context), kind.identifier !== undefined);
  const { tax, surcharge } = sumAmounts(groups.map(({ amounts }) => amounts));
  return {
    state: "invoiced",
    reasons: [],
    warnings: [
      ...lateWarnings(dueDate, context.today),
      ...taxWarnings(context.facts, add(tax, surcharge)),
      ...warnings,
      ...ignoredWarnings([...trade.unfit, ...unfit]),
    ],
    effects: [
      {
        effect: "issue",
        origin: { of: "order", ...generationIn(context.history) },
        stem: sale.stem,
        draft: draft.value,
        ...(collected ? { collected } : {}),
        acted,
        soldFingerprint: soldFingerprintOf(context.facts, context.history.generation),
      },
    ],
    handled: [],
    dueDate,
    redecide: false,
  };
}

interface Read {
  readonly exchange: ExchangeReading;
  readonly warnings: readonly OrderWarning[];
}

function held(
  context: OrderContext,
  reasons: readonly Reason[],
  { exchange, warnings }: Read,
): OrderDecision {
  return {
    ...settled(context, "held", inLadderOrder(reasons)),
    warnings: [...taxWarnings(context.facts, undefined), ...warnings],
    ...(exchange.waitsForRate ? { waitsForRate: exchange.waitsForRate } : {}),
  };
}

/** A state without effects. A returned order that is not invoiced keeps its earlier state. */
function settled(context: OrderContext, found: OrderState, reasons: readonly Reason[]): OrderDecision {
  const isLeft = isReissue(context) && found !== "held" && found !== "deferred";
  const state = isLeft ? "rectified" : found;
  return {
    state,
    reasons,
    warnings: previousSystemWarnings(context, state),
    effects: [],
    handled: [],
    dueDate: dueDateOf(operationDateOf(context), hasIdentifier(context)),
    redecide: false,
  };
}

/** An invoice of another system is corrected in that system. */
function previousSystemWarnings({ facts, settings }: OrderContext, state: OrderState): OrderWarning[] {
  const isCorrected = facts.events.some(({ type }) => type !== "unknown");
  if (state !== "before_cutoff" || !isCorrected) return [];
  return [{ code: "rectify_in_previous_system", facts: { cutoff_date: { date: settings.cutoffDate } } }];
}

function hasIdentifier(context: OrderContext): boolean {
  return (clientOf(context).vatNumber ?? "").trim() !== "";
}

/** Tags only describe; the rules that the owner confirmed act. */
function ignoredByTag(context: OrderContext): Reason | undefined {
  const [tag] = tagsWith(context, "ignore");
  return tag === undefined ? undefined : because("tag_ignored", { tag });
}

function tagReasons(context: OrderContext): Reason[] {
  if (context.answers.approved) return [];
  return tagsWith(context, "hold").map((tag) => because("tag_hold", { tag }, tag));
}

function tagsWith({ facts, settings }: OrderContext, action: TagRule["action"]): string[] {
  const ruled = new Set(
    settings.tagRules.filter((rule) => rule.action === action).map((rule) => comparableTag(rule.tag)),
  );
  return facts.tags.filter((tag) => ruled.has(comparableTag(tag)));
}

/** The limit for the tags in orders. */
const TAG_LENGTH = 255;

/** One rule per tag, in its normalized form; a later rule replaces the earlier. */
export function setTagRule(
  rules: readonly TagRule[],
  { tag: stated, action }: TagRule,
): Result<readonly TagRule[], DeclarationRefusal> {
  const tag = comparableTag(stated);
  const isTag = isPlainText(tag) && hasInk(tag) && [...tag].length <= TAG_LENGTH;
  if (!isTag) return refuse("tag_invalid", {}, "tag");
  const isRuled = rules.some((rule) => comparableTag(rule.tag) === tag);
  if (!isRuled) return ok([...rules, { tag, action }]);
  return ok(rules.map((rule) => (comparableTag(rule.tag) === tag ? { tag, action } : rule)));
}

/** Without a rule there is nothing to remove, and nothing to refuse. */
export function removeTagRule(rules: readonly TagRule[], tag: string): readonly TagRule[] {
  return rules.filter((rule) => comparableTag(rule.tag) !== comparableTag(tag));
}

/** The difference of CuotaRepercutida from rate times base at which the AEAT rejects the record (1142). */
const AEAT_TOLERANCE = decimal("10");
const PER_CENT = decimal("0.01");

/** Each line may be right by its own rounding, and thousands of them together too far off. In euros. */
function groupTaxReasons(groups: readonly TaxGroup[]): Reason[] {
  const wrong = groups.find(
    ({ qualification, rate, eur }) =>
      qualification === "S1" &&
      compare(absolute(subtract(multiply(multiply(eur.base, rate), PER_CENT), eur.tax)), AEAT_TOLERANCE) > 0,
  );
  if (!wrong) return [];
  const { rate, surchargeRate = ZERO, eur } = wrong;
  const whole = add(rate, surchargeRate);
  return [
    because("tax_mismatch", {
      line: { phrase: "all_at_rate", rate: { percent: whole } },
      rate: { percent: whole },
      base: amountOf(eur.base, "EUR"),
      expected: amountOf(percentOf(eur.base, whole, 2), "EUR"),
      tax: amountOf(add(eur.tax, eur.surcharge), "EUR"),
    }),
  ];
}

/** The first invoice of an order as far as known, with the figures of the decision. */
export interface Outlook {
  readonly declaredBy: Sale["declaredBy"];
  readonly stem: string;
  /** Undefined while it is open which document the customer gets. */
  readonly kind?: { readonly invoiceType: InvoiceType; readonly regime: DocumentaryRegime };
  readonly currency: string;
  readonly operationDate: CivilDate;
  /** Empty while something of the amounts is open. */
  readonly groups: readonly TaxGroup[];
  /** The state of the tax of a one-stop-shop sale. */
  readonly consumedIn?: string;
  /** Undefined while the exchange rate is missing. */
  readonly totalEur?: Decimal;
  readonly discounts: readonly SpreadDiscount[];
  readonly payments: readonly Payment[];
}

/** All discounts together, as they fall on one rate. */
interface SpreadDiscount {
  readonly rate: Decimal;
  /** Tax included. */
  readonly taken: Decimal;
}

/** Undefined for an order that no profile takes: nothing of it could be numbered. */
export function outlookOf(given: OrderContext): Outlook | undefined {
  const context = withEnteredRates(given);
  const { sale } = chooseProfile(context);
  if (!sale) return undefined;
  const { sold, groups, exchange, document } = assess(context, sale);
  const { kind } = document;
  const isOpen = sold.reasons.length > 0;
  const consumedIn = groups.some(isOss) ? ossStateOf(context) : undefined;
  return {
    declaredBy: sale.declaredBy,
    stem: sale.stem,
    ...(kind ? { kind: { invoiceType: kind.invoiceType, regime: kind.regime } } : {}),
    currency: context.facts.currency,
    operationDate: operationDateOf(context),
    groups: isOpen ? [] : groups,
    ...(consumedIn === undefined ? {} : { consumedIn }),
    ...(isOpen || !exchange.isKnown ? {} : { totalEur: totalInEur(groups) }),
    discounts: isOpen ? [] : spreadOf(sold.groups),
    payments: isOpen ? [] : sold.payments,
  };
}

function spreadOf(groups: ReturnType<typeof assess>["sold"]["groups"]): SpreadDiscount[] {
  return groups.flatMap(({ key, taken }) => (isZero(taken) ? [] : [{ rate: key.rate, taken }]));
}
