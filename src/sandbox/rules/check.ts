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

/** Facts for the rules from outside the record. */
export interface Circumstances {
  /** The service's clock, in milliseconds. */
  readonly now: number;
  /** Its day in Madrid, yyyy-mm-dd. */
  readonly today: string;
  /** NIF of ObligadoEmision in the header. */
  readonly issuerNif: string;
  /** RemisionVoluntaria/Incidencia = S */
  readonly isIncident: boolean;
  readonly lists: UnknownLists;
}

/** The sandbox has no census: every NIF with a correct control character is in it, except these. */
export interface UnknownLists {
  readonly notInCensus: ReadonlySet<string>;
  readonly notInVies: ReadonlySet<string>;
  readonly noAgreement: ReadonlySet<string>;
}
