import { currentSecret } from "../domain/connection/server-secrets.ts";
import { base64Of, bytesOf } from "../domain/shared/base64.ts";
import { type SealedSecret, tailOf } from "../domain/shop/connected-shop.ts";
import { seal, unseal } from "./seal.ts";

/** Seals what a shop entrusts to one connection, and opens it again. */
export interface Vault {
  seal(field: string, text: string): Promise<SealedSecret>;
  /** Undefined if it was sealed for another place, or by a secret that is no longer in the list. */
  open(field: string, sealed: SealedSecret): Promise<string | undefined>;
}

const USE = "shop-secret/1";

/** Connection and field are authenticated with each secret: moved to another row, it cannot be opened. */
export function vaultOf(
  connectionId: string,
  serverSecrets: readonly string[],
  random: (sizeBytes: number) => Uint8Array<ArrayBuffer>,
): Vault {
  const placeOf = (field: string) => `${connectionId}:${field}`;
  return {
    async seal(field, text) {
      const key = { secret: currentSecret(serverSecrets), use: USE, place: placeOf(field) };
      const sealed = await seal(new TextEncoder().encode(text), key, random);
      return { sealed: base64Of(sealed), tail: tailOf(text) };
    },
    async open(field, { sealed }) {
      const bytes = bytesOf(sealed);
      for (const secret of serverSecrets) {
        const opened = await unseal(bytes, { secret, use: USE, place: placeOf(field) });
        if (opened) return new TextDecoder().decode(opened);
      }
      return undefined;
    },
  };
}
