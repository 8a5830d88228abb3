/** An authenticator app: what it shows for a secret, and a person who has set one up. */
import { createHmac } from "node:crypto";
import type { Browser } from "./visitor.ts";

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOfBase32(text: string): Uint8Array {
  const bits = [...text].map((sign) => BASE_32.indexOf(sign).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** RFC 6238, written apart from the product. */
function codeAt(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(step, 4);
  const hash = createHmac("sha1", key).update(counter).digest();
  const code = (hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fff_ffff) % 1_000_000;
  return String(code).padStart(6, "0");
}

export interface AuthenticatorApp {
  /** The code of the current step, or of one so many steps away. */
  code(away?: number): string;
}

export function appWith(secret: string): AuthenticatorApp {
  const key = bytesOfBase32(secret);
  return { code: (away = 0) => codeAt(key, Math.floor(Date.now() / 30_000) + away) };
}

/** Sets up the app of a person who is signed in; the code of the step before is used up by that. */
export async function setUpApp(
  person: Browser,
): Promise<AuthenticatorApp & { readonly recoveryCodes: readonly string[]; readonly secret: string }> {
  const begun = await person.post("/api/me/second-factor/set-up", {});
  if (begun.status !== 200) throw new Error(`the set-up answered ${begun.status}`);
  const { secret } = begun.body.data;
  const app = appWith(secret);
  const confirmed = await person.post("/api/me/second-factor/confirm", { code: app.code(-1) });
  if (confirmed.status !== 200) throw new Error(`the first code was answered ${confirmed.status}`);
  return { ...app, secret, recoveryCodes: confirmed.body.data.recoveryCodes };
}
