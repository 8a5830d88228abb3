import type { Evidence, EvidencePath } from "./submission-ports.ts";

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
export function keyOf({ accountId, installationId, attemptId, part }: EvidencePath): string {
  return `submission/${accountId}/${installationId}/${attemptId}/${part}.xml`;
}
