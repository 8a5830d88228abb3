import type { Evidence, EvidencePath } from "./submission-writes.ts";

/**
 * Messages and answers, byte for byte, in R2. The AEAT gives neither again, and its CSV proves nothing
 * without them.
 */
export function evidenceStore(bucket: R2Bucket, withDeadline: <T>(call: Promise<T>) => Promise<T>): Evidence {
  return {
    async keep(path, bytes) {
      await withDeadline(
        bucket.put(keyOf(path), bytes, { httpMetadata: { contentType: "text/xml; charset=utf-8" } }),
      );
    },
    async erase(paths) {
      await withDeadline(bucket.delete(paths.map(keyOf)));
    },
  };
}

/** The account comes first, so that its evidence can be listed. */
function keyOf({ accountId, installationId, attemptId, part }: EvidencePath): string {
  return `submission/${accountId}/${installationId}/${attemptId}/${part}.xml`;
}

/** Signed documents, byte for byte. */
export interface SignedDocuments {
  /** By its hash, so that the same one is kept once. */
  keepGrant(accountId: string, sha256: string, text: string): Promise<void>;
  readGrant(accountId: string, sha256: string): Promise<string | undefined>;
  /** The submitted proof of a NIF, a PDF or a signature, by the nonce of its text. */
  keepProof(accountId: string, nonce: string, bytes: Uint8Array): Promise<void>;
  forgetProof(accountId: string, nonce: string): Promise<void>;
}

/** In R2, in the bucket of the messages that they permit. */
export function documentStore(bucket: R2Bucket): SignedDocuments {
  return {
    async keepGrant(accountId, sha256, text) {
      const httpMetadata = { contentType: "text/plain; charset=utf-8" };
      await bucket.put(grantKey(accountId, sha256), text, { httpMetadata });
    },
    async readGrant(accountId, sha256) {
      return (await bucket.get(grantKey(accountId, sha256)))?.text();
    },
    async keepProof(accountId, nonce, bytes) {
      await bucket.put(proofKey(accountId, nonce), bytes);
    },
    async forgetProof(accountId, nonce) {
      await bucket.delete(proofKey(accountId, nonce));
    },
  };
}

/** The key under which an operator finds a proof. */
export function proofKey(accountId: string, nonce: string): string {
  return `proofs/${accountId}/${nonce}`;
}

function grantKey(accountId: string, sha256: string): string {
  return `representation/${accountId}/${sha256}.txt`;
}
