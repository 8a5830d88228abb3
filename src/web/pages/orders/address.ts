import { useCallback } from "react";
import { useSearchParams } from "react-router";
import type { Checks } from "../../parts/filters/known.ts";
import { useKnownParams } from "../../parts/filters/known-params.ts";

/**
 * The filters of a list are in its address, so that it can be shared and revisited; values that do not
 * exist are left out.
 */
export function useAddress(checks: Checks = {}): {
  readonly value: (name: string) => string;
  /** Filters change the list: its page begins again. */
  readonly filter: (name: string, value: string) => void;
  /** Several at once; "" is none. */
  readonly set: (values: Readonly<Record<string, string>>) => void;
  readonly go: (cursor: string) => void;
  readonly clear: () => void;
  readonly search: string;
} {
  const [, setParameters] = useSearchParams();
  const parameters = useKnownParams(checks);
  const change = useCallback(
    (values: Readonly<Record<string, string>>, keepsPage: boolean) =>
      setParameters((before) => {
        const next = new URLSearchParams(before);
        if (!keepsPage) next.delete("cursor");
        for (const [name, value] of Object.entries(values)) {
          if (value === "") next.delete(name);
          else next.set(name, value);
        }
        return next;
      }),
    [setParameters],
  );
  return {
    value: (name) => parameters.get(name) ?? "",
    filter: (name, value) => change({ [name]: value }, false),
    set: (values) => change(values, false),
    go: (cursor) => change({ cursor }, true),
    clear: () => setParameters(new URLSearchParams()),
    search: parameters.toString(),
  };
}

/** The members that are not empty. */
export function withoutEmpty<Members extends Readonly<Record<string, string>>>(
  members: Members,
): Partial<Members> {
  // Omitting members yields a Partial of the same type.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")) as Partial<Members>;
}
