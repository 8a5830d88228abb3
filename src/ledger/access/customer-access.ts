import type { OrderDocuments } from "../../db/access/snapshot-store.ts";
import type { AdmissionFacts, StoredOrder } from "../../db/ledger-state.ts";
import type { ShopRefusal } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import {
  type AccessRefusal,
  admitFrame,
  type CustomerAccess,
  type FrameRequest,
  type Framing,
} from "../../domain/viewer/access.ts";
import { originOfStore } from "../../domain/viewer/origin.ts";
import type { OrderReading } from "../core/ledger-cache.ts";
import type { GateRefusal } from "../core/outcomes.ts";
import { documentsOf } from "../orders/decide-order.ts";
import { printedOrder } from "../orders/view-order.ts";

type FoundOrders = OrderReading["found"];

interface AccessReading {
  readonly admission: AdmissionFacts;
  readonly found: FoundOrders;
}

/** Decides if a connector may show an order to a customer. Admission has refused unknown callers before. */
export function decideAccess(request: AccessRequest, { admission, found }: AccessReading): AccessOutcome {
  const { registered, stores, storeOrigins } = found.shopfront;
  const isBeingRefused = (url: string) => admission.refusedOrigins.includes(originOfStore(url) ?? "");
  const frame = admitFrame(request, {
    registered: registered.filter((origin) => !admission.originsBeingRemoved.includes(origin)),
    storeUrls: stores.flatMap(({ url }) => (url === undefined || isBeingRefused(url) ? [] : [url])),
    storeOrigins,
  });
  if (!frame.ok) return { outcome: "refused", refusal: frame.error };
  const order = found.orders.find(({ idExternal }) => idExternal === request.idExternal);
  if (!order) {
    const unknown = refuse("order_not_found", { order_id: request.idExternal });
    return { outcome: "refused", refusal: unknown.error };
  }
  const documents = orderDocuments(order, found);
  if (!documents) return { outcome: "not_available" };
  return { outcome: "available", epoch: admission.access.epoch, framing: frame.value, documents };
}

/** The result of a read that loaded the order too. */
export function viewingOf(viewing: Viewing, found: FoundOrders): ViewingOutcome {
  const order = found.orders.find(({ idExternal }) => idExternal === viewing.idExternal);
  const documents = order && orderDocuments(order, found);
  return documents ? { outcome: "open", documents } : { outcome: "closed" };
}

/** The given orders that have a document to show. */
export type AvailabilityOutcome =
  | { readonly outcome: "found"; readonly available: readonly string[] }
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;

export interface AccessRequest extends FrameRequest {
  readonly idExternal: string;
}

type AccessRefused =
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal | AccessRefusal }
  | GateRefusal;

/** The result of checking if customers of the connection have access. */
export type AdmissionOutcome = { readonly outcome: "admitted" } | AccessRefused;

export type AccessOutcome =
  | {
      readonly outcome: "available";
      readonly epoch: number;
      readonly framing: Framing;
      readonly documents: OrderDocuments;
    }
  | { readonly outcome: "not_available" }
  | AccessRefused;

/** The request of a genuine token to the connection's object. */
export interface Viewing {
  readonly connectionId: string;
  readonly epoch: number;
  readonly idExternal: string;
  /** True if the documents are needed; otherwise they come only if they cost no round trip. */
  readonly withDocuments: boolean;
}

export type ViewingOutcome =
  | { readonly outcome: "open"; readonly documents?: OrderDocuments }
  /** Access was switched off since, or the order has nothing to show. */
  | { readonly outcome: "closed" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

/** True if a token of that epoch is still valid. Without a live key no token was issued. */
export function isViewable(
  admission: { readonly keyHashes: readonly string[]; readonly access: CustomerAccess },
  epoch: number,
): boolean {
  return admission.access.isOn && admission.access.epoch === epoch && admission.keyHashes.length > 0;
}

/** Undefined for an order without a document: nothing of it is shown. */
function orderDocuments(order: StoredOrder, read: FoundOrders): OrderDocuments | undefined {
  const byOrigin = new Map(read.invoices.map((invoice) => [invoice.view.origin, invoice]));
  const documents = documentsOf(order.idExternal, { invoices: byOrigin });
  const [first, ...others] = documents.map(({ stored }) => stored.view);
  if (!first) return undefined;
  const { storeId } = order.facts;
  const store = read.shopfront.stores.find(({ id }) => id === storeId);
  return {
    ...printedOrder(order),
    seller: store?.name ?? first.document.issuer.name,
    views: [first, ...others],
    ...(read.look ? { look: read.look } : {}),
  };
}
