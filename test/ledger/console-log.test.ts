/** One line for each request of the console, with the known members and no others. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import type { ConsoleLogLine } from "../../src/console/deps.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { openShop } from "../support/worlds/shop.ts";

test("a line has route and outcome, and claims no count of trips", async () => {
  const shop = await openShop();
  const { cookies } = await ownerOf(shop);
  const lines: ConsoleLogLine[] = [];
  const app = createConsoleApp({ ...consoleDeps(ownerOver(env)), log: (line) => lines.push(line) });
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const path = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/submission/attempts`;
  const answer = await app.request(`http://127.0.0.1:8788${path}?installation=none`, { headers: { Cookie } });
  expect(answer.status).toBe(200);
  await app.request("http://127.0.0.1:8788/api/accounts/nobody/overview", { headers: { Cookie } });
  expect(lines).toEqual([
    {
      ...{ request_id: answer.headers.get("X-Request-Id"), connection_id: shop.connectionId },
      route: "/api/accounts/:account/connections/:connection/submission/attempts",
      ...{ method: "GET", status: 200, duration_ms: expect.any(Number) },
    },
    expect.objectContaining({ status: 404, error_code: "not_found" }),
  ]);
});
