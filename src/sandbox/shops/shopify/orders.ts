/** The orders of a Shopify shop in both of their forms, with the refunds and payments that were put alone. */
import { type Doc, docsOf, isDoc, textOf } from "../documents.ts";
import type { ShopDeps } from "../shop.ts";
import { orderNode, refundNode, transactionNode } from "./nodes.ts";
import { idOf, plainNode, restOrder, restRefund } from "./rest.ts";

export function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function isGid(entry: Doc): boolean {
  return /^gid:/.test(textOf(entry.id) ?? "") || "legacyResourceId" in entry;
}

export interface Orders {
  /** With its refunds and transactions, and the time of its last change. */
  nodeOf(id: string): Doc | undefined;
  refundNodeOf(id: string): Doc | undefined;
  all(): readonly Doc[];
  restOf(id: string): Doc | undefined;
  /** By its own id, or the newest one of the order with this id. */
  restRefundOf(id: string): Doc | undefined;
}

export function ordersIn({ store }: ShopDeps): Orders {
  const updatedAt = (own: unknown, changedAt: unknown) => {
    const [mine, changed] = [Date.parse(textOf(own) ?? ""), textOf(changedAt) ?? ""];
    return mine > Date.parse(changed) ? own : changed;
  };
  /** A kept document never changes, and lists read all of them. */
  const translated = new WeakMap<Doc, Doc>();
  const nodeOfRest = (rest: Doc): Doc => {
    const node = translated.get(rest) ?? orderNode(rest);
    translated.set(rest, node);
    return node;
  };
  const entriesOf = (name: "refunds" | "transactions", id: string) => docsOf(store.get(name, id)?.[name]);
  const nodeFrom = ({ form, doc, changedAt }: Doc): Doc => {
    const own = isDoc(doc) ? doc : {};
    const node = form === "node" ? own : nodeOfRest(own);
    const id = idOf(node) ?? "";
    const currency = textOf(node.currencyCode) ?? "";
    const refunds = entriesOf("refunds", id).map((entry) =>
      isGid(entry) ? plainNode("refund", entry) : refundNode(entry, currency),
    );
    const paid = entriesOf("transactions", id).map((entry) =>
      isGid(entry) ? entry : transactionNode(entry, currency),
    );
    return {
      ...node,
      updatedAt: updatedAt(node.updatedAt, changedAt),
      refunds: joined(docsOf(node.refunds), refunds),
      transactions: joined(docsOf(node.transactions), paid),
    };
  };
  const restFrom = ({ form, doc, changedAt }: Doc): Doc => {
    const own = isDoc(doc) ? doc : {};
    const rest = form === "node" ? restOrder(own) : own;
    const id = textOf(rest.id) ?? "";
    const refunds = entriesOf("refunds", id).map((entry) => (isGid(entry) ? restRefund(entry, id) : entry));
    return {
      ...rest,
      updated_at: updatedAt(rest.updated_at, changedAt),
      refunds: joined(docsOf(rest.refunds), refunds),
    };
  };
  const kept = (id: string) => store.get("orders", id);
  const all = () => store.list("orders").map(nodeFrom);
  return {
    all,
    nodeOf(id) {
      const order = kept(id);
      return order && nodeFrom(order);
    },
    refundNodeOf: (id) =>
      all()
        .flatMap((order) => docsOf(order.refunds))
        .find((refund) => idOf(refund) === id),
    restOf(id) {
      const order = kept(id);
      return order && restFrom(order);
    },
    restRefundOf(id) {
      const ofId = store.list("orders").flatMap((order) => {
        const rest = restFrom(order);
        const refunds = docsOf(rest.refunds).map((refund): Doc => ({ order_id: rest.id, ...refund }));
        return textOf(rest.id) === id ? refunds.slice(-1) : refunds.filter((one) => textOf(one.id) === id);
      });
      return ofId[0] ?? alone(store, id);
    },
  };
}

/** A refund whose order the shop does not show. */
function alone(store: ShopDeps["store"], id: string): Doc | undefined {
  const refunds = store.list("refunds").flatMap((entry) => docsOf(entry.refunds));
  const found = refunds.find((refund) => (idOf(refund) ?? textOf(refund.id)) === id);
  return found && (isGid(found) ? restRefund(found, undefined) : found);
}

/** Those of both, each once; the second is newer. */
function joined(before: readonly Doc[], after: readonly Doc[]): readonly Doc[] {
  const idIn = (entry: Doc) => idOf(entry) ?? textOf(entry.id);
  const ids = new Set(after.map(idIn));
  return [...before.filter((entry) => !ids.has(idIn(entry))), ...after];
}
