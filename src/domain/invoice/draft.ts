import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { JsonNumber } from "../shared/exact-json.ts";
import type { IssueDraft } from "./decide-issue.ts";
import {
  type DocumentaryFlag,
  type DocumentaryRegime,
  defaultRegime,
  type InvoiceRequest,
  type InvoiceType,
  type Qualification,
} from "./request.ts";

/** The kinds of invoices that a person chooses from; each says type, documentary regime and flag. */
export const DRAFT_KINDS = ["full", "simplified", "qualified", "no_recipient"] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];

/**
 * The special regimes of a line (ClaveRegimen): the margin of used goods and of travel agencies, and the
 * one stop shop. Empty: the company's own, or what an export demands.
 */
export const DRAFT_REGIMES = ["", "03", "05", "17"] as const;
export type DraftRegime = (typeof DRAFT_REGIMES)[number];

/** Values are text as they were typed; an empty one means none. */
export interface DraftLine {
  readonly description: string;
  readonly quantity: string;
  readonly price_unit: string;
  readonly discount_rate: string;
  readonly qualification: Qualification;
  /** Of S1 and of the one stop shop; every other line has none. */
  readonly tax_rate: string;
  readonly equivalence_surcharge_rate: string;
  readonly regime: DraftRegime;
  /** Of a line of the margin scheme: for all its pieces, tax included. */
  readonly taxable_margin: string;
}

/** An invoice that a person is writing. Its members have the names and places of the contract's request. */
export interface DraftContent {
  readonly kind: DraftKind;
  readonly recipient: {
    readonly company: string;
    readonly vat_number: string;
    readonly id_type: string;
    readonly country: string;
    readonly address1: string;
    readonly postcode: string;
    readonly city: string;
    readonly email: string;
  };
  /** The state where a sale of the one stop shop is consumed. */
  readonly delivery: { readonly country: string };
  readonly operation_date: string;
  readonly prices_include_tax: boolean;
  readonly currency: string;
  readonly exchange_rate: string;
  readonly exchange_rate_date: string;
  readonly lines: readonly DraftLine[];
  readonly withholding: { readonly rate: string };
  readonly due_date: string;
  readonly payment: { readonly means: string; readonly iban: string };
  /** Empty: the descriptions of the lines. */
  readonly description: string;
}

type EarlierLine = Omit<DraftLine, "regime" | "taxable_margin"> & Partial<DraftLine>;

/** As it is stored: drafts of earlier versions lack the members of special regimes. */
export interface StoredContent extends Omit<DraftContent, "delivery" | "lines"> {
  readonly delivery?: DraftContent["delivery"];
  readonly lines: readonly EarlierLine[];
}

export function contentFrom(stored: StoredContent): DraftContent {
  const lines = stored.lines.map((line) => ({ ...line, ...specialOf(line) }));
  return { ...stored, delivery: stored.delivery ?? { country: "" }, lines };
}

function specialOf({
  regime = "",
  taxable_margin = "",
}: EarlierLine): Pick<DraftLine, "regime" | "taxable_margin"> {
  return { regime, taxable_margin };
}

/** The draft with the id that makes a repeated issue a replay. */
export function draftExternalId(draftId: string): string {
  return `console:${draftId}`;
}

interface KindMembers {
  readonly invoice_type: InvoiceType;
  readonly documentary_regime?: DocumentaryRegime;
  readonly documentary_flags?: readonly DocumentaryFlag[];
}

const KINDS: Readonly<Record<DraftKind, KindMembers>> = {
  full: { invoice_type: "F1" },
  simplified: { invoice_type: "F2" },
  qualified: {
    invoice_type: "F1",
    documentary_regime: "art7_simplified",
    documentary_flags: ["qualified_simplified_art_7_2_3"],
  },
  no_recipient: {
    invoice_type: "F2",
    documentary_regime: "art6_full",
    documentary_flags: ["no_recipient_article_6_1_d"],
  },
};

/** The kind that has such a type, regime and flags; undefined for what no kind is. */
export function kindOf({
  invoiceType,
  regime,
  flags,
}: Pick<InvoiceRequest, "invoiceType" | "regime" | "flags">): DraftKind | undefined {
  return DRAFT_KINDS.find((kind) => {
    const { invoice_type, documentary_regime, documentary_flags = [] } = KINDS[kind];
    const isSame =
      invoice_type === invoiceType && (documentary_regime ?? defaultRegime(invoice_type)) === regime;
    return isSame && documentary_flags.join() === flags.join();
  });
}

