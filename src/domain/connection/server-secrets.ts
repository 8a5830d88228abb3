import { invariant } from "../shared/result.ts";

/**
 * A secret of the deployment as it is configured: the current one, and behind a comma older ones, for as long
 * as what they signed is alive. An empty one is none: what it signs anybody could sign.
 */
export function serverSecrets(configured: string | undefined): readonly string[] {
  return (configured ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}

/** What signs from now on. */
export function currentSecret([current]: readonly string[]): string {
  invariant(current, "the deployment has a secret to sign with");
  return current;
}
