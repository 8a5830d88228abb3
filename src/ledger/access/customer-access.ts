import type { AccessOutcome, AccessRequest, Viewing, ViewingOutcome } from "../../db/access/viewer-ports.ts";
import type { AdmissionFacts } from "../../db/ledger-state.ts";
import type { OrdersRead } from "../../db/order-state.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { admitFrame } from "../../domain/viewer/access.ts";
import { originOfStore } from "../../domain/viewer/origin.ts";
import { orderDocuments } from "./order-documents.ts";

export interface AccessReading {
  readonly admission: AdmissionFacts;
  readonly found: OrdersRead;
}

/** What comes of a connector's wish to show an order; whoever may not ask was sent away before. */
export function decideAccess(asked: AccessRequest, { admission, found }: AccessReading): AccessOutcome {
  const { registered, stores, storeOrigins } = found.shopfront;
  const isBeingRefused = (url: string) => admission.refusedOrigins.includes(originOfStore(url) ?? "");
  const frame = admitFrame(asked, {
    registered: registered.filter((origin) => !admission.leavingOrigins.includes(origin)),
    storeUrls: stores.flatMap(({ url }) => (url === undefined || isBeingRefused(url) ? [] : [url])),
    storeOrigins,
  });
  if (!frame.ok) return { outcome: "refused", refusal: frame.error };
  const order = found.orders.find(({ idExternal }) => idExternal === asked.idExternal);
  if (!order) {
    const unknown = refuse("order_not_found", { order_id: asked.idExternal });
    return { outcome: "refused", refusal: unknown.error };
  }
  const documents = orderDocuments(order, found);
  if (!documents) return { outcome: "not_available" };
  return { outcome: "available", epoch: admission.access.epoch, framing: frame.value, documents };
}

/** Of a reading that brought the order along. */
export function viewingOf(viewing: Viewing, found: OrdersRead): ViewingOutcome {
  const order = found.orders.find(({ idExternal }) => idExternal === viewing.idExternal);
  const documents = order && orderDocuments(order, found);
  return documents ? { outcome: "open", documents } : { outcome: "closed" };
}
