/** An invoice as it stands in the database, with what the authority says of it. */
export interface InvoiceSheet {
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly origin: string;
  /** JSON of the immutable document. */
  readonly document: string;
  /** Of its registration, or of the newest amendment of it. */
  readonly registered: AuthoritySays;
  /** Of its newest annulment. */
  readonly annulled?: AuthoritySays;
}

export interface AuthoritySays {
  readonly state: string;
  readonly code?: number;
}
