/** An invoice as stored, with the authority's answers to its records. */
export interface InvoiceSheet {
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly origin: string;
  /** JSON of the immutable document. */
  readonly document: string;
  /** The answer to the registration, or to its newest amendment. */
  readonly registered: AuthoritySays;
  /** The answer to the newest annulment. */
  readonly annulled?: AuthoritySays;
}

export interface AuthoritySays {
  readonly state: string;
  readonly code?: number;
}
