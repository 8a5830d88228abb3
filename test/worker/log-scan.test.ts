/**
 * Leaks on purpose, from each place that logs: the run fails unless the reporter finds all of them
 * (test/support/log-scan/reporter.ts). test/unit/log-scan tests what it looks for.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { log } from "../../src/wiring-both.ts";
import { PLANTED } from "../support/log-scan/scan.ts";
import { ledgerStub, openShop } from "../support/worlds/shop.ts";

test("a leak at the edge, in an object and after an answer is found", async () => {
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
