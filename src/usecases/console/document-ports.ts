/** Documents that people signed, word for word. */
export interface SignedDocuments {
  /** By its hash, so that the same one is kept once. */
  keepGrant(accountId: string, sha256: string, text: string): Promise<void>;
  readGrant(accountId: string, sha256: string): Promise<string | undefined>;
}
