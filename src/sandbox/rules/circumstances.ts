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
