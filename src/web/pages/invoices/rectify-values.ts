import type { api } from "../../api/client.ts";
import { currentLanguage } from "../../app/language.ts";
import { amount } from "../../words/format.ts";
import type { Say } from "../../words/words.tsx";
import type { InvoiceDetail } from "./invoice-queries.ts";
import { NOBODY, type RightRecipient, recipientBody } from "./right-recipient.tsx";
import { typedAmount } from "./typed-amount.ts";

export type Offered = NonNullable<InvoiceDetail["rectify"]>;
type Group = Offered["groups"][number];
type RectifyingType = Offered["types"][number];
type Named = NonNullable<Offered["recipient"]>;
type Method = "difference" | "substitution";

export interface RectifyValues {
  method: Method;
  invoice_type: RectifyingType;
  cause: string;
  /** By the index of the group: its key contains dots, which the form library reads as a path. */
  amounts: string[];
  /** Margin scheme: the margin per group; an empty text derives it from the price. */
  margins: string[];
  /** The recipient, if it differs from the current customer. */
  recipient: RightRecipient | undefined;
}

export type Body = Omit<
  Parameters<
    (typeof api.accounts)[":account"]["invoices"][":invoice"]["rectifications"]["groups"]["$post"]
  >[0]["json"],
  "deed"
>;

/** If the number is foreign, only a new invoice for the same sale is possible. */
export function valuesOf(
  { duplicate }: InvoiceDetail,
  { types, groups }: Offered,
  recipient: RightRecipient | undefined,
): RectifyValues {
  const method = duplicate === "foreign" || recipient ? "substitution" : "difference";
  // Article 80 has no case for a wrong recipient.
  const type = recipient && types.includes("R4") ? "R4" : types[0];
  return { method, invoice_type: type ?? "R1", cause: "", ...amountsFor(method, groups), recipient };
}

/** A substitution starts with the full amounts to correct; a difference starts empty. */
export function amountsFor(
  method: Method,
  groups: readonly Group[],
): Pick<RectifyValues, "amounts" | "margins"> {
  return method === "substitution"
    ? wholeOf(groups)
    : { amounts: groups.map(nothing), margins: groups.map(nothing) };
}

export function wholeOf(groups: readonly Group[]): Pick<RectifyValues, "amounts" | "margins"> {
  return {
    amounts: groups.map(({ remaining }) => written(remaining)),
    margins: groups.map(({ margin }) => (margin === undefined ? "" : written(margin))),
  };
}

function nothing(): string {
  return "";
}

/** A difference keeps the customer; only name and address may be corrected. */
export function beginning(method: Method, { id_type, ...named }: Named): RightRecipient {
  return method === "difference" ? { ...named, id_type: id_type ?? null } : NOBODY;
}

function written(exact: string): string {
  return amount(exact).replace("−", "-");
}

export function bodyOf({ recipient, ...values }: RectifyValues, { groups }: Offered): Body {
  const { method, invoice_type, cause, amounts, margins } = values;
  const stated = groups.map(({ key }, index) => {
    const [amount = "", margin = ""] = [amounts[index], margins[index]];
    return { group: key, amount: exact(amount), ...(margin.trim() === "" ? {} : { margin: exact(margin) }) };
  });
  return {
    ...{ method, invoice_type, cause, amounts: stated },
    ...(recipient ? { recipient: recipientBody(recipient) } : {}),
  };
}

function exact(typed: string): string {
  return typed.trim() === "" ? "0" : typedAmount(typed, currentLanguage());
}

export function problemsIn(
  { method, cause, amounts, margins }: RectifyValues,
  say: Say,
): Record<string, string> {
  const wrong = Object.entries({ amounts, margins }).flatMap(([name, typed]) =>
    typed.flatMap((text, index) => (isAmount(text) ? [] : [[`${name}.${index}`, say("form.amount")]])),
  );
  const isNothing = method === "difference" && amounts.every((typed) => Number(exact(typed)) === 0);
  return {
    ...(isNothing ? { "amounts.0": say("rectify.amount.missing") } : {}),
    ...Object.fromEntries(wrong),
    ...(cause.trim() === "" ? { cause: say("rectify.cause.missing") } : {}),
  };
}

function isAmount(typed: string): boolean {
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(exact(typed));
}

/** `amounts.01|01|S1|21|` of the API is the field of that group; `amounts` is of all of them. */
export function fieldOf(path: string, { groups }: Offered): string {
  if (!path.startsWith("amounts.")) return path;
  const name = path.endsWith(".margin") ? "margins" : "amounts";
  const place = /^amounts\.(\d+)\.(amount|margin)$/.exec(path)?.[1];
  const index = place
    ? Number(place)
    : groups.findIndex(({ key }) => [`amounts.${key}`, `amounts.${key}.margin`].includes(path));
  return index < 0 ? "amounts" : `${name}.${index}`;
}
