/** A connection whose shop sends its own documents, and what the shop itself would do. */

import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import type { Mappers, ShopDocuments } from "../../../src/domain/shop/documents.ts";
import { Native } from "../../../src/domain/shop/native.ts";
import { type ShopPlatform, STATUS_PRESETS } from "../../../src/domain/shop/presets.ts";
import type { LedgerDeps } from "../../../src/ledger/core/core.ts";
import type { Ledger } from "../../../src/ledger/core/ledger.ts";
import type { DeliveryOutcome, VerbOutcome } from "../../../src/ledger/rpc.ts";
import type { OwnerRequest, RequestOf } from "../../../src/ledger/verbs/table.ts";
import type { ShopApis } from "../../../src/platform/shop-api.ts";
import { aSentOrder, aSubmission, type SentBody } from "../builders/sent-bodies.ts";
import { wrapD1 } from "../faults/wrapped-d1.ts";
import { plainLedger } from "./ledger-client.ts";
import { openCommerce } from "./order-calls.ts";
import { MARTA } from "./owners.ts";
import type { Shop } from "./shop.ts";
import { shopsOn } from "./shop-deps.ts";

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));

export interface NativeShop {
  readonly shop: Shop;
  readonly ledger: Ledger;
  readonly alarms: readonly string[];
  readonly bodies: Map<string, Uint8Array>;
  act(request: OwnerRequest): Promise<VerbOutcome>;
  connect(change?: Partial<RequestOf<"connect_shop">>): Promise<string>;
  /** Delivers as the shop would, with its signature unless another is given. */
  deliver(body: unknown, change?: Partial<Delivered>): Promise<DeliveryOutcome>;
  rows<Row>(sql: string): Promise<readonly Row[]>;
}

export interface Delivered {
  readonly platform: ShopPlatform;
  readonly id: string;
  readonly topic: string;
  readonly secret: string;
  readonly signature: string;
  readonly nonce: string;
}

/** An order of our own contract in a shop's envelope: `{ id, status, modified, native }`. */
export function aNativeOrder(id: number | string, change: SentBody = {}, sent: SentBody = {}): SentBody {
  return { id, status: "processing", native: aSentOrder(String(id), sent), ...change };
}

/** Reads the envelope; the mappers of the platforms have tests of their own. */
export function mapped(documents: ShopDocuments) {
  const order = new Native(documents.order);
  const status = order.at("status").text();
  const modified = order.at("modified").text();
  const refunds = new Native(documents).at("refunds").items();
  const native = order.at("native").value;
  if (native === undefined) return { events: [], missing: [{ what: "total" }] } as const;
  const events = refunds.map((refund) => refund.at("event").value);
  const { sent } = aSubmission({ ...plain(native), correction_events: events.map(plain) });
  return {
    idExternal: sent.idExternal,
    order: {
      ...sent,
      ...(status === undefined ? {} : { status }),
      ...(modified === undefined ? {} : { updatedAt: Number(modified) }),
    },
    events: sent.events,
    missing: [],
  };
}

function plain(tree: unknown): SentBody {
  return JSON.parse(
    JSON.stringify(tree, (_, value) =>
      typeof value === "object" && value !== null && "source" in value ? Number(value.source) : value,
    ),
  );
}

export async function aNativeShop(
  change: Partial<LedgerDeps> = {},
  mappers: Mappers = { woocommerce: mapped },
  apis?: ShopApis,
  given?: Shop,
): Promise<NativeShop> {
  const shop = given ?? (await openCommerce());
  const { connectionId } = shop;
  const bodies = new Map<string, Uint8Array>();
  const { ledger, alarms } = plainLedger(shop, {
    ...change,
    shops: shopsOn(wrapD1("LEDGER_000", env.LEDGER_000), connectionId, {
      ...{ mappers, bodies, random, secrets: env.SHOP_SECRETS.split(",") },
      ...(apis ? { apis } : {}),
    }),
  });
  const act = (request: OwnerRequest) => ledger.act(connectionId, MARTA, request);
  let secret = "";
  let deliveries = 0;
  const rows: NativeShop["rows"] = async <Row>(sql: string) =>
    (await env.LEDGER_000.prepare(sql).bind(connectionId).all<Row>()).results;
  return {
    ...{ shop, ledger, alarms, bodies, act, rows },
    async connect(request = {}) {
      const outcome = await act({
        ...{ verb: "connect_shop", platform: "woocommerce", credentials: {}, settings: {} },
        statuses: STATUS_PRESETS.woocommerce,
        ...request,
      });
      if (outcome.outcome !== "done") throw new Error(JSON.stringify(outcome));
      secret = outcome.shown?.secret ?? secret;
      return secret;
    },
    async deliver(
      body,
      { platform = "woocommerce", id, topic = "order.updated", secret: other, signature, nonce } = {},
    ) {
      const bytes = Uint8Array.from(
        new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
      );
      const [row] = await rows<{ readonly nonce: string }>("SELECT nonce FROM shop WHERE connection_id = ?");
      deliveries += 1;
      const { d1Trips: _, ...outcome } = await ledger.receiveDelivery({
        ...{ connectionId, platform, topic, requestId: "test", body: bytes },
        nonce: nonce ?? row?.nonce ?? "",
        deliveryId: id ?? `d-${deliveries}`,
        signature: signature ?? signatureOf(bytes, other ?? secret),
      });
      return outcome;
    },
  };
}

export function signatureOf(bytes: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(bytes).digest("base64");
}
