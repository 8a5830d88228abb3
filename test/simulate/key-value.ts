/** KV with its faults, and a customer's page as the viewer shows it: from KV or from the object, never without the object. */
import { type OrderDocuments, snapshotStore } from "../../src/db/access/snapshot-store.ts";
import type { Viewing, ViewingOutcome } from "../../src/ledger/access/customer-access.ts";
import type { Chance } from "./chance.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Snapshots {
  readonly weather: { faults: number };
  keep(token: string, documents: OrderDocuments): Promise<void>;
  /** Undefined for a miss, and for a failing KV. */
  read(token: string): Promise<OrderDocuments | undefined>;
}

interface KeyValueDeps {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly count: (what: string) => void;
}

export function snapshotsOf({ scheduler, chance, count }: KeyValueDeps): Snapshots {
  const weather = { faults: 0 };
  const kept = new Map<string, Uint8Array>();
  const travel = async () => {
    await scheduler.sleep(chance.between(1, 30), "kv");
    if (!chance.is(weather.faults)) return true;
    count("kv fault");
    // It is down, or has not yet what was put.
    if (chance.is(0.5)) throw new Error("KV is down");
    return false;
  };
  const kv = {
    async get(name: string) {
      const found = (await travel()) ? kept.get(name) : undefined;
      return found?.slice().buffer ?? null;
    },
    async put(name: string, value: Uint8Array) {
      if (await travel()) kept.set(name, value);
    },
  };
  // The store calls no other method.
  const store = snapshotStore(kv as unknown as KVNamespace, chance.bytes);
  return {
    weather,
    keep: (token, documents) => store.keep(token, documents).catch(() => undefined),
    read: (token) => store.read(token).catch(() => undefined),
  };
}

/** As `api/endpoints/viewer.ts` does it; undefined for a page that is not shown. */
export async function pageOf(
  token: string,
  viewing: Viewing,
  snapshots: Snapshots,
  ask: (viewing: Viewing) => Promise<ViewingOutcome | undefined>,
): Promise<OrderDocuments | undefined> {
  const [kept, confirmed] = await Promise.all([snapshots.read(token), ask(viewing)]);
  if (confirmed?.outcome !== "open") return undefined;
  const known = kept ?? confirmed.documents;
  if (known) return known;
  const read = await ask({ ...viewing, withDocuments: true });
  return read?.outcome === "open" ? read.documents : undefined;
}
