import { describe, expect, test } from "vitest";
import { deliveryTopic, isActivationPing } from "../../../src/domain/shop/delivery.ts";

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
