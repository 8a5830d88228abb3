import type { ReferenceRate } from "../../domain/exchange/ecb-currencies.ts";
import type { Result } from "../../domain/shared/result.ts";

export type RateFile = "daily" | "history";

/** The publisher of the rates. */
export interface RateSource {
  fetch(file: RateFile): Promise<Result<readonly ReferenceRate[], RateSourceFailure>>;
}

export interface RateSourceFailure {
  /** `no_answer`: nothing that claims to be the file. `unreadable`: it does, and is not. */
  readonly reason: "no_answer" | "unreadable";
  /** For the operator; never the other side's text. */
  readonly detail: string;
}
