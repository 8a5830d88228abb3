import { expect, test } from "vitest";
import { networkOf } from "../../../src/platform/brake.ts";

test.each([
  ["an address of IPv4 is one customer's", "203.0.113.7", "203.0.113.7"],
  ["of IPv6 the network is", "2001:DB8:0001:2::1", "2001:db8:1:2::/64"],
  ["with anything after it", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["also where it is left out", "2001:db8::5", "2001:db8:0:0::/64"],
  ["or begins with nothing", "::1", "0:0:0:0::/64"],
  ["without a network it is one for all", undefined, "unknown"],
])("%s", (_, address, network) => {
  expect(networkOf(address)).toBe(network);
});
