import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  bodyOf,
  newMessageId,
  newSigningSecret,
  rotated,
  signatureOf,
  signedHeaders,
  withoutPrevious,
} from "../../../src/domain/callback/message.ts";
import { aSecret, counting } from "../../support/builders/callbacks.ts";

/** The values that the libraries of Standard Webhooks test themselves with. */
const PUBLISHED = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  content: {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

/** The signature that a receiver computes. */
function expectedBy(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`;
}

test("the published example", () => {
  expect(signatureOf(PUBLISHED.content, { current: PUBLISHED.secret })).toBe(PUBLISHED.signature);
});

test("the body is signed as it is sent, in UTF-8", () => {
  const body = bodyOf("pull.requested", 0, { store_ids: "ñandú €" });
  const content = { id: "msg_1", timestampSeconds: 7, body };
  expect(signatureOf(content, { current: aSecret(1) })).toBe(expectedBy(aSecret(1), `msg_1.7.${body}`));
});

describe("rotation", () => {
  const content = { id: "msg_1", timestampSeconds: 7, body: "{}" };
  const [first, second, third] = [aSecret(1), aSecret(2), aSecret(3)] as const;
  const signers = (secrets: { readonly current: string; readonly previous?: string }) =>
    signatureOf(content, secrets)
      .split(" ")
      .map(
        (one) => [first, second, third].findIndex((secret) => one === expectedBy(secret, "msg_1.7.{}")) + 1,
      );

  test("the new secret signs first, with the old one until the overlap ends", () => {
    const overlapping = rotated({ current: first }, second);
    expect(signers({ current: first })).toEqual([1]);
    expect(signers(overlapping)).toEqual([2, 1]);
    expect(signers(withoutPrevious(overlapping))).toEqual([2]);
  });

  test("never are there three", () => {
    expect(signers(rotated(rotated({ current: first }, second), third))).toEqual([3, 2]);
  });

  test("ending an overlap that is none changes nothing", () => {
    expect(withoutPrevious({ current: first })).toEqual({ current: first });
  });
});

test("a secret has 32 random bytes after its prefix", () => {
  const secret = newSigningSecret(counting);
  expect(secret).toBe("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
  expect(signatureOf(PUBLISHED.content, { current: secret })).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
});

test("a message's id has 130 random bits and no dot", () => {
  expect(newMessageId(counting)).toMatch(/^msg_[0-9a-z]{26}$/);
});

describe("a wrong input to a signature is a bug", () => {
  test.each([
    ["an id with a dot", { id: "msg.1" }, aSecret(1)],
    ["no id", { id: "" }, aSecret(1)],
    ["half a second", { timestampSeconds: 0.5 }, aSecret(1)],
    ["a secret without prefix", {}, aSecret(1).slice(6)],
    ["a secret of 16 bytes", {}, `whsec_${Buffer.alloc(16).toString("base64")}`],
    ["a secret that is none", {}, "whsec_¿?"],
  ])("%s", (_, change, secret) => {
    const signing = () => signatureOf({ ...PUBLISHED.content, ...change }, { current: secret });
    expect(signing).toThrow("invariant broken");
    expect(signing).not.toThrow(secret);
  });
});

test("the headers of an attempt", () => {
  const message = {
    id: "msg_1",
    url: "https://tienda.es/",
    body: "{}",
    secrets: { current: aSecret(1) },
    at: 1_700_000_000_999,
  };
  expect(signedHeaders(message)).toEqual({
    "webhook-id": "msg_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature": expectedBy(aSecret(1), "msg_1.1700000000.{}"),
  });
});

test("a body says what, when and the facts", () => {
  expect(bodyOf("pull.requested", Date.UTC(2026, 10, 28, 9, 30), { store_ids: "" })).toBe(
    '{"type":"pull.requested","timestamp":"2026-11-28T09:30:00.000Z","data":{"store_ids":""}}',
  );
});
