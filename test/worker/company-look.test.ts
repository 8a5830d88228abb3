/** The logo of a company in R2: uploaded once, shown on page and PDF, gone when it is taken away. */
import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { drawPng } from "../support/builders/png.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";

/** One colour of its own, so that each logo is another file. */
function logo(shade: number): Uint8Array<ArrayBuffer> {
  const row = [0, ...Array<number>(40 * 4).fill(shade)];
  return drawPng({ width: 40, height: 14, depth: 8, colour: 6, rows: Array(14).fill(row) });
}

const path = ({ accountId }: Shop) => `/api/accounts/${accountId}/company/look/logo`;

async function upload(owner: Browser, shop: Shop, bytes: BodyInit, contentType = "image/png") {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const origin = new URL(env.CONSOLE_URL).origin;
  const response = await exports.OwnerApi.fetch(`${origin}${path(shop)}`, {
    method: "PUT",
    headers: { Origin: origin, Cookie: cookie, "Content-Type": contentType },
    body: bytes,
  });
  const body = await response.json<{ error_code?: string; data?: unknown }>();
  return { status: response.status, code: body.error_code, data: body.data };
}

async function filesOf({ accountId }: Shop): Promise<string[]> {
  const { objects } = await env.EVIDENCE.list({ prefix: `brand/${accountId}/` });
  return objects.map(({ key }) => key.replace(/[0-9a-f]{64}/, "…"));
}

async function opened() {
  const shop = await openCommerce();
  return { shop, owner: await ownerOf(shop) };
}

const TWO = (accountId: string) => [`brand/${accountId}/….png`, `brand/${accountId}/….rgb`];

test("a logo is kept, read by the owner, replaced and taken away, each with its files", async () => {
  const { shop, owner } = await opened();
  expect((await owner.raw(path(shop))).status).toBe(404);
  expect(await upload(owner, shop, logo(1))).toMatchObject({ status: 200, data: { width: 40, height: 14 } });
  expect(await filesOf(shop)).toEqual(TWO(shop.accountId));
  const shown = await owner.raw(path(shop));
  expect(shown.headers.get("Content-Type")).toBe("image/png");
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(logo(1));
  expect((await upload(owner, shop, logo(2))).status).toBe(200);
  expect(await filesOf(shop)).toEqual(TWO(shop.accountId));
  // The same again is no second act.
  expect((await upload(owner, shop, logo(2))).status).toBe(200);
  expect((await owner.call("DELETE", path(shop))).status).toBe(200);
  expect((await owner.call("DELETE", path(shop))).status).toBe(200);
  expect(await filesOf(shop)).toEqual([]);
  const { items } = (await owner.get(`/api/accounts/${shop.accountId}/activity?area=company`)).body.data;
  expect(items.map(({ facts }: { facts: object }) => facts)).toEqual(Array(3).fill({ changed: "logo" }));
});

test("a refused file leaves nothing behind", async () => {
  const { shop, owner } = await opened();
  const text = new TextEncoder().encode("<svg onload='alert(1)'/>");
  expect(await upload(owner, shop, text)).toMatchObject({ status: 422, code: "logo_unreadable" });
  expect(await upload(owner, shop, new Uint8Array(200_000))).toMatchObject({ code: "logo_too_large" });
  expect(await upload(owner, shop, new Uint8Array(1_100_000))).toMatchObject({ status: 413 });
  expect(await upload(owner, shop, text, "image/svg+xml")).toMatchObject({ status: 415 });
  const accountant = await ownerOf(shop, "accountant");
  expect(await upload(accountant, shop, logo(3))).toMatchObject({ status: 403 });
  expect(await filesOf(shop)).toEqual([]);
});

test("of two owners at once the logo that is set keeps its files, and the other leaves none", async () => {
  const { shop, owner } = await opened();
  const other = await ownerOf(shop);
  const sent = await Promise.all([upload(owner, shop, logo(4)), upload(other, shop, logo(5))]);
  expect(sent.some(({ status }) => status === 200)).toBe(true);
  expect(await filesOf(shop)).toEqual(TWO(shop.accountId));
  expect((await owner.raw(path(shop))).status).toBe(200);
  const same = await Promise.all([upload(owner, shop, logo(6)), upload(other, shop, logo(6))]);
  expect(same.some(({ status }) => status === 200)).toBe(true);
  expect((await owner.raw(path(shop))).status).toBe(200);
});

test("a customer's page shows the logo from its own host, and the PDF contains it", async () => {
  const { shop, owner } = await opened();
  const call = (to: string, init?: RequestInit) => exports.default.fetch(`https://api.example${to}`, init);
  const openLink = async () => {
    const answer = await call("/api/v1/order/invoice-access", {
      method: "POST",
      headers: { "X-API-KEY": shop.key, "Content-Type": "application/json" },
      body: JSON.stringify({ order_id: "A-1", presentation: "link" }),
    });
    const { data } = await answer.json<{ data: { viewer_url: string } }>();
    return new URL(data.viewer_url).pathname;
  };
  await orderConnector(shop).send(aSentOrder("A-1"));
  const plain = await openLink();
  const before = await call(plain);
  expect(before.headers.get("Content-Security-Policy")).not.toContain("img-src");
  expect(await before.text()).not.toContain("<img");
  await upload(owner, shop, logo(7));
  const link = await openLink();
  const page = await call(link);
  expect(page.headers.get("Content-Security-Policy")).toContain("img-src 'self'");
  const html = await page.text();
  const src = /<img class="logo" src="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(src).toMatch(/^\/brand\/ac[0-9a-z]+\/[0-9a-f]{64}\.png$/);
  const image = await call(src);
  expect([image.status, image.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  expect(new Uint8Array(await image.arrayBuffer())).toEqual(logo(7));
  const number = /\/([^/"]+)\.pdf"/.exec(html)?.[1] ?? "";
  const pdf = new TextDecoder("latin1").decode(await (await call(`${link}/${number}.pdf`)).arrayBuffer());
  expect(pdf).toContain("/Subtype /Image /Width 40 /Height 14");
  for (const unknown of [src.replace(/[0-9a-f]{64}/, "0".repeat(64)), "/brand/ac1/x.png", "/brand/../x"]) {
    expect((await call(unknown)).status).toBe(404);
  }
});
