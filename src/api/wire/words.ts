import { AMOUNT_KINDS, EVENT_TYPES, LINE_KINDS } from "../../domain/order/normalize-order.ts";
import { freeText } from "./order-values.ts";

/** Words that this version knows, by the name of their list; others are read as the contract says. */
export const WORDS = {
  FiscalEvent: ["none", "invoice_candidate", "cancelled", "full_invoice_requested"],
  InvoiceAction: ["none", "create_invoice"],
  LineKind: LINE_KINDS,
  AmountKind: AMOUNT_KINDS,
  EventType: EVENT_TYPES,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WordList = keyof typeof WORDS;

/** A word of a list that may grow. The document names the list and allows any other text beside it. */
export function wordOf(wordList: WordList) {
  return freeText(255).meta({ wordList });
}
