import { civilDateFrom, yearOf } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { type Instant, localTime } from "../shared/instant.ts";
import type {
  CorrectionEvent,
  CorrectionLine,
  Discount,
  OrderFacts,
  OrderLine,
  TaxTotal,
  UnmappedTotal,
} from "./facts.ts";

type Concluded =
  | "orderedAt"
  | "paidAt"
  | "isPaid"
  | "isCandidate"
  | "isCancelled"
  | "asksFullInvoice"
  | "isTest"
  | "taxTotals"
  | "breakdown"
  | "discounts"
  | "unmappedTotals"
  | "events"
  | "contractVersion";

/**
 * An order of the right shape, its words as the connector wrote them. It is plain data, because the edge that
 * reads it does not know the issuer's zone.
 */
export interface SentOrder extends Omit<OrderFacts, Concluded> {
  /** At least one of the two is present. */
  readonly orderDate?: Moment;
  readonly paidAt?: Instant;
  readonly fiscalEvent?: string;
  readonly invoiceAction?: string;
  readonly test?: boolean;
  readonly sourceChannelEvidence?: string;
  readonly breakdown: readonly SentLine[];
  readonly discounts: readonly SentDiscount[];
  readonly unmappedTotals: readonly SentUnmappedTotal[];
  readonly taxTotals: readonly TaxTotal[];
  readonly events: readonly SentEvent[];
  readonly refunds: readonly SentRefund[];
  readonly contractVersion?: string;
}

/** Events of an order that its connection knows. */
export interface SentEvents
  extends Pick<SentOrder, "idExternal" | "events" | "refunds" | "updatedAt" | "contractVersion"> {}

export interface SentLine extends Omit<OrderLine, "kind" | "quantity"> {
  readonly kind?: string;
  readonly quantity?: Decimal;
}

export interface SentDiscount extends Omit<Discount, "kind" | "included"> {
  readonly kind?: string;
  readonly included?: boolean;
}

export interface SentUnmappedTotal extends Omit<UnmappedTotal, "kind"> {
  readonly kind?: string;
}

export interface SentEvent extends Omit<CorrectionEvent, "type"> {
  readonly type?: string;
}

/** Contract 1.2: amounts are positive. */
export interface SentRefund {
  readonly id: string;
  readonly date?: Moment;
  readonly amount: Decimal;
  readonly lines: readonly SentRefundLine[];
}

export interface SentRefundLine extends Pick<CorrectionLine, "productId" | "lineId" | "name" | "taxRate"> {
  readonly quantity?: Decimal;
  readonly base: Decimal;
  readonly tax: Decimal;
}

export const FIRST_CONTRACT_VERSION = "1.0";
/** The newest version with known fields; newer ones are accepted too. */
export const LATEST_CONTRACT_VERSION = "1.9";

/** A field that was read although the version that the order declares does not have it. */
export interface FieldBeyondContract {
  readonly code: "field_beyond_contract";
  readonly field: string;
  readonly since: string;
  readonly declared: string;
}

type Versioned = Omit<SentOrder, "idExternal" | "total" | "currency">;
type WasSent = (order: Versioned) => boolean;

/** A field that a version after the first one brought. */
interface ContractField {
  readonly since: string;
  readonly field: string;
}

/** Fields added after the first version. A connector without any sends an empty list. */
const FIELDS_BY_VERSION: readonly (readonly [since: string, field: string, wasSent: WasSent])[] = [
  ["1.2", "refunds", (order) => order.refunds.length > 0],
  ["1.3", "correction_events", (order) => order.events.length > 0],
  ["1.3", "source_channel", (order) => order.sourceChannel !== undefined],
  ["1.3", "source_channel_evidence", (order) => order.sourceChannelEvidence !== undefined],
  ["1.4", "tags", (order) => order.tags.length > 0],
  ["1.5", "paid_at", (order) => order.paidAt !== undefined],
  ["1.5", "unmapped_totals", (order) => order.unmappedTotals.length > 0],
  ["1.5", "breakdown[].line_kind", (order) => order.breakdown.some((line) => line.kind !== undefined)],
  ["1.8", "discounts[].kind", (order) => order.discounts.some(({ kind }) => kind !== undefined)],
  ["1.8", "unmapped_totals[].kind", (order) => order.unmappedTotals.some(({ kind }) => kind !== undefined)],
  ["1.9", "tax_totals", (order) => order.taxTotals.length > 0],
  ["1.9", "test", (order) => order.test !== undefined],
  ["1.9", "amount_paid", (order) => order.amountPaid !== undefined],
  ["1.9", "missing", (order) => (order.missing ?? []).length > 0],
  ["1.9", "due_date", ({ trade }) => trade?.dueDate !== undefined],
  ["1.9", "payment", ({ trade }) => trade?.payment !== undefined],
  ["1.9", "buyer_reference", ({ trade }) => trade?.buyerReference !== undefined],
  ["1.9", "order_reference", ({ trade }) => trade?.orderReference !== undefined],
  ["1.9", "contract_reference", ({ trade }) => trade?.contractReference !== undefined],
  ["1.9", "file_reference", ({ trade }) => trade?.fileReference !== undefined],
  ["1.9", "invoicing_period", ({ trade }) => trade?.invoicingPeriod !== undefined],
  ["1.9", "rectification_reason", ({ trade }) => trade?.rectificationReason !== undefined],
  // Shops have long been sending street and town of a delivery, which no version names.
  ["1.9", "delivery.date", ({ trade }) => trade?.delivery?.date !== undefined],
  ["1.9", "client.accepts_electronic", ({ client }) => client?.details?.acceptsElectronic !== undefined],
  ["1.9", "client.endpoint", ({ client }) => client?.details?.endpoint !== undefined],
  ["1.9", "client.province", ({ client }) => client?.details?.province !== undefined],
  ["1.9", "client.surname_1", ({ client }) => client?.details?.surname1 !== undefined],
  ["1.9", "client.surname_2", ({ client }) => client?.details?.surname2 !== undefined],
  [
    "1.9",
    "client.administrative_centres",
    ({ client }) => client?.details?.administrativeCentres !== undefined,
  ],
  ["1.9", "breakdown[].unit", ({ breakdown }) => breakdown.some(({ unit }) => unit !== undefined)],
  [
    "1.9",
    "breakdown[].item_code",
    ({ breakdown }) => breakdown.some(({ itemCode }) => itemCode !== undefined),
  ],
];

