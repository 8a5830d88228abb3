import { eq } from "drizzle-orm";
import { keepCallback, redecideWaitingForStore, upsertSetup } from "../../db/owner-store.ts";
import { connection } from "../../db/schema/ledger.ts";
import { newMessageId } from "../../domain/callback/message.ts";
import { type PullCallback, withNewDelivery } from "../../domain/callback/pull-callback.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { chooseStores, isSyncReady, type StoreChoice } from "../../domain/connection/setup.ts";
import { type FromForm, refused, UNCHANGED, verb, write } from "./verb.ts";

/** Series, keys and issued invoices do not depend on the name. */
export const rename_connection = verb<FromForm & { readonly name: string }, { readonly name: string }>({
  area: "connections",
  wakesObject: false,
  formVersion: (_, { reading }) => FORM_VERSIONS.name(reading.connectionName),
  decide({ name }, { reading }) {
    const { connectionName: before } = reading;
    return name === before ? UNCHANGED : write({ name }, { name, name_before: before });
  },
  write: (db, { connectionId }, { name }) => [
    db.update(connection).set({ name }).where(eq(connection.id, connectionId)),
  ],
});

interface SelectedStores {
  readonly storeIds: string;
  readonly callback?: PullCallback;
}

/** Step 2 of the guided setup, and every later change of the selection. It asks the shop to send. */
export const complete_setup = verb<FromForm & { readonly storeIds: StoreChoice }, SelectedStores>({
  area: "connections",
  wakesObject: true,
  fieldOf: { no_store_chosen: "store_ids", store_unknown: "store_ids" },
  formVersion: (_, { reading }) => FORM_VERSIONS.stores(reading.setup.storeIds),
  decide({ storeIds: choice }, { reading, now, random }) {
    const chosen = chooseStores(choice, reading);
    if (!chosen.ok) return refused(chosen.error);
    const storeIds = chosen.value;
    const isSame = isSyncReady(reading.setup) && reading.setup.storeIds === storeIds;
    if (isSame && !reading.hasNewStores) return UNCHANGED;
    const setup = { state: "configured", storeIds } as const;
    const { callback } = reading;
    const calling = callback && withNewDelivery(callback, { setup, id: newMessageId(random), at: now });
    return write({ storeIds, ...(calling ? { callback: calling } : {}) }, { store_ids: storeIds });
  },
  write: (db, owner, { storeIds, callback }, { at }) => [
    upsertSetup(db, owner, { state: "configured", storeIds, chosenAt: at }),
    ...(callback ? [keepCallback(db, owner, callback)] : []),
    redecideWaitingForStore(db, owner.connectionId),
  ],
});
