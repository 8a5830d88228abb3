import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deliveryTopic, isActivationPing, isSignedBy } from "../../../src/domain/shop/delivery.ts";

const bytes = new TextEncoder().encode('{"id":1,"name":"ñ"}');
const signed = (secret: string) => createHmac("sha256", secret).update(bytes).digest("base64");

test("a signature is the base64 of HMAC-SHA256 over the bytes, by any secret alive", () => {
  expect(isSignedBy(bytes, signed("new"), ["new", "old"])).toBe(true);
  expect(isSignedBy(bytes, signed("old"), ["new", "old"])).toBe(true);
  expect(isSignedBy(bytes, signed("older"), ["new", "old"])).toBe(false);
  expect(isSignedBy(bytes, "", ["new"])).toBe(false);
  expect(isSignedBy(bytes, signed("new"), [])).toBe(false);
  expect(isSignedBy(bytes.slice(1), signed("new"), ["new"])).toBe(false);
});

describe("the activation ping", () => {
  const ping = (text: string) => isActivationPing("woocommerce", new TextEncoder().encode(text));
  test.each([
    ["webhook_id=12", true],
    ["webhook_id=", false],
    ["webhook_id=12&x=1", false],
    ['{"webhook_id":12}', false],
    [`webhook_id=${"1".repeat(60)}`, false],
  ])("%s: %s", (text, expected) => {
    expect(ping(text)).toBe(expected);
  });

  test("is one of WooCommerce alone", () => {
    expect(isActivationPing("shopify", new TextEncoder().encode("webhook_id=12"))).toBe(false);
  });
});

test.each([
  ["woocommerce", "order.updated", "order"],
  ["woocommerce", "order.deleted", "deleted"],
  ["woocommerce", "product.updated", undefined],
  ["shopify", "refunds/create", "refund"],
  ["shopify", "orders/delete", "deleted"],
  ["shopify", "toString", undefined],
  ["prestashop", "order_slip", "refund"],
  ["magento", "creditmemo", "refund"],
  ["magento", "order_slip", undefined],
] as const)("%s %s is of %s", (platform, topic, expected) => {
  expect(deliveryTopic(platform, topic)).toBe(expected);
});
