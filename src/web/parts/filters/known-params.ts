import { useEffect, useMemo } from "react";
import { useSearchParams } from "react-router";
import { ApiError } from "../../api/errors.ts";
import { type Checks, refusedIn, unknownIn, withoutNames } from "./known.ts";

/** The members of the address that exist; the others leave the address too. */
export function useKnownParams(checks: Checks): URLSearchParams {
  const [params, setParams] = useSearchParams();
  const unknown = unknownIn(params, checks).join(" ");
  // Another change of the address in the same moment may win: so it is looked at again after each.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the reason to look again
  useEffect(() => {
    if (unknown === "") return;
    setParams((before) => withoutNames(before, unknown.split(" ")), { replace: true });
  }, [unknown, params, setParams]);
  return useMemo(
    () => (unknown === "" ? params : withoutNames(params, unknown.split(" "))),
    [params, unknown],
  );
}

/**
 * Members that only the API knows to be none leave the address once it refused them. True until then: the
 * list is about to be asked for without them.
 */
export function useRefusedParams(error: unknown, names: Readonly<Record<string, string>>): boolean {
  const [params, setParams] = useSearchParams();
  const refused = error instanceof ApiError ? refusedIn(error, names).filter((name) => params.has(name)) : [];
  const left = refused.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the reason to look again
  useEffect(() => {
    if (left === "") return;
    setParams((before) => withoutNames(before, left.split(" ")), { replace: true });
  }, [left, params, setParams]);
  return left !== "";
}
