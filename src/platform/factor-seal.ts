import { currentSecret } from "../domain/connection/server-secrets.ts";
import { base64Of, bytesOf } from "../domain/shared/base64.ts";
import { seal, unseal } from "./seal.ts";

/** Seals the secrets of authenticator apps, each for its person, and opens them again. */
export interface FactorSeal {
  seal(userId: string, secret: Uint8Array<ArrayBuffer>): Promise<string>;
  /** Undefined if it was sealed for another person, or by a secret that is no longer in the list. */
  open(userId: string, sealed: string): Promise<OpenedFactor | undefined>;
}

interface OpenedFactor {
  readonly secret: Uint8Array<ArrayBuffer>;
  /** True if it was sealed by a secret that is being replaced. */
  readonly isOld: boolean;
}

const USE = "second-factor/1";

/** The first secret of the deployment seals; all of them open. */
export function factorSealOf(
  serverSecrets: readonly string[],
  random: (sizeBytes: number) => Uint8Array<ArrayBuffer>,
): FactorSeal {
  return {
    async seal(userId, secret) {
      const key = { secret: currentSecret(serverSecrets), use: USE, place: userId };
      return base64Of(await seal(secret, key, random));
    },
    async open(userId, sealed) {
      const bytes = bytesOf(sealed);
      for (const [index, secret] of serverSecrets.entries()) {
        const opened = await unseal(bytes, { secret, use: USE, place: userId });
        if (opened) return { secret: opened, isOld: index > 0 };
      }
      return undefined;
    },
  };
}
