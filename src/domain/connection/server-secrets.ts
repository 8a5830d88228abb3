import { invariant } from "../shared/result.ts";

/**
 * The configured secrets: the current one, then older ones after commas while their signatures are in use. An
 * empty secret is dropped, because anybody could sign with it.
 */
export function serverSecrets(configured: string | undefined): readonly string[] {
  return (configured ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}

/** The secret for new signatures. */
export function currentSecret([current]: readonly string[]): string {
  invariant(current, "the deployment has a secret to sign with");
  return current;
}
