/** An object with groups of one: one batch per invoice in a promise queue. */
import { DurableObject } from "cloudflare:workers";
import { ledgerForConnection, ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import type { ApiEnv } from "../../../src/env.ts";
import type { LedgerDeps } from "../../../src/ledger/core/core.ts";
import { type Ledger, openLedger } from "../../../src/ledger/core/ledger.ts";
import { QUEUE_BOUNDS } from "../../../src/ledger/core/queue.ts";
import { CONNECTOR_CALLS, namesOf } from "../../../src/ledger/rpc.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import { apiOver } from "../../support/worlds/deployment.ts";

export abstract class NaiveLedger extends DurableObject<ApiEnv> {
  #ledger: Ledger | undefined;

  /** Its alarm, and its note of the end of the chain. */
  abstract durable(connectionId: string): Pick<LedgerDeps, "wakeAt" | "mark">;

  // RPC finds members of the prototype only.
  static {
    for (const name of namesOf(CONNECTOR_CALLS)) {
      Object.defineProperty(NaiveLedger.prototype, name, {
        value(this: NaiveLedger, asked: { readonly connectionId: string }, ...given: never[]) {
          const ledger = this.open(asked.connectionId);
          return Reflect.apply(ledger[name], ledger, [asked, ...given]);
        },
      });
    }
  }

  async ping() {
    return "pong" as const;
  }

  protected open(connectionId: string): Ledger {
    const binding = ledgerForConnection(ledgersOf(this.env), connectionId);
    const ledger = ledgerOf(connectionId, "cn");
    if (!binding || ledger === undefined) throw new Error("no such ledger");
    const place = { connectionId, ledger, ...this.durable(connectionId) };
    const deps = ledgerDeps(apiOver(this.env), binding, place);
    this.#ledger ??= openLedger({ ...deps, bounds: { ...QUEUE_BOUNDS, group: 1 } });
    return this.#ledger;
  }
}
