import { and, eq, isNull } from "drizzle-orm";
import { beginRelease, countBroughtIn } from "../../db/orders/order-writes.ts";
import { redecideHeld } from "../../db/owner-store.ts";
import { consent } from "../../db/schema/ledger.ts";
import { checkCutoff, moveCutoff } from "../../domain/billing/declarations.ts";
import {
  type ConsentEvidence,
  checkConsentText,
  checkEligibility,
  type EligibilityDeclaration,
} from "../../domain/connection/consent.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type FromForm,
  nothing,
  refused,
  UNCHANGED,
  type VerbScope,
  verb,
  verbReading,
  write,
} from "./verb.ts";

interface GiveConsent {
  readonly id: string;
  readonly textVersion: string;
  readonly cutoffDate: CivilDate;
  readonly declaration: EligibilityDeclaration;
  readonly evidence?: ConsentEvidence;
}

/** The owner agrees to issue through the connection, and to the text that was shown. */
export const give_consent = verbReading<
  GiveConsent,
  GiveConsent & { readonly grantedAt: Instant },
  VerbScope
>(nothing, {
  area: "invoicing",
  wakesObject: true,
  onceBy: ({ id }) => id,
  decide(request, { settings, today, now }) {
    const { id, textVersion, cutoffDate, declaration, evidence } = request;
    const text = checkConsentText(textVersion, settings.connectionKind);
    if (!text.ok) return refused(text.error);
    const eligible = checkEligibility(settings.issuer, declaration);
    if (!eligible.ok) return refused(eligible.error);
    const cutoff = checkCutoff(cutoffDate, today);
    if (!cutoff.ok) return refused(cutoff.error);
    const proof = evidence ? { evidence } : {};
    return write(
      { id, grantedAt: now, textVersion, cutoffDate, declaration, ...proof },
      {
        text_version: textVersion,
        cutoff_date: cutoffDate,
        common_rules_apply: String(declaration.commonRulesApply),
        keeps_books_in_sii: String(declaration.keepsBooksInSii),
        ...(evidence ? { text_sha256: evidence.textSha256, series: evidence.series.join(", ") } : {}),
      },
    );
  },
  write(db, { accountId, connectionId }, given, { userId }) {
    const declaration = JSON.stringify(given.declaration);
    const evidence = JSON.stringify(given.evidence ?? {});
    const row = { ...given, accountId, connectionId, grantedBy: userId, declaration, evidence };
    return [
      db.insert(consent).values(row),
      countBroughtIn(db, connectionId, given.cutoffDate),
      redecideHeld(db, connectionId),
    ];
  },
});

export const withdraw_consent = verb<object, object>({
  area: "invoicing",
  wakesObject: false,
  decide(_, { reading }) {
    if (!reading.consent || reading.consent.isWithdrawn) return UNCHANGED;
    return write({});
  },
  write: (db, { connectionId }, _, { at }) => [
    db.update(consent).set({ withdrawnAt: at }).where(isInForce(connectionId)),
  ],
});

export const move_cutoff = verb<
  FromForm & { readonly cutoffDate: CivilDate },
  { readonly cutoffDate: CivilDate }
>({
  area: "invoicing",
  wakesObject: true,
  formVersion: (_, { reading }) => reading.consent && FORM_VERSIONS.cutoff(reading.consent.cutoffDate),
  decide({ cutoffDate: date }, { reading, today }) {
    const { consent: given } = reading;
    if (!given || given.isWithdrawn) return refused(refuse("consent_missing").error);
    const move = moveCutoff(given.cutoffDate, date, today);
    if (!move.ok) return refused(move.error);
    if (move.value.moves === "nowhere") return UNCHANGED;
    return write({ cutoffDate: date }, { from: given.cutoffDate, to: date });
  },
  write: (db, { connectionId }, { cutoffDate }, { at }) => [
    beginRelease(db, connectionId, { cutoffDate, at }),
    db.update(consent).set({ cutoffDate }).where(isInForce(connectionId)),
    redecideHeld(db, connectionId),
  ],
});

function isInForce(connectionId: string) {
  return and(eq(consent.connectionId, connectionId), isNull(consent.withdrawnAt));
}
