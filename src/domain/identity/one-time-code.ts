/**
 * The second step of a sign-in: codes of an authenticator app (RFC 6238 with SHA-1, six digits and steps of
 * 30 seconds, which is what every app knows), and recovery codes for a person without the app.
 */
import { type RandomBytes, randomText } from "../connection/ids.ts";
import { SECOND_FACTOR } from "../limits.ts";
import type { Instant } from "../shared/instant.ts";

const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 4226, section 4: a shared secret of 160 bits. */
export const SECRET_BYTES = 20;

export function stepAt(now: Instant): number {
  return Math.floor(now / STEP_MS);
}

/** RFC 4226, section 5.1: the text whose HMAC the code is made of. */
export function counterOf(step: number): Uint8Array<ArrayBuffer> {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  return counter;
}

/** The code of an HMAC-SHA-1 of 20 bytes: RFC 4226, section 5.3. */
export function codeOf(hmac: ArrayBuffer): string {
  const bytes = new DataView(hmac);
  const truncated = bytes.getUint32(bytes.getUint8(19) & 15) & 0x7fff_ffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The steps whose codes count: the current one, and its neighbours for a clock that is wrong by some seconds.
 * Steps up to `used` do not count, because a code is valid once. RFC 6238, sections 5.2 and 6.
 */
export function openSteps({
  now,
  used,
}: {
  readonly now: Instant;
  readonly used: number;
}): readonly number[] {
  const current = stepAt(now);
  return [current + 1, current, current - 1].filter((step) => step > used);
}

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 without padding, for a length of whole groups of five bytes: the form that apps read. */
export function base32Of(bytes: Uint8Array): string {
  let [text, held, bits] = ["", 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE_32.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

/** The address that an app reads from the QR code (Google's Key URI Format; the figures are its defaults). */
export function enrolmentUrl(
  secret: Uint8Array,
  { product, email }: { readonly product: string; readonly email: string },
): string {
  const [issuer, account] = [encodeURIComponent(product), encodeURIComponent(email)];
  return `otpauth://totp/${issuer}:${account}?secret=${base32Of(secret)}&issuer=${issuer}`;
}

const RECOVERY_LENGTH = 16;
const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** 80 random bits each, so that their hashes tell nothing; in groups of four, to be typed. */
export function newRecoveryCodes(random: RandomBytes): readonly string[] {
  return Array.from({ length: SECOND_FACTOR.recoveryCodes }, () =>
    randomText(RECOVERY_LENGTH, random).replace(/(?<=.)(?=(.{4})+$)/g, "-"),
  );
}

/** A typed code: of an app, a recovery code without its separators, or neither. */
export type TypedCode =
  | { readonly kind: "app"; readonly code: string }
  | { readonly kind: "recovery"; readonly code: string }
  | { readonly kind: "none" };

export function typedCode(text: string): TypedCode {
  const typed = text.replace(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(typed)) return { kind: "app", code: typed };
  // The letters that the alphabet leaves out, because they look like these digits.
  const code = typed.replace(/[il]/g, "1").replaceAll("o", "0");
  return RECOVERY_CODE.test(code) ? { kind: "recovery", code } : { kind: "none" };
}
