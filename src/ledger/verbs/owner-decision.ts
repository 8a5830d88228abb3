import type { Deed, OwnerReading } from "../../db/owner-state.ts";
import type { CallbackUrlPolicy } from "../../domain/callback/url.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { IssuingSettings } from "../../domain/invoice/settings.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { OwnerRefusal } from "./owner-request.ts";

export type OwnerDecision =
  | {
      readonly decision: "write";
      readonly deed: Deed;
      /** For the audit log: what was asked, without anything of a person. */
      readonly facts: Readonly<Record<string, string>>;
      /** Of a deed that has an id of its own: a repeat of it is found by this. */
      readonly once?: string;
      /** What the owner is shown, this once or again. */
      readonly shown?: Readonly<Record<string, string>>;
      /** What the owner is shown this once. */
      readonly secret?: string;
    }
  /**
   * It stands so already: a repeat, also of a call whose answer was lost, is no second deed. `secret` is what
   * stands, and shown only to the call that made it.
   */
  | {
      readonly decision: "unchanged";
      readonly shown?: Readonly<Record<string, string>>;
      readonly secret?: string;
    }
  | { readonly decision: "refuse"; readonly refusal: OwnerRefusal };

/** What is known without a read of its own. */
export interface OwnerMoment {
  /** Of the account, as the fence will prove them. */
  readonly settings: IssuingSettings;
  readonly now: Instant;
  readonly today: CivilDate;
}

export interface OwnerScope extends OwnerMoment {
  readonly reading: OwnerReading;
  readonly random: RandomBytes;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
  readonly connectionId: string;
  /** Which addresses may be called. */
  readonly callbackPolicy: CallbackUrlPolicy;
}

export const UNCHANGED: OwnerDecision = { decision: "unchanged" };

export function refused(refusal: OwnerRefusal): OwnerDecision {
  return { decision: "refuse", refusal };
}

export function write(deed: Deed, facts: Readonly<Record<string, string>> = {}): OwnerDecision {
  return { decision: "write", deed, facts };
}
