import type { Say, WordId } from "../../words/words.tsx";
import type { Listed } from "./queries.ts";

/** The name of an order for people: its reference for the customer, if the shop sends one. */
export function nameOf({
  reference,
  orderId,
}: Pick<Listed, "orderId"> & { readonly reference?: string | undefined }): string {
  return reference ?? orderId;
}

/** The order's store, after its connection if both have names. */
export function shopOf({
  store,
  connection,
}: Pick<Listed, "connection"> & { readonly store?: string | null | undefined }): string {
  return store ? `${store} (${connection})` : connection;
}

/** The word for a code of the API; undefined for a code newer than this page. */
export function wordOf<Prefix extends string>(
  prefix: Prefix,
  code: string,
  known: readonly string[],
): WordId | undefined {
  return known.includes(code) ? (`${prefix}.${code}` as WordId) : undefined;
}

const STATES = [
  ...["stored", "deferred", "before_cutoff", "store_not_selected", "held", "invoiced"],
  ...["partially_rectified", "rectified", "cancelled"],
] as const;

export const ORDER_STATES = STATES as readonly Listed["state"][];

export function stateWord(state: string, say: Say): string {
  const word = wordOf("order", state, STATES);
  return word ? say(word) : state;
}

const TYPES = ["F1", "F2", "F2.6_1_d", "F3", "R1", "R2", "R3", "R4", "R5"];

/** An F2 under article 6.1.d is full, though it names no recipient. */
export function invoiceTypeWord(invoiceType: string, say: Say, isUnnamed = false): string {
  const type = isUnnamed && invoiceType === "F2" ? "F2.6_1_d" : invoiceType;
  const word = wordOf("invoice_type", type, TYPES);
  return word ? say(word) : type;
}
