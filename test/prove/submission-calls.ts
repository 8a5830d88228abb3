import { plainOrder } from "../../src/dev/demo-orders.ts";
import { demoInvoice } from "../../src/dev/start.ts";
import type { Demo } from "./local-product.ts";

export interface Call {
  readonly connectionId: string;
  readonly path: string;
  readonly key: string;
  readonly body: object;
  /** Part of the origin of what it issues. */
  readonly id: string;
}

/** Two fifths direct invoices, the rest orders of two shops, all mixed. */
export function callsOf({ connections }: Demo, total: number, now: number): readonly Call[] {
  return Array.from({ length: total }, (_, index) => {
    const id = `prove-${index + 1}`;
    const name = ["api", "commerce", "profiled", "api", "commerce"][index % 5] ?? "api";
    const { id: connectionId, key } = connections[name] ?? { id: "", key: "" };
    const of = { connectionId, key, id };
    if (name === "api") return { ...of, path: "/api/v1/invoice", body: demoInvoice(id) };
    return { ...of, path: "/api/v1/order", body: plainOrder(id, "1", now) };
  });
}
