import { keepCallback } from "../../db/owner-store.ts";
import { deliveryStatus } from "../../domain/callback/delivery.ts";
import { newMessageId, newSigningSecret } from "../../domain/callback/message.ts";
import { type PullCallback, registered, withNewDelivery } from "../../domain/callback/pull-callback.ts";
import { checkCallbackUrl } from "../../domain/callback/url.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import { type FromForm, type OwnerScope, refused, UNCHANGED, URL_FIELDS, verb, write } from "./verb.ts";

interface Kept {
  /** Undefined removes it. */
  readonly callback: PullCallback | undefined;
}

/** The shop's address. Its secret is shown once, because the shop must know it; a new address keeps it. */
export const register_callback = verb<FromForm & { readonly url: string }, Kept>({
  area: "connections",
  wakesObject: true,
  fieldOf: URL_FIELDS,
  formVersion: (_, { reading }) => FORM_VERSIONS.callback(reading.callback?.url),
  decide({ url: text }, scope) {
    const { reading, callbackPolicy, random } = scope;
    const url = checkCallbackUrl(text, callbackPolicy());
    if (!url.ok) return refused(url.error);
    const secret = newSigningSecret(random);
    const callback = registered(reading.callback, { url: url.value, secret }, asking(scope));
    if (callback === reading.callback) return { decision: "unchanged", secret: callback.secrets.current };
    const isNew = callback.secrets.current === secret;
    const kept = write({ callback }, { host: new URL(callback.url).host });
    return isNew ? { ...kept, secret } : kept;
  },
  write: (db, owner, { callback }) => [keepCallback(db, owner, callback)],
});

interface RemoveCallback {
  /** Removes it only while this is its current secret. */
  readonly secretSha256?: string;
}

export const remove_callback = verb<RemoveCallback, Kept>({
  area: "connections",
  wakesObject: true,
  decide({ secretSha256: expected }, { reading: { callback } }) {
    if (!callback) return UNCHANGED;
    const isIts = expected === undefined || sha256Hex(callback.secrets.current) === expected;
    return isIts ? write({ callback: undefined }) : UNCHANGED;
  },
  write: (db, owner, { callback }) => [keepCallback(db, owner, callback)],
});

/** Calls the shop to send its orders now. */
export const ask_for_orders = verb<object, Kept>({
  area: "connections",
  wakesObject: true,
  decide(_, scope) {
    const { callback, setup } = scope.reading;
    if (!callback) return refused(refuse("callback_missing").error);
    if (!isSyncReady(setup)) return refused(refuse("setup_not_completed").error);
    // A call is already waiting: a second request adds none.
    if (callback.delivery && deliveryStatus(callback.delivery) === "waiting") return UNCHANGED;
    return write({ callback: withNewDelivery(callback, asking(scope)) });
  },
  write: (db, owner, { callback }) => [keepCallback(db, owner, callback)],
});

function asking({ reading, random, now }: OwnerScope) {
  return { setup: reading.setup, id: newMessageId(random), at: now };
}
