import { describe, expect, test } from "vitest";
import { signatureBody } from "../../../src/console/company/proofs.ts";

const NONCE = "0".repeat(32);

const takes = (signature: string) => signatureBody.safeParse({ nonce: NONCE, signature }).success;

/** All texts of these letters, up to a length. */
function textsOf(letters: readonly string[], longest: number): string[] {
  if (longest === 0) return [""];
  const shorter = textsOf(letters, longest - 1);
  const long = shorter.filter(({ length }) => length === longest - 1);
  return [...shorter, ...long.flatMap((text) => letters.map((letter) => text + letter))];
}

describe("the base 64 of a signature", () => {
  test.each(["MAA=", "MA==", "MAAA", "+/+/", `${"A".repeat(16_096)}AA==`])("is taken: %#", (text) => {
    expect(takes(text)).toBe(true);
  });

  test.each(["", "A", "AB=", "AAAAA", "A===", "====", "MA=A", "MAA=MAA=", "MA A", "MAA\n", "MA-_", "MAAÁ"])(
    "is refused: %j",
    (text) => {
      expect(takes(text)).toBe(false);
    },
  );

  test("that is taken is decoded, and that which is whole is taken", () => {
    for (const text of textsOf(["A", "/", "=", " "], 8)) {
      const isWhole = /^[A/]*={0,2}$/.test(text) && text.length > 0 && text.length % 4 === 0;
      expect([text, takes(text)]).toEqual([text, isWhole && !text.startsWith("=")]);
      if (takes(text)) expect(btoa(atob(text)).length).toBe(text.length);
    }
  });
});
