/**
 * Leaks on purpose, from each place that logs: the reporter of the run must find all of them, or else it hears
 * nothing and the run fails (test/support/log-scan/reporter.ts). What it looks for is in test/unit/log-scan.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { log } from "../../src/wiring-both.ts";
import { PLANTED } from "../support/log-scan/scan.ts";
import { ledgerStub, openShop } from "../support/worlds/shop.ts";

test("a leak at the edge, in an object and behind an answer is heard", async () => {
  const shop = await openShop();
  log({ level: "info", event: "planted", name: PLANTED, key: shop.key });
  await runInDurableObject(ledgerStub(shop), (object) => {
    log({ level: "info", event: "planted", name: PLANTED, email: "ana@correo.example" });
    expect(object).toBeDefined();
  });
  await Promise.resolve().then(() =>
    log({ level: "info", event: "planted", name: PLANTED, of: "María Ferrer" }),
  );
});