/** Exemptions of exports, which the AEAT takes under this regime alone. */
const EXPORTS: readonly Qualification[] = ["E2", "E3"];
const REGIME_OF_EXPORTS = "02";
export const ONE_STOP_SHOP = "17" satisfies DraftRegime;
export const MARGIN_SCHEMES: readonly string[] = ["03", "05"] satisfies readonly DraftRegime[];

/** The regime that a line states in its request; empty where the company's own applies. */
export function regimeOf({ regime, qualification }: Pick<DraftLine, "regime" | "qualification">): string {
  return regime === "" && EXPORTS.includes(qualification) ? REGIME_OF_EXPORTS : regime;
}

/**
 * The draft as the body of `POST /api/v1/invoice`, unchecked. Numbers keep their digits; a text that is no
 * number stays a text, which the contract then refuses at its place.
 */
export function requestBody(draftId: string, draft: DraftContent): object {
  const { country, ...recipient } = filledIn(draft.recipient);
  const isNamed = Object.keys(recipient).length > 0;
  const payment = filledIn(draft.payment);
  const isOss = draft.lines.some(({ regime }) => regime === ONE_STOP_SHOP);
  const delivery = isOss ? filledIn(draft.delivery) : {};
  return {
    external_id: draftExternalId(draftId),
    ...KINDS[draft.kind],
    description: described(draft),
    currency: draft.currency,
    prices_include_tax: draft.prices_include_tax,
    ...filledIn({ operation_date: draft.operation_date, due_date: draft.due_date }),
    ...filledIn({
      exchange_rate: numberIn(draft.exchange_rate),
      exchange_rate_date: draft.exchange_rate_date,
    }),
    ...(isNamed ? { recipient: { ...recipient, ...filledIn({ country }) } } : {}),
    ...(draft.withholding.rate === "" ? {} : { withholding: { rate: numberIn(draft.withholding.rate) } }),
    ...(Object.keys(payment).length > 0 ? { payment } : {}),
    ...(Object.keys(delivery).length > 0 ? { delivery } : {}),
    lines: draft.lines.map(lineBody),
  };
}

function lineBody({ quantity, qualification, ...line }: DraftLine): object {
  const isTaxed = qualification === "S1";
  const isOss = line.regime === ONE_STOP_SHOP;
  const isOfMargin = MARGIN_SCHEMES.includes(line.regime);
  return filledIn({
    description: line.description,
    quantity: numberIn(quantity),
    price_unit: numberIn(line.price_unit),
    discount_rate: numberIn(line.discount_rate),
    qualification,
    tax_rate: isTaxed || isOss ? numberIn(line.tax_rate) : new JsonNumber("0"),
    equivalence_surcharge_rate: isTaxed ? numberIn(line.equivalence_surcharge_rate) : "",
    // The one stop shop is of IVA, whatever the company's own tax is.
    type_tax: isOss ? "01" : "",
    regime: regimeOf({ regime: line.regime, qualification }),
    taxable_margin: isOfMargin ? numberIn(line.taxable_margin) : "",
  });
}

const LONGEST_DESCRIPTION = 500;

/** The general description: the person's own, else what the lines say. */
export function described({
  description,
  lines,
}: {
  readonly description: string;
  readonly lines: readonly Pick<DraftLine, "description">[];
}): string | undefined {
  if (description.trim() !== "") return description;
  const own = lines.map((line) => line.description.trim()).filter((text) => text !== "");
  return own.length === 0 ? undefined : [...own.join("; ")].slice(0, LONGEST_DESCRIPTION).join("").trim();
}

const NUMBER = /^-?\d{1,30}(\.\d{1,30})?$/;

function numberIn(typed: string): JsonNumber | string {
  const text = typed.trim();
  return NUMBER.test(text) ? new JsonNumber(text) : text;
}

type Filled<Members> = { readonly [Name in keyof Members]?: Members[Name] };

function filledIn<Members extends object>(members: Members): Filled<Members> {
  const entries = Object.entries(members).filter(
    ([, value]) => value !== undefined && !(typeof value === "string" && value.trim() === ""),
  );
  // `fromEntries` forgets the names of the members; only empty ones were left out.
  return Object.fromEntries(entries) as Filled<Members>;
}

/** A person confirms this number, and this total with tax in the invoice's currency. */
export interface SeenDraft {
  readonly number: string;
  readonly total: Decimal;
}

/** The invoice that a draft would come to now. */
export interface DraftPreview {
  readonly fullNumber: string;
  readonly issueDate: CivilDate;
  readonly draft: IssueDraft;
}
