/** The product with groups of one: one batch per invoice in a promise queue. */
import { DurableObject } from "cloudflare:workers";
import { ledgerForConnection, ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import type { ApiEnv } from "../../../src/env.ts";
import { markInMemory } from "../../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../../src/ledger/core/ledger.ts";
import { QUEUE_BOUNDS } from "../../../src/ledger/core/queue.ts";
import { CONNECTOR_CALLS, namesOf } from "../../../src/ledger/rpc.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import worker from "../../../src/worker.ts";
import { apiOver } from "../../support/worlds/deployment.ts";

export class ConnectionLedger extends DurableObject<ApiEnv> {
  #ledger: Ledger | undefined;

  // RPC finds members of the prototype only.
  static {
    for (const name of namesOf(CONNECTOR_CALLS)) {
      Object.defineProperty(ConnectionLedger.prototype, name, {
        value(this: ConnectionLedger, asked: { readonly connectionId: string }, ...given: never[]) {
          const ledger = this.#open(asked.connectionId);
          return Reflect.apply(ledger[name], ledger, [asked, ...given]);
        },
      });
    }
  }

  async ping() {
    return "pong" as const;
  }

  #open(connectionId: string): Ledger {
    const binding = ledgerForConnection(ledgersOf(this.env), connectionId);
    const ledger = ledgerOf(connectionId, "cn");
    if (!binding || ledger === undefined) throw new Error("no such ledger");
    const deps = ledgerDeps(apiOver(this.env), binding, {
      connectionId,
      ledger,
      wakeAt: async () => {},
      mark: markInMemory(),
    });
    this.#ledger ??= openLedger({ ...deps, bounds: { ...QUEUE_BOUNDS, group: 1 } });
    return this.#ledger;
  }
}

export default worker;
