import { standingOf } from "../../domain/callback/delivery.ts";
import { newMessageId } from "../../domain/callback/message.ts";
import { asked, registered } from "../../domain/callback/pull-callback.ts";
import { newSigningSecret } from "../../domain/callback/signature.ts";
import { checkCallbackUrl } from "../../domain/callback/url.ts";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";

/**
 * Where the shop wants to be called. Its secret is shown once, because its side has to know it; another
 * address keeps it.
 */
export function registerCallback(text: string, scope: OwnerScope): OwnerDecision {
  const { reading, callbackPolicy, random } = scope;
  const url = checkCallbackUrl(text, callbackPolicy);
  if (!url.ok) return refused(url.error);
  const secret = newSigningSecret(random);
  const callback = registered(reading.callback, { url: url.value, secret }, asking(scope));
  const isNew = callback.secrets.current === secret;
  if (callback === reading.callback) return { decision: "unchanged", secret: callback.secrets.current };
  const host = new URL(callback.url).host;
  const write = { decision: "write", deed: { deed: "keep_callback", callback }, facts: { host } } as const;
  return isNew ? { ...write, secret } : write;
}

export function removeCallback({ reading }: OwnerScope): OwnerDecision {
  if (!reading.callback) return UNCHANGED;
  return write({ deed: "keep_callback", callback: undefined });
}

export function askForOrders(scope: OwnerScope): OwnerDecision {
  const { callback, setup } = scope.reading;
  if (!callback) return refused(refuse("callback_missing").error);
  if (!isSyncReady(setup)) return refused(refuse("setup_not_completed").error);
  // Asked for, and not called yet: asking again brings no second call.
  if (callback.delivery && standingOf(callback.delivery) === "waiting") return UNCHANGED;
  return write({ deed: "keep_callback", callback: asked(callback, asking(scope)) });
}

function asking({ reading, random, now }: OwnerScope) {
  return { setup: reading.setup, id: newMessageId(random), at: now };
}
