/** A passkey in software: what a browser and its device answer to the ceremonies. */
import type { Browser, ConsoleAnswer } from "./visitor.ts";

const ORIGIN = "http://localhost:8788";
const RP_ID = "localhost";
const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

export interface SoftPasskey {
  /** As who is signed in there. */
  add(at: Browser): Promise<ConsoleAnswer>;
  signIn(at: Browser): Promise<ConsoleAnswer>;
}

export async function softPasskey(): Promise<SoftPasskey> {
  const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
  ])) as CryptoKeyPair;
  const { x = "", y = "" } = (await crypto.subtle.exportKey("jwk", keys.publicKey)) as JsonWebKey;
  const id = crypto.getRandomValues(new Uint8Array(16));
  let counter = 0;

  async function authenticatorData(flags: number, ...more: Uint8Array[]): Promise<Uint8Array> {
    counter += 1;
    return joined(await sha256(utf8(RP_ID)), [flags], [0, 0, 0, counter], ...more);
  }

  const clientData = (type: string, challenge: string) =>
    utf8(JSON.stringify({ type, challenge, origin: ORIGIN, crossOrigin: false }));

  const credential = (response: object) => ({
    response: {
      ...{ id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} },
      response,
    },
  });

  return {
    async add(at) {
      const options = await at.get("/api/auth/passkey/generate-register-options");
      if (options.status !== 200) return options;
      // COSE: EC2, ES256, P-256.
      const key = joined(
        [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32],
        bytes(x),
        [0x22, 0x58, 32],
        bytes(y),
      );
      const data = await authenticatorData(0x45, new Uint8Array(16), joined([0, id.length], id), key);
      const attestation = joined(
        ...[[0xa3], text("fmt"), text("none"), text("attStmt"), [0xa0], text("authData")],
        ...[[0x58, data.length], data],
      );
      const told = clientData("webauthn.create", options.body.challenge);
      return at.post(
        "/api/auth/passkey/verify-registration",
        credential({ clientDataJSON: base64url(told), attestationObject: base64url(attestation) }),
      );
    },
    async signIn(at) {
      const options = await at.get("/api/auth/passkey/generate-authenticate-options");
      const data = await authenticatorData(0x05);
      const told = clientData("webauthn.get", options.body.challenge);
      const signed = joined(data, await sha256(told));
      const raw = new Uint8Array(
        await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, signed),
      );
      return at.post(
        "/api/auth/passkey/verify-authentication",
        credential({
          ...{ clientDataJSON: base64url(told), authenticatorData: base64url(data) },
          signature: base64url(der(raw)),
        }),
      );
    },
  };
}

function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

/** A short text in CBOR. */
function text(value: string): Uint8Array {
  return joined([0x60 + value.length], utf8(value));
}

function base64url(data: Uint8Array): string {
  return btoa(String.fromCharCode(...data))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

/** A raw signature as ASN.1 has it. */
function der(raw: Uint8Array): Uint8Array {
  const integers = [raw.slice(0, 32), raw.slice(32)].map((part) => {
    const bare = part.slice(
      Math.max(
        0,
        part.findIndex((byte) => byte !== 0),
      ),
    );
    const positive = (bare[0] ?? 0) > 0x7f ? joined([0], bare) : bare;
    return joined([2, positive.length], positive);
  });
  const body = joined(...integers);
  return joined([0x30, body.length], body);
}
