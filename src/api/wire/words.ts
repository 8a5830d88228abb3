import { AMOUNT_KINDS, EVENT_TYPES, LINE_KINDS } from "../../domain/order/normalize-order.ts";
import { freeText } from "./order-values.ts";

/** Words known to this version, by the name of their list; the contract defines how others are read. */
export const WORDS = {
  FiscalEvent: ["none", "invoice_candidate", "cancelled", "full_invoice_requested"],
  InvoiceAction: ["none", "create_invoice"],
  LineKind: LINE_KINDS,
  AmountKind: AMOUNT_KINDS,
  EventType: EVENT_TYPES,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WordList = keyof typeof WORDS;

/** A word of a list that may grow. The document names the list and also allows any other text. */
export function wordOf(wordList: WordList) {
  return freeText(255).meta({ wordList });
}
