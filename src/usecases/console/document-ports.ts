/** Documents that people signed, word for word. */
export interface SignedDocuments {
  /** By its hash, so that the same one is kept once. */
  keepGrant(accountId: string, sha256: string, text: string): Promise<void>;
  readGrant(accountId: string, sha256: string): Promise<string | undefined>;
  /** What was shown of a NIF: a PDF or a signature. */
  keepProof(accountId: string, sha256: string, bytes: Uint8Array): Promise<void>;
}
