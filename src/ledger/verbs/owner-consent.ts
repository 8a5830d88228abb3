import { checkCutoff, moveCutoff } from "../../domain/billing/cutoff.ts";
import { newMessageId } from "../../domain/callback/message.ts";
import { asked } from "../../domain/callback/pull-callback.ts";
import { checkConsentText, checkEligibility } from "../../domain/connection/consent.ts";
import { chooseStores, isSyncReady, type StoreChoice } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import {
  type OwnerDecision,
  type OwnerMoment,
  type OwnerScope,
  refused,
  UNCHANGED,
  write,
} from "./owner-decision.ts";
import type { ConsentRequest } from "./owner-request.ts";

/** The owner agrees to issue through the connection, to the text that they read. */
export function giveConsent(request: ConsentRequest, moment: OwnerMoment): OwnerDecision {
  const { id, textVersion, cutoffDate, declaration, evidence } = request;
  const { settings, today, now } = moment;
  const text = checkConsentText(textVersion);
  if (!text.ok) return refused(text.error);
  const eligible = checkEligibility(settings.issuer, declaration);
  if (!eligible.ok) return refused(eligible.error);
  const cutoff = checkCutoff(cutoffDate, today);
  if (!cutoff.ok) return refused(cutoff.error);
  const proof = evidence ? { evidence } : {};
  const consent = { id, grantedAt: now, textVersion, cutoffDate, declaration, ...proof };
  return {
    decision: "write",
    deed: { deed: "grant_consent", consent },
    facts: {
      text_version: textVersion,
      cutoff_date: cutoffDate,
      common_rules_apply: String(declaration.commonRulesApply),
      keeps_books_in_sii: String(declaration.keepsBooksInSii),
      ...(evidence ? { text_sha256: evidence.textSha256, series: evidence.series.join(", ") } : {}),
    },
    once: id,
  };
}

export function withdrawConsent({ reading }: OwnerScope): OwnerDecision {
  if (!reading.consent || reading.consent.isWithdrawn) return UNCHANGED;
  return write({ deed: "withdraw_consent" });
}

export function moveCutoffDate(date: CivilDate, { reading, today }: OwnerScope): OwnerDecision {
  const { consent } = reading;
  if (!consent || consent.isWithdrawn) return refused(refuse("consent_missing").error);
  const move = moveCutoff(consent.cutoffDate, date, today);
  if (!move.ok) return refused(move.error);
  if (move.value.moves === "nowhere") return UNCHANGED;
  return write({ deed: "move_cutoff", cutoffDate: date }, { from: consent.cutoffDate, to: date });
}

/** Step 2 of the guided setup, and every later change of the selection. The shop is called to send. */
export function completeSetup(choice: StoreChoice, scope: OwnerScope): OwnerDecision {
  const { reading, now, random } = scope;
  const chosen = chooseStores(choice, reading);
  if (!chosen.ok) return refused(chosen.error);
  const storeIds = chosen.value;
  const isSame = isSyncReady(reading.setup) && reading.setup.storeIds === storeIds;
  if (isSame && !reading.hasNewStores) return UNCHANGED;
  const setup = { state: "configured", storeIds } as const;
  const { callback } = reading;
  const calling = callback && asked(callback, { setup, id: newMessageId(random), at: now });
  const deed = { deed: "select_stores", storeIds, ...(calling ? { callback: calling } : {}) } as const;
  return write(deed, { store_ids: storeIds });
}
