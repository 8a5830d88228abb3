import { type After, readAtMost, within } from "../../../platform/limits.ts";
import type { VerifySignature } from "../prove-company.ts";
import type { AskStatus } from "./revocation.ts";
import trusted from "./trusted-anchors.json" with { type: "json" };
import { signatureVerifier } from "./verify-signature.ts";

interface VerifierDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: After;
}

const LIMIT_MS = 10_000;
const LONGEST_ANSWER_BYTES = 65_536;

/** Trusts the anchors of `trusted-anchors.json` and queries the OCSP responders named in certificates. */
export function certificateVerifier({ fetch, after }: VerifierDeps): VerifySignature {
  const anchors: readonly string[] = trusted.anchors;
  const askStatus: AskStatus = (url, request) =>
    within(LIMIT_MS, after, {
      late: () => undefined,
      ask: async (signal) => {
        const response = await fetch(url, {
          method: "POST",
          headers: { "Content-Type": "application/ocsp-request" },
          body: request.slice().buffer,
          redirect: "manual",
          signal,
        }).catch(() => undefined);
        if (response?.status !== 200 || !response.body) return undefined;
        return (await readAtMost(response.body, { mostBytes: LONGEST_ANSWER_BYTES })).bytes;
      },
    });
  return signatureVerifier({ anchors: anchors.map(fromBase64), askStatus });
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
