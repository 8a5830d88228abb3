import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { Question } from "../../domain/order/question.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Setting } from "../../domain/order/remembered.ts";

/** The sales that a setting is part of: those of a profile, or of the connection. */
export type ProfileId = string | undefined;

/** The question that was answered with a setting. */
export interface AnsweredQuestion {
  readonly question: Question;
  /** The reason of one of its orders: it names what the question is about. */
  readonly reason?: Reason;
  /** Orders that got the answer itself. */
  readonly uses: number;
  /** The settings that the answer declares. */
  readonly change: SalesChange;
}

/** An order whose first invoice a remembered setting has decided. */
export interface UsedSetting {
  readonly profileId: ProfileId;
  readonly setting: Setting;
}
