import { codeOf, counterOf, openSteps } from "../domain/identity/one-time-code.ts";
import type { Instant } from "../domain/shared/instant.ts";

/** The code that an authenticator app shows at each of these steps. */
export async function codesAt(
  secret: Uint8Array<ArrayBuffer>,
  steps: readonly number[],
): Promise<readonly string[]> {
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const signed = steps.map((step) => crypto.subtle.sign("HMAC", key, counterOf(step)));
  return (await Promise.all(signed)).map(codeOf);
}

/** The open step that shows this code. */
export async function stepOfCode(
  secret: Uint8Array<ArrayBuffer>,
  code: string,
  at: { readonly now: Instant; readonly used: number },
): Promise<number | undefined> {
  const steps = openSteps(at);
  const codes = await codesAt(secret, steps);
  return steps[codes.indexOf(code)];
}
