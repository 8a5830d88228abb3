/** Who gets into a company, by which link, and what a link is worth once its maker is gone. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createConsoleApp } from "../../src/http/console/app.ts";
import { consoleDeps } from "../../src/wiring-console.ts";
import { type Browser, newPerson, ownerOf } from "../support/console.ts";
import { openShop, openTestAccount, type Shop } from "../support/shop.ts";

const people = ({ accountId }: Pick<Shop, "accountId">) => `/api/accounts/${accountId}/people`;

async function invite(
  owner: Pick<Browser, "post">,
  shop: Shop,
  { role = "accountant", email = "gestoria@correo.example" } = {},
): Promise<string> {
  const invited = await owner.post(`${people(shop)}/invitations`, { email, role });
  if (invited.status !== 201) throw new Error(`inviting answered ${invited.status}`);
  return new URL(invited.body.data.url).searchParams.get("token") ?? "";
}

const accept = (person: Pick<Browser, "post">, token: string) =>
  person.post("/api/invitations/accept", { token });

async function linesOf({ accountId }: Shop, verb: string): Promise<number> {
  const counted = await env.LEDGER_000.prepare(
    "SELECT count(*) AS lines FROM audit_log WHERE account_id = ? AND verb = ?",
  )
    .bind(accountId, verb)
    .first<number>("lines");
  return counted ?? 0;
}

describe("a link", () => {
  test("is answered again to whom it let in, with one line, and to nobody else", async () => {
    const shop = await openShop();
    const token = await invite(await ownerOf(shop), shop);
    const accountant = await newPerson();
    expect((await accept(accountant, token)).status).toBe(200);
    expect((await accept(accountant, token)).body.data).toEqual({ account: shop.accountId });
    expect((await accept(await newPerson(), token)).body.error_code).toBe("invitation_ended");
    expect(await linesOf(shop, "accept_invitation")).toBe(1);
  });

  test("is not used up by who is a member already", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const token = await invite(owner, shop);
    expect((await accept(owner, token)).status).toBe(200);
    expect((await accept(await newPerson(), token)).status).toBe(200);
  });

  test("takes the place of an earlier one to the same address", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const asOwner = await invite(owner, shop, { role: "owner", email: "Ana@correo.example" });
    const asAccountant = await invite(owner, shop, { email: "ana@correo.example" });
    expect((await owner.get(people(shop))).body.data.invitations).toHaveLength(1);
    expect((await accept(await newPerson(), asOwner)).body.error_code).toBe("invitation_ended");
    expect((await accept(await newPerson(), asAccountant)).status).toBe(200);
  });

  test.each(["DELETE", "PUT"])("ends when its maker is no owner any more (%s)", async (method) => {
    const shop = await openShop();
    const [staying, leaving] = [await ownerOf(shop), await ownerOf(shop)];
    const token = await invite(leaving, shop, { role: "owner" });
    const body = method === "PUT" ? { role: "accountant" } : undefined;
    const kept = await invite(staying, shop, { email: "otra@correo.example" });
    expect((await staying.call(method, `${people(shop)}/${leaving.userId}`, body)).status).toBe(200);
    expect((await accept(await newPerson(), token)).body.error_code).toBe("invitation_ended");
    expect((await accept(await newPerson(), kept)).status).toBe(200);
  });

  test("outlives an owner's leaving that was refused", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const token = await invite(owner, shop);
    await env.DIRECTORY.prepare("DELETE FROM account_owner WHERE account_id = ? AND owner_id <> ?")
      .bind(shop.accountId, owner.userId)
      .run();
    const left = await owner.call("DELETE", `${people(shop)}/${owner.userId}`);
    expect(left.body.error_code).toBe("last_owner");
    expect((await accept(await newPerson(), token)).status).toBe(200);
  });

  test("after twenty within an hour waits", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    await invite(owner, shop);
    await env.DIRECTORY.prepare(
      `INSERT INTO invitation SELECT 'iv' || value, account_id, 'hash' || value, value || '@correo.example', role,
        invited_by, created_at, expires_at, NULL, NULL FROM invitation, json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 19 }, (_, index) => index)))
      .run();
    const answer = await owner.post(`${people(shop)}/invitations`, {
      ...{ email: "una.mas@correo.example", role: "accountant" },
    });
    expect([answer.status, answer.body.error_code]).toEqual([429, "rate_limited"]);
    expect(answer.headers.get("Retry-After")).toBe("3600");
  });

  test("whose mail does not leave is told, and can be made again", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const app = createConsoleApp({
      ...consoleDeps(env),
      mailer: { send: () => Promise.reject(new Error("no mail leaves")) },
    });
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.request(`http://127.0.0.1:8788${people(shop)}/invitations`, {
      method: "POST",
      headers: { Origin: "http://127.0.0.1:8788", "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify({ email: "gestoria@correo.example", role: "accountant" }),
    });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    await invite(owner, shop);
    expect((await owner.get(people(shop))).body.data.invitations).toHaveLength(1);
  });
});

describe("taking back", () => {
  test("what nobody sent leaves no line", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    expect((await owner.call("DELETE", `${people(shop)}/invitations/nowhere`)).status).toBe(404);
    expect(await linesOf(shop, "withdraw_invitation")).toBe(0);
  });

  test.each(["preview", "test", "check"])("is no question, whatever is taken back (%s)", async (id) => {
    const shop = await openShop();
    const accountant = await ownerOf(shop, "accountant");
    const answer = await accountant.call("DELETE", `${people(shop)}/invitations/${id}`);
    expect(answer.body.error_code).toBe("read_only");
  });
});

describe("who owns several companies", () => {
  const isMultiple = async (accountId: string) =>
    (await env.LEDGER_000.prepare("SELECT multiple_issuers AS multiple FROM account WHERE id = ?")
      .bind(accountId)
      .first<number>("multiple")) === 1;

  async function withCompany() {
    const person = await newPerson();
    const { id } = (await person.get("/api/me")).body.data.user;
    return { person, id, own: await openTestAccount("000", { ownerId: id }) };
  }

  test("has each say so, by a link as well", async () => {
    const shop = await openShop();
    const { person, own } = await withCompany();
    await accept(person, await invite(await ownerOf(shop), shop, { role: "owner" }));
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([true, true]);
  });

  test("is nobody who only reads the others, until made an owner", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const { person, id, own } = await withCompany();
    await accept(person, await invite(owner, shop));
    await openTestAccount("000", { ownerId: "somebody else" });
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([false, false]);
    await owner.call("PUT", `${people(shop)}/${id}`, { role: "owner" });
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([true, true]);
  });
});
