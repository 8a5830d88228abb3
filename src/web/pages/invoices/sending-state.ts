interface ChainState {
  readonly unsent: number;
  /** Since when its oldest record waits. */
  readonly unsentSince?: string | undefined;
  /** From the first failure until nothing is unsent. */
  readonly incidentSince?: string | undefined;
  readonly stopped?: object | undefined;
}

/** How the submission of a company stands: one reading for all pages. */
export type SendingState =
  | { readonly is: "done" }
  /** Within its time: the AEAT itself sets the pace. */
  | { readonly is: "waiting"; readonly unsent: number }
  | { readonly is: "retrying" | "stopped"; readonly unsent: number; readonly since: string };

const USUAL_MS = 60_000;

export function sendingState(chains: readonly ChainState[], nowMs: number): SendingState {
  const unsent = chains.reduce((sum, chain) => sum + chain.unsent, 0);
  if (unsent === 0) return { is: "done" };
  const waiting = chains.filter((chain) => chain.unsent > 0);
  const stopped = waiting.filter((chain) => chain.stopped !== undefined);
  const late = waiting.filter(
    ({ incidentSince, unsentSince }) =>
      incidentSince !== undefined ||
      (unsentSince !== undefined && nowMs - Date.parse(unsentSince) > USUAL_MS),
  );
  const [since] = (stopped.length > 0 ? stopped : late)
    .flatMap((chain) => chain.incidentSince ?? chain.unsentSince ?? [])
    .toSorted();
  if (since === undefined) return { is: "waiting", unsent };
  return { is: stopped.length > 0 ? "stopped" : "retrying", unsent, since };
}
