import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAILING_CALLS, PUBLIC_PAGES } from "../../src/domain/limits.ts";

const CONFIG = readFileSync("wrangler.toml", "utf8");
const BRAKE = /^name = "(\w+_LIMIT)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}$/gm;

test("the brakes of wrangler.toml are those of the limits, in both environments", () => {
  const brakes = [...CONFIG.matchAll(BRAKE)].map(([, name, limit, period]) => [
    name,
    Number(limit),
    Number(period) * 1_000,
  ]);
  const wanted = [
    ["FAILED_AUTHENTICATION_LIMIT", FAILING_CALLS.refusedKeysPerNetwork, FAILING_CALLS.windowMs],
    ["LOOKS_BY_LINK_LIMIT", PUBLIC_PAGES.looksPerLink, PUBLIC_PAGES.windowMs],
    ["LOOKS_BY_NETWORK_LIMIT", PUBLIC_PAGES.looksPerNetwork, PUBLIC_PAGES.windowMs],
  ];
  expect(brakes).toEqual([...wanted, ...wanted]);
  // Sign-in shares the first one, under keys of its own.
  expect(FAILING_CALLS.signInPerNetwork).toBe(FAILING_CALLS.refusedKeysPerNetwork);
});

test("no request may take the processor for longer than half a minute", () => {
  expect([...CONFIG.matchAll(/^\[limits\]\ncpu_ms = (\S+)$/gm)].map(([, ms]) => ms)).toEqual(["30_000"]);
});
