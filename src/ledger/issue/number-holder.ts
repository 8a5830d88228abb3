import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { NumberHolder } from "../../domain/invoice/cited-number.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";

/** Whose invoice of the account has a cited number: what this group has issued counts like what was read. */
export function holderOf(working: LedgerDraft, number: string): NumberHolder | undefined {
  const own = [...working.invoices.values()].find(({ view }) => view.fullNumber === number);
  if (own) return heldHere(own);
  const held = working.numbered.get(number);
  if (!held) return undefined;
  const order = held.isOfConnection ? orderIdOf(held.origin) : undefined;
  return order === undefined
    ? { kind: "connection", connection: held.connectionName }
    : { kind: "order", order };
}

function heldHere({ view, rectifiable }: StoredInvoice): NumberHolder {
  if (view.externalId !== "") return { kind: "direct", invoice: rectifiable };
  return { kind: "order", order: orderIdOf(view.origin) ?? "" };
}
