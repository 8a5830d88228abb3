/** Signed documents, byte for byte. */
export interface SignedDocuments {
  /** By its hash, so that the same one is kept once. */
  keepGrant(accountId: string, sha256: string, text: string): Promise<void>;
  readGrant(accountId: string, sha256: string): Promise<string | undefined>;
  /** The submitted proof of a NIF, a PDF or a signature, by the nonce of its text. */
  keepProof(accountId: string, nonce: string, bytes: Uint8Array): Promise<void>;
  forgetProof(accountId: string, nonce: string): Promise<void>;
}
