/** What a check finds: a code of the service's table, and what it says beside the code's own text. */
export interface Refusal {
  readonly code: number;
  /** The element in question; the service appends it to the general texts only. */
  readonly field?: string;
  /** Who was not found: it closes the text with this NIF and name. */
  readonly party?: { readonly nif: string; readonly name: string };
  /** A second text of the table behind the first: what is wrong inside a block. */
  readonly because?: number;
}

/** The first refusal of a list of checks. They are in the order of the service's own document. */
export function firstRefusal(...checks: readonly (() => Refusal | undefined)[]): Refusal | undefined {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function refuseIf(isWrong: boolean, code: number): Refusal | undefined {
  return isWrong ? { code } : undefined;
}
