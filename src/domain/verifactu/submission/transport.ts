/** The raw HTTP outcome, before parsing. `no_connection`: none was made, or it broke. */
export type TransportOutcome =
  | {
      readonly outcome: "answered";
      readonly status: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
      readonly retryAfterSeconds?: number;
    }
  | { readonly outcome: "too_large" | "interrupted"; readonly status: number }
  | { readonly outcome: "no_connection" | "timeout" };
