import { describe, expect, test } from "vitest";
import {
  base32Of,
  enrolmentUrl,
  newRecoveryCodes,
  stepAt,
  typedCode,
} from "../../../src/domain/identity/one-time-code.ts";
import { codesAt, stepOfCode } from "../../../src/platform/one-time-code.ts";

const SECRET = Uint8Array.from(new TextEncoder().encode("12345678901234567890"));
const codeAt = async (secret: Uint8Array<ArrayBuffer>, step: number) =>
  (await codesAt(secret, [step]))[0] ?? "";
const random = (sizeBytes: number) => Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 7) % 256);

describe("a code", () => {
  // RFC 6238, appendix B, SHA-1: the last six of eight digits, because eight are the same number in full.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %d is that of RFC 6238", async (second, code) => {
    expect(await codeAt(SECRET, stepAt(second * 1_000))).toBe(code);
  });

  // RFC 4226, appendix D.
  test("of the first ten counters is that of RFC 4226", async () => {
    const codes = await codesAt(
      SECRET,
      Array.from({ length: 10 }, (_, counter) => counter),
    );
    expect(codes).toEqual([
      ...["755224", "287082", "359152", "969429", "338314"],
      ...["254676", "287922", "162583", "399871", "520489"],
    ]);
  });

  const NOW = 1_111_111_109_000;
  const STEP = stepAt(NOW);

  test.each([
    ["of two steps ago is refused", -2, 0, undefined],
    ["of the step before is accepted", -1, 0, STEP - 1],
    ["of the current step is accepted", 0, 0, STEP],
    ["of the next step is accepted", 1, 0, STEP + 1],
    ["of two steps ahead is refused", 2, 0, undefined],
    ["of the last accepted step is refused", 0, STEP, undefined],
    ["of a step before the last accepted one is refused", -1, STEP, undefined],
    ["of the step after the last accepted one is accepted", 0, STEP - 1, STEP],
  ])("%s", async (_, away, used, expected) => {
    const code = await codeAt(SECRET, STEP + away);
    expect(await stepOfCode(SECRET, code, { now: NOW, used })).toBe(expected);
  });

  test("of another secret is refused", async () => {
    const other = Uint8Array.from(new TextEncoder().encode("09876543210987654321"));
    const code = await codeAt(SECRET, STEP);
    expect(await stepOfCode(other, code, { now: NOW, used: 0 })).toBeUndefined();
  });
});

describe("the secret", () => {
  // RFC 4648, section 10: the vectors of whole groups of five bytes, without padding.
  test.each([
    ["", ""],
    ["fooba", "MZXW6YTB"],
    ["12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
  ])("%j is %j in base 32", (text, expected) => {
    expect(base32Of(new TextEncoder().encode(text))).toBe(expected);
  });

  test("is in the address that an app reads, with product and address of the person", () => {
    expect(enrolmentUrl(SECRET, { product: "Cuadre", email: "ana+1@correo.example" })).toBe(
      "otpauth://totp/Cuadre:ana%2B1%40correo.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Cuadre",
    );
  });
});

describe("recovery codes", () => {
  test("are ten different ones in groups of four, and each is read as it is shown", () => {
    let calls = 0;
    const codes = newRecoveryCodes((sizeBytes) => random(sizeBytes + ++calls).slice(calls));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
      expect(typedCode(code)).toEqual({ kind: "recovery", code: code.replaceAll("-", "") });
    }
  });

  test.each([
    ["123456", { kind: "app", code: "123456" }],
    [" 123 456 ", { kind: "app", code: "123456" }],
    ["ABCD-EFGH-JKMN-PQRS", { kind: "recovery", code: "abcdefghjkmnpqrs" }],
    ["OIL0 0000 0000 0000", { kind: "recovery", code: "0110000000000000" }],
    ["12345", { kind: "none" }],
    ["1234567", { kind: "none" }],
    ["abcd-efgh-jkmn-pqru", { kind: "none" }],
    ["", { kind: "none" }],
    ["١٢٣٤٥٦", { kind: "none" }],
  ])("%j is read as %j", (typed, expected) => {
    expect(typedCode(typed)).toEqual(expected);
  });
});
