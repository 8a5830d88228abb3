import { DurableObject } from "cloudflare:workers";
import { invariant } from "../../domain/shared/result.ts";
import type { ApiEnv } from "../../env.ts";
import { faultOf, namedFault } from "../../platform/log.ts";
import { bookReadsOn, type HealthCheck, healthCheckOn, ledgerOn } from "../../wiring.ts";
import { log, MisconfiguredError } from "../../wiring-both.ts";
import { CALLS, type LedgerCalls, namesOf, type ServiceCalls } from "../rpc.ts";
import type { HighWater, HighWaterMark } from "./high-water.ts";
import type { Ledger } from "./ledger.ts";
import type { SentTestsKeeper, SentTestsNote } from "./limits.ts";

const CONNECTION_ID = "connection_id";
const HIGH_WATER = "high_water";
const SENT_TESTS = "sent_tests";
/** The next deploy corrects what cannot be opened; until then the alarm checks again. */
const NOT_OPENED_RETRY_MS = 60_000;

/**
 * The object of one connection: a shell around its `Ledger`, with every call of `LedgerCalls`. Outcomes cross
 * RPC as values, because errors lose their fields there.
 */
export class ConnectionLedger extends DurableObject<ApiEnv> implements ServiceCalls {
  #opened: { readonly connectionId: string; readonly ledger: Ledger & LedgerCalls } | undefined;
  #health: HealthCheck | undefined;
  readonly #mark: HighWaterMark = {
    read: () => this.ctx.storage.get<HighWater>(HIGH_WATER),
    // Outcomes do not wait for this write: a commit before a restore was noted long ago. If the instance ends
    // before the write, the next one reads the mark in the books.
    raise: (to) =>
      void this.ctx.storage.put(HIGH_WATER, to, { allowUnconfirmed: true }).catch(() => undefined),
  };
  readonly #sentTests: SentTestsKeeper = {
    read: () => this.ctx.storage.get<SentTestsNote>(SENT_TESTS),
    write: (note) =>
      void this.ctx.storage.put(SENT_TESTS, note, { allowUnconfirmed: true }).catch(() => undefined),
  };

  // RPC finds members of the prototype only.
  static {
    for (const name of namesOf(CALLS)) {
      Object.defineProperty(ConnectionLedger.prototype, name, {
        async value(this: ConnectionLedger, ...given: unknown[]) {
          const connectionId = connectionIn(given[0]);
          const call: unknown = Reflect.get(this.#open(connectionId), name);
          invariant(typeof call === "function", "the ledger has every call");
          try {
            return await call(...given);
          } catch (error) {
            logFault("call_failed", connectionId, error);
            throw error;
          }
        },
      });
    }
  }

  async health(): ReturnType<HealthCheck> {
    this.#health ??= healthCheckOn(this.env);
    return this.#health();
  }

  async ping(): Promise<"pong"> {
    return "pong";
  }

  async wakeUp(connectionId: string): Promise<void> {
    await this.#wakeAt(connectionId, Date.now());
  }

  /** Always sets the next alarm: the runtime gives up an alarm that fails several times. */
  override async alarm(): Promise<void> {
    const connectionId = await this.ctx.storage.get<string>(CONNECTION_ID);
    if (connectionId === undefined) return;
    try {
      const next = await this.#wake(connectionId);
      if (next !== undefined) await this.#wakeAt(connectionId, next);
    } catch (error) {
      logFault("alarm_failed", connectionId, error);
      throw error;
    }
  }

  async #wake(connectionId: string): Promise<number | undefined> {
    let ledger: Ledger;
    try {
      ledger = this.#open(connectionId);
    } catch {
      return Date.now() + NOT_OPENED_RETRY_MS;
    }
    return ledger.wake();
  }

  /** An alarm does not know its object's name, so the id is stored with it. */
  async #wakeAt(connectionId: string, at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set !== null && set <= at) return;
    await storage.put(CONNECTION_ID, connectionId);
    await storage.setAlarm(at);
  }

  #open(connectionId: string): Ledger & LedgerCalls {
    this.#opened ??= { connectionId, ledger: this.#ledgerOf(connectionId) };
    invariant(
      this.#opened.connectionId === connectionId,
      "an object serves the connection that it is named after",
    );
    return this.#opened.ledger;
  }

  /** Each call and each alarm tries again. */
  #ledgerOf(connectionId: string): Ledger & LedgerCalls {
    const wakeAt = (at: number) => this.#wakeAt(connectionId, at);
    const ofObject = { wakeAt, mark: this.#mark, sentTests: this.#sentTests };
    try {
      const ledger = ledgerOn(this.env, connectionId, ofObject);
      return { ...ledger, ...bookReadsOn(this.env, connectionId) };
    } catch (error) {
      if (!(error instanceof MisconfiguredError)) {
        log({
          level: "warning",
          event: "ledger_not_opened",
          connection_id: connectionId,
          ...faultOf(error),
        });
      }
      throw error;
    }
  }
}

/** An error loses its stack when it leaves the object. */
function logFault(alarm: string, connectionId: string, error: unknown): void {
  log({ level: "alarm", alarm, connection_id: connectionId, ...namedFault(error) });
}

/** The first value of every call is the id of its connection, or has it. */
function connectionIn(first: unknown): string {
  const id: unknown =
    typeof first === "object" && first !== null ? Reflect.get(first, "connectionId") : first;
  invariant(typeof id === "string", "a call names its connection");
  return id;
}
