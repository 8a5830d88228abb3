/** The naive design without the durable work of the product: its object sets no alarm and keeps no note. */
import { markInMemory } from "../../../../src/ledger/core/high-water.ts";
import worker from "../../../../src/worker.ts";
import { NaiveLedger } from "../object.ts";

export class ConnectionLedger extends NaiveLedger {
  override durable(): ReturnType<NaiveLedger["durable"]> {
    return { wakeAt: async () => {}, mark: markInMemory() };
  }
}

export default worker;
