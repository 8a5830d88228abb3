import type { DraftForm } from "./draft-queries.ts";
import type { Typed } from "./draft-values.ts";

/** What every card of the form gets. */
export interface CardProps {
  readonly typed: Typed;
  readonly form: DraftForm["form"];
  readonly change: (next: Partial<Typed>) => void;
  /** The problem of a member, by its place in the contract; undefined while it is not told. */
  readonly errorAt: (...paths: readonly string[]) => string | undefined;
}
