/** The naive design with the durable work of the product: an alarm before each batch, a note after it. */
import type { HighWater } from "../../../src/ledger/core/high-water.ts";
import worker from "../../../src/worker.ts";
import { NaiveLedger } from "./object.ts";

const CONNECTION_ID = "connection_id";
const HIGH_WATER = "high_water";

export class ConnectionLedger extends NaiveLedger {
  override durable(connectionId: string): ReturnType<NaiveLedger["durable"]> {
    const { storage } = this.ctx;
    return {
      mark: {
        read: () => storage.get<HighWater>(HIGH_WATER),
        raise: (to) => void storage.put(HIGH_WATER, to, { allowUnconfirmed: true }).catch(() => undefined),
      },
      wakeAt: (at) => this.#wakeAt(connectionId, at),
    };
  }

  override async alarm(): Promise<void> {
    const connectionId = await this.ctx.storage.get<string>(CONNECTION_ID);
    if (connectionId === undefined) return;
    const next = await this.open(connectionId).wake();
    if (next !== undefined) await this.#wakeAt(connectionId, next);
  }

  async #wakeAt(connectionId: string, at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set !== null && set <= at) return;
    await storage.put(CONNECTION_ID, connectionId);
    await storage.setAlarm(at);
  }
}

export default worker;
