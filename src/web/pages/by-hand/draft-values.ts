import type { Language } from "../../app/language.ts";
import { typedAmount } from "../invoices/typed-amount.ts";
import type { Content, ReadContent } from "./draft-queries.ts";

/** The draft as the form has it: numbers as a reader of the language types them. */
export type Typed = Content;
export type TypedLine = Content["lines"][number];

const PLAIN = /^-?\d+(\.\d+)?$/;

/** A number of the API in the reader's language; what is no number stays as it was typed. */
function shownNumber(text: string, language: Language): string {
  return language === "es" && PLAIN.test(text) ? text.replace(".", ",") : text;
}

function plainNumber(typed: string, language: Language): string {
  return typedAmount(typed.replace("%", ""), language);
}

export function typedOf(content: ReadContent, language: Language): Typed {
  return withNumbers(content, (text) => shownNumber(text, language));
}

export function contentOf(typed: Typed, language: Language): Content {
  return withNumbers(typed, (text) => plainNumber(text, language));
}

function withNumbers(content: ReadContent, read: (text: string) => string): Content {
  return {
    ...content,
    exchange_rate: read(content.exchange_rate),
    lines: content.lines.map((line) => ({
      ...line,
      quantity: read(line.quantity),
      price_unit: read(line.price_unit),
      discount_rate: read(line.discount_rate),
      taxable_margin: read(line.taxable_margin),
    })),
  };
}

/** A new line has the tax of the line before it. */
export function nextLine(lines: readonly TypedLine[], blank: TypedLine): TypedLine {
  const { qualification, tax_rate, equivalence_surcharge_rate, regime } = lines.at(-1) ?? blank;
  return { ...blank, qualification, tax_rate, equivalence_surcharge_rate, regime };
}

const CENTS = 2;

/** Quantity by price less discount, to the cent; undefined until all of them are numbers. */
export function lineAmount(line: TypedLine, language: Language): string | undefined {
  const parts = [line.quantity, line.price_unit, line.discount_rate || "0"].map((typed) =>
    exactIn(plainNumber(typed, language)),
  );
  const [quantity, price, discount] = parts;
  if (!quantity || !price || !discount) return undefined;
  const left = { units: 100n * 10n ** BigInt(discount.digits) - discount.units, digits: discount.digits + 2 };
  const digits = quantity.digits + price.digits + left.digits;
  return rounded(quantity.units * price.units * left.units, digits);
}

interface Exact {
  readonly units: bigint;
  readonly digits: number;
}

function exactIn(text: string): Exact | undefined {
  if (!PLAIN.test(text)) return undefined;
  const [whole = "0", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), digits: fraction.length };
}

/** Half away from zero, as the invoice rounds its lines. */
function rounded(units: bigint, digits: number): string {
  const size = units < 0n ? -units : units;
  const scale = 10n ** BigInt(Math.max(digits - CENTS, 0));
  const cents = (size * 10n ** BigInt(Math.max(CENTS - digits, 0)) * 2n + scale) / (2n * scale);
  const text = String(cents).padStart(CENTS + 1, "0");
  return `${units < 0n ? "-" : ""}${text.slice(0, -CENTS)}.${text.slice(-CENTS)}`;
}
