/** The product with groups of one: one batch per invoice behind a promise queue. */
import { DurableObject } from "cloudflare:workers";
import type { AccessRequest, Viewing } from "../../../src/db/access/viewer-ports.ts";
import { ledgerForConnection, ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import type { Env } from "../../../src/env.ts";
import type {
  Caller,
  CancellationRequest,
  ConnectionCalls,
  PreparedInvoice,
} from "../../../src/ledger/calls.ts";
import { QUEUE_BOUNDS } from "../../../src/ledger/core/group-queue.ts";
import { markInMemory } from "../../../src/ledger/core/high-water.ts";
import { Ledger } from "../../../src/ledger/core/ledger.ts";
import type { OrderSubmission } from "../../../src/ledger/orders/order-outcomes.ts";
import type { ShopReport } from "../../../src/ledger/shop/record-shop.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import worker from "../../../src/worker.ts";

export class ConnectionLedger extends DurableObject<Env> implements ConnectionCalls {
  #ledger: Ledger | undefined;

  async admit(caller: Caller) {
    return this.#open(caller.connectionId).admit(caller);
  }

  async issueInvoice(caller: Caller, invoice: PreparedInvoice) {
    return this.#open(caller.connectionId).issueInvoice(caller, invoice);
  }

  async previewInvoice(caller: Caller, invoice: PreparedInvoice) {
    return this.#open(caller.connectionId).previewInvoice(caller, invoice);
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest) {
    return this.#open(caller.connectionId).cancelInvoice(caller, cancellation);
  }

  async readInvoice(caller: Caller, externalId: string) {
    return this.#open(caller.connectionId).readInvoice(caller, externalId);
  }

  async reportShop(caller: Caller, report: ShopReport) {
    return this.#open(caller.connectionId).reportShop(caller, report);
  }

  async submitOrder(caller: Caller, order: OrderSubmission) {
    return this.#open(caller.connectionId).submitOrder(caller, order);
  }

  async readOrder(caller: Caller, idExternal: string) {
    return this.#open(caller.connectionId).readOrder(caller, idExternal);
  }

  async findAvailable(caller: Caller, ids: readonly string[]) {
    return this.#open(caller.connectionId).findAvailable(caller, ids);
  }

  async admitCustomers(caller: Caller) {
    return this.#open(caller.connectionId).admitCustomers(caller);
  }

  async openAccess(caller: Caller, asked: AccessRequest) {
    return this.#open(caller.connectionId).openAccess(caller, asked);
  }

  async viewInvoices(viewing: Viewing) {
    return this.#open(viewing.connectionId).viewInvoices(viewing);
  }

  async ping() {
    return "pong" as const;
  }

  #open(connectionId: string): Ledger {
    const binding = ledgerForConnection(ledgersOf(this.env), connectionId);
    const ledger = ledgerOf(connectionId, "cn");
    if (!binding || ledger === undefined) throw new Error("no such ledger");
    const deps = ledgerDeps(this.env, binding, {
      connectionId,
      ledger,
      wakeAt: async () => {},
      mark: markInMemory(),
    });
    this.#ledger ??= new Ledger({ ...deps, bounds: { ...QUEUE_BOUNDS, group: 1 } });
    return this.#ledger;
  }
}

export default worker;
