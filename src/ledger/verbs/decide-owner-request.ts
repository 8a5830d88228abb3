import { MOST_KEYS_ALIVE } from "../../domain/connection/api-key.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { addOrigin, refuseOrigin, removeOrigin, switchCustomerAccess } from "./owner-access.ts";
import { askForOrders, registerCallback, removeCallback } from "./owner-callback.ts";
import { renameConnection } from "./owner-connection.ts";
import { completeSetup, giveConsent, moveCutoffDate, withdrawConsent } from "./owner-consent.ts";
import { type OwnerDecision, type OwnerMoment, type OwnerScope, refused } from "./owner-decision.ts";
import { boundDeclared } from "./owner-declared.ts";
import type { DuplicateRequest, ErasureRequest, OwnerRequest } from "./owner-request.ts";
import { isBehind } from "./owner-seen.ts";
import {
  addProfile,
  changeProfileOf,
  chooseOrderStem,
  declareSales,
  endAuthorisation,
  forgetTagRule,
  keepAuthorisation,
  keepTagRule,
  removeProfile,
  withdrawOssRate,
} from "./owner-selling.ts";
import { grantRepresentation, resumeSubmission, withdrawRepresentation } from "./owner-submission.ts";
import {
  chooseWebhookEvents,
  endWebhookOverlap,
  openWebhook,
  removeWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
} from "./owner-webhooks.ts";

/** Verbs with an id of their own: a repeat finds its line in the audit log, so nothing is read before. */
export type UnreadRequest = Extract<
  OwnerRequest,
  { readonly verb: "open_key" | "revoke_key" | "give_consent" }
>;

export function isUnread(request: OwnerRequest): request is UnreadRequest {
  return request.verb === "open_key" || request.verb === "revoke_key" || request.verb === "give_consent";
}

export function decideUnread(
  request: UnreadRequest,
  moment: OwnerMoment & { readonly keyHashes: readonly string[] },
): OwnerDecision {
  switch (request.verb) {
    case "open_key": {
      const { verb: deed, id, hash, ...tail } = request;
      const { keyHashes: alive } = moment;
      // The fence proves that no other key has come to be alive since these were read.
      if (alive.length >= MOST_KEYS_ALIVE && !alive.includes(hash)) {
        return refused(refuse("two_keys_alive").error);
      }
      return { decision: "write", deed: { deed, id, hash, ...tail }, facts: { key: id, ...tail }, once: id };
    }
    case "revoke_key": {
      const { verb: deed, hash, ...tail } = request;
      return { decision: "write", deed: { deed, hash }, facts: { key_sha256: hash, ...tail }, once: hash };
    }
    case "give_consent":
      return giveConsent(request, moment);
    default:
      return assertNever(request);
  }
}

type ReadRequest = Exclude<OwnerRequest, UnreadRequest | DuplicateRequest | ErasureRequest>;

/**
 * What comes of an owner's verb: refused, as it stands already, or one change to write. A form that was
 * filled from what stands no longer changes nothing, unless it asks for what stands now.
 */
export function decideOwnerRequest(request: ReadRequest, scope: OwnerScope): OwnerDecision {
  const decision = boundDeclared(decideAsItStands(request, scope), scope.reading);
  if (decision.decision === "unchanged" || !isBehind(request, scope)) return decision;
  return refused(refuse("changed_meanwhile").error);
}

function decideAsItStands(request: ReadRequest, scope: OwnerScope): OwnerDecision {
  switch (request.verb) {
    case "rename_connection":
      return renameConnection(request.name, scope);
    case "withdraw_consent":
      return withdrawConsent(scope);
    case "move_cutoff":
      return moveCutoffDate(request.cutoffDate, scope);
    case "complete_setup":
      return completeSetup(request.storeIds, scope);
    case "declare_sales":
      return declareSales(request.change, request.profileId, scope);
    case "choose_order_stem":
      return chooseOrderStem(request.stem, scope);
    case "add_profile":
      return addProfile(request, scope);
    case "change_profile":
      return changeProfileOf(request, scope);
    case "remove_profile":
      return removeProfile(request.id, scope);
    case "set_tag_rule":
      return keepTagRule(request.rule, scope);
    case "remove_tag_rule":
      return forgetTagRule(request.tag, scope);
    case "open_authorisation":
      return keepAuthorisation(request.authorisation, scope);
    case "close_authorisation":
      return endAuthorisation(request.number, scope);
    case "withdraw_oss_rate":
      return withdrawOssRate(request, scope);
    case "register_callback":
      return registerCallback(request.url, scope);
    case "remove_callback":
      return removeCallback(scope);
    case "ask_for_orders":
      return askForOrders(scope);
    case "switch_customer_access":
      return switchCustomerAccess(request.enabled, scope);
    case "add_origin":
      return addOrigin(request.origin, scope);
    case "remove_origin":
      return removeOrigin(request.origin, scope);
    case "refuse_origin":
      return refuseOrigin(request.origin, scope);
    case "grant_representation":
      return grantRepresentation(request, scope);
    case "withdraw_representation":
      return withdrawRepresentation(scope);
    case "resume_submission":
      return resumeSubmission(scope);
    default:
      return decideOfWebhooks(request, scope);
  }
}

type WebhookRequest = Extract<ReadRequest, { readonly verb: `${string}_webhook${string}` }>;

function decideOfWebhooks(request: WebhookRequest, scope: OwnerScope): OwnerDecision {
  switch (request.verb) {
    case "register_webhook":
      return openWebhook(request, scope);
    case "choose_webhook_events":
      return chooseWebhookEvents(request, scope);
    case "rotate_webhook_secret":
      return rotateWebhookSecret(request, scope);
    case "end_webhook_overlap":
      return endWebhookOverlap(request, scope);
    case "remove_webhook":
      return removeWebhook(request, scope);
    case "test_webhook":
      return testWebhook(request, scope);
    case "resend_webhook_delivery":
      return resendDelivery(request, scope);
    default:
      return assertNever(request);
  }
}
