/** The headers of every answer of every surface. */
import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { API, anEdgeOverAll, openShopWith, STORE, viewerUrl } from "../support/worlds/customer-views.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { openShop } from "../support/worlds/shop.ts";

/** The missing and the superfluous headers, each as one text. */
function faultsOf(headers: Headers, framedBy = "'none'"): string[] {
  const policy = headers.get("Content-Security-Policy") ?? "";
  const wanted: readonly (readonly [string, boolean])[] = [
    [
      "HSTS of a year",
      /max-age=(\d+)/.exec(headers.get("Strict-Transport-Security") ?? "")?.[1] === "31536000",
    ],
    ["nosniff", headers.get("X-Content-Type-Options") === "nosniff"],
    ["no referrer", headers.get("Referrer-Policy") === "no-referrer"],
    ["no other origin", headers.get("Cross-Origin-Resource-Policy") === "same-origin"],
    ["nothing by default", policy.includes("default-src 'none'")],
    ["no script", !policy.includes("script-src")],
    ["no base", policy.includes("base-uri 'none'")],
    ["no form", policy.includes("form-action 'none'")],
    ["frames", policy.includes(`frame-ancestors ${framedBy}`)],
    ["frames of old", (headers.get("X-Frame-Options") === "DENY") === (framedBy === "'none'")],
    ["no CORS", [...headers.keys()].every((name) => !name.startsWith("access-control-"))],
    ["no product", !headers.has("Server") && !headers.has("X-Powered-By")],
  ];
  return wanted.flatMap(([name, holds]) => (holds ? [] : [name]));
}

const isKept = (headers: Headers) => headers.get("Cache-Control") !== "no-store";

describe("the API", () => {
  const { app } = anEdgeOverAll();

  test("every path, for its own methods and for others, and a path that is none", async () => {
    const told: string[] = [];
    const paths = [...ENDPOINTS.map(({ path }) => path.replace(/\{\w+\}/g, "x")), "/nowhere"];
    for (const path of paths) {
      for (const method of ["GET", "POST", "PUT", "OPTIONS", "HEAD"]) {
        const { status, headers } = await app.request(`${API}${path}`, { method });
        const kept = isKept(headers) && !/\.(css|woff2)$/.test(path) ? ["kept"] : [];
        for (const fault of [...faultsOf(headers), ...kept])
          told.push(`${method} ${path} ${status}: ${fault}`);
      }
    }
    expect(told).toEqual([]);
  });
});

describe("the viewer", () => {
  test("a link in no frame, an embed in its one origin, files and refusals alike", async () => {
    const edge = anEdgeOverAll();
    const shop = await openShopWith(["A-1"]);
    const link = await viewerUrl(edge, shop, "A-1");
    const embed = await viewerUrl(edge, shop, "A-1", { presentation: "embed", origin: STORE });
    const [, number = ""] = /PED-1S-\d{4}-\d{6}/.exec(await (await edge.app.request(link)).text()) ?? [];
    for (const [url, framedBy] of [
      [link, "'none'"],
      [`${link}/${number}.pdf`, "'none'"],
      [`${link}x`, "'none'"],
      [embed, STORE],
    ] as const) {
      const { headers } = await edge.app.request(url);
      expect(faultsOf(headers, framedBy)).toEqual([]);
      expect(isKept(headers)).toBe(false);
      expect(headers.get("X-Robots-Tag") ?? "noindex").toContain("noindex");
    }
  });
});

describe("the console's API", () => {
  const METHODS = new Set(["GET", "POST", "PUT", "DELETE", "PATCH"]);

  test("every route, for who is not signed in", async () => {
    const routes = createConsoleApp(consoleDeps(ownerOver(env))).routes.filter(
      ({ method, path }) => METHODS.has(method) && !path.includes("*"),
    );
    const told: string[] = [];
    for (const { method, path } of routes) {
      const address = `http://127.0.0.1:8788${path.replace(/:(\w+)(\{[^}]*\})?/g, "x")}`;
      const { headers } = await exports.OwnerApi.fetch(address, {
        method,
        headers: { Origin: "http://127.0.0.1:8788" },
      });
      for (const fault of [...faultsOf(headers), ...(isKept(headers) ? ["kept"] : [])]) {
        told.push(`${method} ${path}: ${fault}`);
      }
    }
    expect(told).toEqual([]);
  });

  test("what its owner reads and takes along", async () => {
    const shop = await openShop();
    const issued = await clientOf(shop).issue("a1");
    if (issued.outcome !== "issued") throw new Error(issued.outcome);
    const owner = await ownerOf(shop);
    const account = `/api/accounts/${shop.accountId}`;
    for (const path of [
      "/api/me",
      `${account}/invoices/${issued.invoice.invoiceId}/pdf`,
      `${account}/connections/${shop.connectionId}/exports/invoices.csv?month=2026-01`,
      "/api/auth/passkey/list-user-passkeys",
      "/api/nowhere",
    ]) {
      const { status, headers } = await owner.raw(path);
      const expected = path.endsWith("nowhere") ? 404 : 200;
      expect([path, status, faultsOf(headers), isKept(headers)]).toEqual([path, expected, [], false]);
    }
  });
});
