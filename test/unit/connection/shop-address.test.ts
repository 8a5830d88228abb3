import { describe, expect, test } from "vitest";
import { newId } from "../../../src/domain/connection/ids.ts";
import { newAddressNonce, placeOfAddress, shopAddress } from "../../../src/domain/connection/shop-address.ts";

const random = (sizeBytes: number) => Uint8Array.from({ length: sizeBytes }, (_, at) => at * 7);
const connectionId = newId("cn", "000", random);
const PLACE = { connectionId, nonce: newAddressNonce(random) };
const ADDRESS = shopAddress("woocommerce", PLACE, "new");

test("an address names its connection and its nonce", () => {
  expect(ADDRESS).toMatch(/^sa_cn000[0-9a-z]{16}_[0-9a-z]{20}_[0-9a-f]{32}$/);
  expect(placeOfAddress("woocommerce", ADDRESS, ["new"])).toEqual(PLACE);
});

test("every secret of the list verifies, and none other", () => {
  expect(placeOfAddress("woocommerce", ADDRESS, ["newer", "new"])).toEqual(PLACE);
  expect(placeOfAddress("woocommerce", ADDRESS, ["newer"])).toBeUndefined();
  expect(placeOfAddress("woocommerce", ADDRESS, [])).toBeUndefined();
});

describe("names nothing", () => {
  test.each([
    ["an address of another platform", "shopify" as const, ADDRESS],
    ["another connection", "woocommerce" as const, ADDRESS.replace("cn000", "cn001")],
    ["another tag", "woocommerce" as const, `${ADDRESS.slice(0, -1)}${ADDRESS.endsWith("0") ? "1" : "0"}`],
    ["more behind it", "woocommerce" as const, `${ADDRESS}0`],
    ["an API key", "woocommerce" as const, ADDRESS.replace("sa_", "ck_live_")],
    ["an empty text", "woocommerce" as const, ""],
  ])("%s", (_, platform, address) => {
    expect(placeOfAddress(platform, address, ["new"])).toBeUndefined();
  });
});
