import type { Reason } from "../../domain/order/reasons.ts";

/** A reason as the owner answers it: what is settled stays in its place. */
export interface AnsweredReason {
  readonly reason: Reason;
  readonly isSettled: boolean;
}

/** Those of before, each settled or as it stands now, and behind them those that the answers brought. */
export function answeredReasons(before: readonly Reason[], after: readonly Reason[]): AnsweredReason[] {
  const left = Map.groupBy(after, identityOf);
  const known = before.map((reason) => {
    const standing = left.get(identityOf(reason))?.shift();
    return { reason: standing ?? reason, isSettled: standing === undefined };
  });
  const fresh = [...left.values()].flat();
  return [...known, ...fresh.map((reason) => ({ reason, isSettled: false }))];
}

function identityOf({ code, about = "" }: Reason): string {
  return `${code} ${about}`;
}
