import { expect, test } from "vitest";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import { SIGNED_SHA256, signed } from "../support/einvoice/signed-sample.ts";

test("workerd signs an electronic invoice with the bytes that Node gives", async () => {
  expect(sha256Hex(await signed("Azulejo"))).toBe(SIGNED_SHA256);
});
