import type { SubmissionStanding } from "../../db/submission/submission-standing.ts";
import { ourFault } from "../../domain/verifactu/submission/fault-class.ts";
import { type StandingMoment, standingOf } from "../../ledger/core/view-standing.ts";
import type { ConnectionStanding, NoticeRead } from "./submission-ports.ts";

export interface ViewedStanding extends SubmissionStanding {
  readonly connection: ConnectionStanding["connection"];
  /** Records that were declined for our sake, and may be sent again. */
  readonly resendable: number;
}

export function viewStandings(
  read: readonly ConnectionStanding[],
  moment: StandingMoment,
): readonly ViewedStanding[] {
  return read.map(({ connection, standing }) => ({
    connection,
    resendable: resendableIn(standing),
    ...standingOf(standing, moment),
  }));
}

function resendableIn({ chains }: ConnectionStanding["standing"]): number {
  const declined = chains.flatMap((chain) => chain.declined);
  return declined
    .filter(({ code }) => ourFault(code) !== undefined)
    .reduce((sum, { records }) => sum + records, 0);
}

/** What stands across the top of every page. */
export type Notice =
  | { readonly notice: "representation"; readonly unsent: number }
  | { readonly notice: "unsent"; readonly unsent: number; readonly since: number };

/**
 * Article 16.4 Orden HAC/1177/2024: from the first failure until nothing is unsent. A signature that is
 * missing
 * comes first: as long as it is, nothing is tried.
 */
export function noticeOf(
  read: NoticeRead,
  { wantsRepresentation }: Pick<StandingMoment, "wantsRepresentation">,
) {
  const { stopped, unsent, isRepresented } = read;
  if (wantsRepresentation && !isRepresented) {
    return unsent > 0 ? ({ notice: "representation", unsent } as const) : undefined;
  }
  if (stopped.unsent === 0 || stopped.since === undefined) return undefined;
  return { notice: "unsent", unsent: stopped.unsent, since: stopped.since } as const satisfies Notice;
}
