/** The finding of a check: a code of the service's table with its details. */
export interface Refusal {
  readonly code: number;
  /** The element in question; the service appends it to the general texts only. */
  readonly field?: string;
  /** The unknown person: the text ends with this NIF and name. */
  readonly party?: { readonly nif: string; readonly name: string };
  /** A second text of the table after the first: the error inside a block. */
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