/** The versions as the published contract lists them. */
export const CONTRACT_FIELDS: readonly ContractField[] = FIELDS_BY_VERSION.map(([since, field]) => ({
  since,
  field,
}));

/** `1.5`, or `1`, which is how some languages print 1.0. */
export function contractVersionFrom(text: string): string | undefined {
  const [match, major, minor = "0"] = /^(\d{1,4})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  return match === undefined ? undefined : `${Number(major)}.${Number(minor)}`;
}

const NO_FIELDS: Versioned = {
  ...{ breakdown: [], discounts: [], unmappedTotals: [], taxTotals: [], events: [], refunds: [], tags: [] },
};

/** The same for events that come without their order; their path is of a version that has all events. */
export function eventFieldsBeyondContract(sent: SentEvents): FieldBeyondContract[] {
  return fieldsBeyondContract({ ...NO_FIELDS, contractVersion: LATEST_CONTRACT_VERSION, ...sent });
}

export function fieldsBeyondContract(order: Versioned): FieldBeyondContract[] {
  const declared = order.contractVersion ?? FIRST_CONTRACT_VERSION;
  return FIELDS_BY_VERSION.filter(([since, , wasSent]) => isNewer(since, declared) && wasSent(order)).map(
    ([since, field]) => ({ code: "field_beyond_contract", field, since, declared }),
  );
}

/** By number, not as text: 1.10 comes after 1.8. */
function isNewer(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split(".").map(Number);
  return major === otherMajor ? minor > otherMinor : major > otherMajor;
}

/**
 * A date and time as sent: with an offset it is an instant, without one only the issuer's zone makes it one.
 */
type Moment = { readonly instant: Instant } | { readonly local: string };

export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2099;

const DAY_MILLISECONDS = 86_400_000;
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?$/;
const OFFSET = /^[+-](?:[01]\d|2[0-3]):?[0-5]\d$/;
const MOMENT = /^(.{10})[Tt ](.{8}(?:\.\d+)?) ?(|[Zz]|[+-][\d:]{4,5})$/;
/** MySQL's zero date, PHP's reading of it, and the default of .NET and Go; a time may follow. */
export const NO_DATE_PATTERN = "^(0000-00-00|-0001-11-30|0001-01-01)(\\D[\\s\\S]*)?$";
const NO_DATE = new RegExp(NO_DATE_PATTERN);

/** Platforms write a date that they do not know in these ways. */
export function isNoDate(text: string): boolean {
  return NO_DATE.test(text.trim());
}

/** `YYYY-MM-DD hh:mm:ss`, with `T` or a space, with or without offset; undefined for anything else. */
export function momentFrom(text: string): Moment | undefined {
  const [, day = "", time = "", offset = ""] = MOMENT.exec(text) ?? [];
  const [, clock = "", fraction = ""] = TIME.exec(time) ?? [];
  if (clock === "" || !isDay(day)) return undefined;
  const local = `${day}T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  if (offset === "") return { local };
  if (offset.toUpperCase() === "Z") return { instant: Date.parse(`${local}Z`) };
  if (!OFFSET.test(offset)) return undefined;
  return { instant: Date.parse(`${local}${offset.slice(0, 3)}:${offset.slice(-2)}`) };
}

/** RFC 3339: an instant has an offset. */
export function instantFrom(text: string): Instant | undefined {
  const moment = momentFrom(text);
  return moment && "instant" in moment ? moment.instant : undefined;
}

/** A moment, or a day alone, which begins at midnight. */
export function dayOrMomentFrom(text: string): Moment | undefined {
  return isDay(text) ? { local: `${text}T00:00:00.000` } : momentFrom(text);
}

/**
 * In a skipped hour the time counts by the offset before the change; of a repeated hour the first counts, as
 * RFC 5545 says.
 */
export function instantIn(moment: Moment, zone: string): Instant {
  if ("instant" in moment) return moment.instant;
  const wall = Date.parse(`${moment.local}Z`);
  const before = wall - offsetAt(wall - DAY_MILLISECONDS, zone);
  const after = wall - offsetAt(wall + DAY_MILLISECONDS, zone);
  const isAfter = before + offsetAt(before, zone) !== wall && after + offsetAt(after, zone) === wall;
  return isAfter ? after : before;
}

function offsetAt(instant: Instant, zone: string): number {
  const wall = Date.parse(`${localTime(instant, zone).timestamp.slice(0, 19)}Z`);
  return wall - Math.floor(instant / 1000) * 1000;
}

function isDay(text: string): boolean {
  const day = civilDateFrom(text);
  return day !== undefined && yearOf(day) >= FIRST_YEAR && yearOf(day) <= LAST_YEAR;
}
