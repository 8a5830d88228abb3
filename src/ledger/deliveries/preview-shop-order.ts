import type { ShopWork } from "../../db/shops/work-store.ts";
import { Unavailable } from "../../db/store-calls.ts";
import { instantIn, type SentOrder } from "../../domain/order/sent-order.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { present } from "../../domain/shared/present.ts";
import { assertNever, invariant } from "../../domain/shared/result.ts";
import { type BackfillOutlook, NO_OUTLOOK, type OutlookInvoice } from "../../domain/shop/backfill.ts";
import type { ShopDocuments } from "../../domain/shop/documents.ts";
import type { MappedOrder } from "../../domain/shop/mapped.ts";
import type { Previewed } from "../../work/shops/shop-orders.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import { admitted } from "../core/settle.ts";
import type { OrderInvoice, OrderView } from "../orders/order-outcomes.ts";
import type { ShopDeps } from "./shop-deps.ts";
import { mapShopOrder } from "./submit-shop-order.ts";

const REQUEST_ID = "backfill";

/**
 * What an order of the shop would become, by the decision's own preview. Callers go first, and its turn of
 * the queue writes nothing. Throws `Unavailable` where nothing can be decided now.
 */
export async function previewShopOrder(
  documents: ShopDocuments,
  { shop, tables }: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<Previewed> {
  const { platform } = shop;
  const native = { mappers: shops.mappers, platform, documents, isDeleted: false, shop, tables };
  const mapped = mapShopOrder(native);
  if (!mapped.order) {
    return { would: "unreadable", outlook: { ...NO_OUTLOOK, missing: mapped.missing } };
  }
  const submission = { sent: mapped.order, asSent: "", preview: true };
  const item = { kind: "submit", submission, requestId: REQUEST_ID } as const;
  const reply = await core.settleUnawaitedOrder(admitted(item), sizeOf(mapped.order));
  if (!("kind" in reply)) throw new Unavailable("not_decided");
  invariant(reply.kind === "submit", "an instruction has an outcome of its own kind");
  const { outcome } = reply;
  switch (outcome.outcome) {
    case "taken":
      if (!outcome.created) return { would: "known" };
      return { would: outcome.order.state, outlook: outlookOf(outcome.order, mapped.order, mapped, core) };
    case "refused": {
      const isErased = outcome.refusal.code === "order_erased";
      const refused = { ...NO_OUTLOOK, failure: outcome.refusal.code };
      return isErased ? { would: "erased", outlook: NO_OUTLOOK } : { would: "unreadable", outlook: refused };
    }
    case "unauthorized":
    case "rate_limited":
    case "unavailable":
    case "failed":
      throw new Unavailable("not_decided");
    default:
      return assertNever(outcome);
  }
}

function outlookOf(
  view: OrderView,
  sent: SentOrder,
  { missing }: MappedOrder,
  core: LedgerCore,
): BackfillOutlook {
  return present({
    reference: sent.reference,
    orderedAt: orderedAt(sent, core),
    status: sent.status,
    total: String(sent.total),
    currency: sent.currency,
    reasons: view.reasons.map(({ code }) => code),
    warnings: view.warnings.map(({ code }) => code),
    missing,
    invoices: view.invoices.map(invoiceOf),
  });
}

function orderedAt({ orderDate, paidAt }: SentOrder, { cache }: LedgerCore): Instant | undefined {
  if (orderDate === undefined) return paidAt;
  return instantIn(orderDate, cache.books?.settings.timeZone ?? "Europe/Madrid");
}

function invoiceOf({ kind, invoiceType, series, issueDate, totals, currency }: OrderInvoice): OutlookInvoice {
  return { kind, invoiceType, series, issueDate, total: String(totals.total), currency };
}
