import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { JsonNumber } from "../shared/exact-json.ts";
import type { IssueDraft } from "./decide-issue.ts";
import type { Qualification } from "./request.ts";

/** The kinds of invoices that a person chooses from; each says type, documentary regime and flag. */
export const DRAFT_KINDS = ["full", "simplified", "qualified", "no_recipient"] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];

/** Values are text as they were typed; an empty one means none. */
export interface DraftLine {
  readonly description: string;
  readonly quantity: string;
  readonly price_unit: string;
  readonly discount_rate: string;
  readonly qualification: Qualification;
  /** Of S1; every other qualification has none. */
  readonly tax_rate: string;
  readonly equivalence_surcharge_rate: string;
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

/** The draft with the id that makes a repeated issue a replay. */
export function draftExternalId(draftId: string): string {
  return `console:${draftId}`;
}

const KINDS: Readonly<Record<DraftKind, object>> = {
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

/** Exemptions of exports, which the AEAT takes under this regime alone. */
const EXPORTS: readonly Qualification[] = ["E2", "E3"];
const REGIME_OF_EXPORTS = "02";

/**
 * The draft as the body of `POST /api/v1/invoice`, unchecked. Numbers keep their digits; a text that is no
 * number stays a text, which the contract then refuses at its place.
 */
export function requestBody(draftId: string, draft: DraftContent): object {
  const { country, ...recipient } = filledIn(draft.recipient);
  const isNamed = Object.keys(recipient).length > 0;
  const payment = filledIn(draft.payment);
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
    lines: draft.lines.map(lineBody),
  };
}

function lineBody({ quantity, qualification, ...line }: DraftLine): object {
  const isTaxed = qualification === "S1";
  return filledIn({
    description: line.description,
    quantity: numberIn(quantity),
    price_unit: numberIn(line.price_unit),
    discount_rate: numberIn(line.discount_rate),
    qualification,
    tax_rate: isTaxed ? numberIn(line.tax_rate) : new JsonNumber("0"),
    equivalence_surcharge_rate: isTaxed ? numberIn(line.equivalence_surcharge_rate) : "",
    regime: EXPORTS.includes(qualification) ? REGIME_OF_EXPORTS : "",
  });
}

const LONGEST_DESCRIPTION = 500;

/** The general description: the person's own, else what the lines say. */
function described({ description, lines }: DraftContent): string | undefined {
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
