import type { SignedDocuments } from "../usecases/console/company-ports.ts";

/** What issuers signed, in R2 beside what was sent in their name; the ledger knows it by its hash. */
export function documentStore(bucket: R2Bucket): SignedDocuments {
  return {
    async keep(accountId, sha256, text) {
      const httpMetadata = { contentType: "text/plain; charset=utf-8" };
      await bucket.put(keyOf(accountId, sha256), text, { httpMetadata });
    },
    async read(accountId, sha256) {
      return (await bucket.get(keyOf(accountId, sha256)))?.text();
    },
  };
}

function keyOf(accountId: string, sha256: string): string {
  return `representation/${accountId}/${sha256}.txt`;
}
