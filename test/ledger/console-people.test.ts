/** The ways into a company, by each link, and the worth of a link once its sender is gone. */

import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { type Browser, hearMails, newPerson, ownerOf } from "../support/worlds/console.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { openShop, openTestAccount, type Shop, verify } from "../support/worlds/shop.ts";

const people = ({ accountId }: Pick<Shop, "accountId">) => `/api/accounts/${accountId}/people`;

async function invite(
  owner: Pick<Browser, "post">,
  shop: Shop,
  { role = "accountant", email = "gestoria@correo.example" }: { role?: string; email?: string } = {},
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
  test("gives the person it admitted the same answer again, with one line, and no other", async () => {
    const [shop, accountant] = [await openShop(), await newPerson()];
    const token = await invite(await ownerOf(shop), shop, accountant);
    expect((await accept(accountant, token)).status).toBe(200);
    expect((await accept(accountant, token)).body.data).toEqual({
      account: shop.accountId,
      isOffered: false,
    });
    expect((await accept(await newPerson(), token)).body.error_code).toBe("invitation_ended");
    expect(await linesOf(shop, "accept_invitation")).toBe(1);
  });

  test("opens for the invited address alone, in any case, with any holder", async () => {
    const [shop, invited, other] = [await openShop(), await newPerson(), await newPerson()];
    const token = await invite(await ownerOf(shop), shop, { email: invited.email.toUpperCase() });
    const refused = await accept(other, token);
    expect([refused.status, refused.body.error_code]).toEqual([403, "invitation_for_another"]);
    expect((await other.get("/api/me")).body.data.accounts).toEqual([]);
    expect((await accept(invited, token)).status).toBe(200);
  });

  test("is not used up by who is a member already", async () => {
    const [shop, invited] = [await openShop(), await newPerson()];
    const owner = await ownerOf(shop);
    const token = await invite(owner, shop, invited);
    expect((await accept(owner, token)).status).toBe(200);
    expect((await accept(invited, token)).status).toBe(200);
  });

  test("takes the place of an earlier one to the same address", async () => {
    const [shop, ana] = [await openShop(), await newPerson()];
    const owner = await ownerOf(shop);
    const asOwner = await invite(owner, shop, { email: ana.email.toUpperCase(), role: "owner" });
    const asAccountant = await invite(owner, shop, ana);
    expect((await owner.get(people(shop))).body.data.invitations).toHaveLength(1);
    expect((await accept(ana, asOwner)).body.error_code).toBe("invitation_ended");
    expect((await accept(ana, asAccountant)).status).toBe(200);
  });

  test.each(["DELETE", "PUT"])("ends when its sender is no owner (%s)", async (method) => {
    const shop = await openShop();
    const [staying, leaving] = [await ownerOf(shop), await ownerOf(shop)];
    const [invited, other] = [await newPerson(), await newPerson()];
    const token = await invite(leaving, shop, { ...invited, role: "owner" });
    const body = method === "PUT" ? { role: "accountant" } : undefined;
    const kept = await invite(staying, shop, other);
    expect((await staying.call(method, `${people(shop)}/${leaving.userId}`, body)).status).toBe(200);
    expect((await accept(invited, token)).body.error_code).toBe("invitation_ended");
    expect((await accept(other, kept)).status).toBe(200);
  });

  test("outlives an owner's leaving that was refused", async () => {
    const [shop, invited] = [await openShop(), await newPerson()];
    const owner = await ownerOf(shop);
    const token = await invite(owner, shop, invited);
    await env.DIRECTORY.prepare("DELETE FROM account_owner WHERE account_id = ? AND owner_id <> ?")
      .bind(shop.accountId, owner.userId)
      .run();
    const left = await owner.call("DELETE", `${people(shop)}/${owner.userId}`);
    expect(left.body.error_code).toBe("last_owner");
    expect((await accept(invited, token)).status).toBe(200);
  });

  test("with an undelivered mail is reported, and can be made again", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const app = createConsoleApp({
      ...consoleDeps(ownerOver(env)),
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
  test("an unsent one leaves no line", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    expect((await owner.call("DELETE", `${people(shop)}/invitations/nowhere`)).status).toBe(404);
    expect(await linesOf(shop, "withdraw_invitation")).toBe(0);
  });

  test.each(["preview", "test", "check"])("is no question, with anything withdrawn (%s)", async (id) => {
    const shop = await openShop();
    const accountant = await ownerOf(shop, "accountant");
    const answer = await accountant.call("DELETE", `${people(shop)}/invitations/${id}`);
    expect(answer.body.error_code).toBe("read_only");
  });
});

describe("how many invitations there may be", () => {
  const tried = (owner: Pick<Browser, "post">, shop: Pick<Shop, "accountId">, email: string) =>
    owner.post(`${people(shop)}/invitations`, { email, role: "accountant" });
  const toldOf = (answers: readonly { readonly status: number; readonly body: { error_code?: string } }[]) =>
    Map.groupBy(answers, ({ status, body }) => `${status} ${body.error_code ?? ""}`.trim());

  test("a person sends twenty an hour, over all companies, however many at once", async () => {
    const [first, second] = [await openShop(), await openShop()];
    const owner = await ownerOf(first);
    await env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id) VALUES (?, ?)")
      .bind(second.accountId, owner.userId)
      .run();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, nth) =>
        tried(owner, nth % 2 ? first : second, `p${nth}@correo.example`),
      ),
    );
    const told = toldOf(answers);
    expect(told.get("201")).toHaveLength(20);
    const refused = told.get("429 quota_exceeded") ?? [];
    expect(refused).toHaveLength(4);
    const wait = Number(answers.find(({ status }) => status === 429)?.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
    expect((await tried(await ownerOf(first), first, "otra@correo.example")).status).toBe(201);
  });

  test("a person sends fifty a day, however they are spread", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const shops = [await openShop(), await openShop()] as const;
    const owner = await ownerOf(shops[0]);
    await env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id) VALUES (?, ?)")
      .bind(shops[1].accountId, owner.userId)
      .run();
    const sent: number[] = [];
    for (let nth = 0; nth < 50; nth += 1) {
      if (nth % 20 === 0) vi.setSystemTime(Date.now() + 3_600_001);
      sent.push((await tried(owner, shops[nth % 2 ? 0 : 1], `q${nth}@correo.example`)).status);
    }
    expect(new Set(sent)).toEqual(new Set([201]));
    vi.setSystemTime(Date.now() + 3_600_001);
    const refused = await tried(owner, shops[0], "q50@correo.example");
    expect([refused.status, refused.body.error_code]).toEqual([429, "quota_exceeded"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(20 * 3_600);
    vi.useRealTimers();
  });

  test("an address is sent five a day, by all senders together", async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      const shop = await openShop();
      const email = nth % 2 ? "Ana@correo.example" : "ana@correo.example";
      statuses.push((await tried(await ownerOf(shop), shop, email)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test("an unverified company has five open at a time: waiting helps nothing, verifying does", async () => {
    const shop = await openShop({ verified: false });
    const owner = await ownerOf(shop);
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await tried(owner, shop, `p${nth}@correo.example`)).status).toBe(201);
    }
    const refused = await tried(owner, shop, "p5@correo.example");
    expect([refused.status, refused.body.error_code]).toEqual([409, "quota_exceeded"]);
    expect(refused.headers.get("Retry-After")).toBeNull();
    expect((await tried(owner, shop, "p4@correo.example")).status).toBe(201);
    await verify(shop.accountId);
    expect((await tried(owner, shop, "p5@correo.example")).status).toBe(201);
  });
});

describe("the people of a company", () => {
  const ALL = "WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ?1)";
  const addMembers = ({ accountId }: Shop, count: number) =>
    env.DIRECTORY.prepare(
      `${ALL} INSERT INTO account_owner (account_id, owner_id, role)
       SELECT ?2, 'member ' || n, 'accountant' FROM row`,
    )
      .bind(count, accountId)
      .run();
  const tried = (owner: Pick<Browser, "post">, shop: Shop, email: string) =>
    owner.post(`${people(shop)}/invitations`, { email, role: "accountant" });

  test("are fifty with the open invitations, however many are invited at once", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    // The shop itself has an owner.
    await addMembers(shop, 46);
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((one) => tried(owner, shop, `${one}@x.example`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error_code).toBe("quota_exceeded");
    expect(refused?.body.error).toContain("ya 50 personas");
    expect(refused?.headers.get("Retry-After")).toBeNull();
    const { data } = (await owner.get(people(shop))).body;
    expect(data.most).toBe(50);
    const [open] = data.invitations;
    expect((await tried(owner, shop, open.email.toUpperCase())).status).toBe(201);
    await owner.call("DELETE", `${people(shop)}/invitations/${data.invitations[1].id}`);
    expect((await tried(owner, shop, "e@x.example")).status).toBe(201);
  });

  test("are no more by an invitation of before, which stays good until there is room", async () => {
    const [shop, invited] = [await openShop(), await newPerson()];
    const owner = await ownerOf(shop);
    const token = await invite(owner, shop, invited);
    await addMembers(shop, 48);
    const refused = await accept(invited, token);
    expect([refused.status, refused.body.error_code]).toEqual([409, "quota_exceeded"]);
    expect((await invited.get("/api/me")).body.data.accounts).toEqual([]);
    expect((await owner.call("DELETE", `${people(shop)}/member%201`)).status).toBe(200);
    expect((await accept(invited, token)).status).toBe(200);
  });
});

describe("what a mail says", () => {
  test("has no typed text in its subject, and quotes and cuts it", async () => {
    const printed = vi.spyOn(console, "log");
    const shop = await openShop({ account: { legalName: `Casa ${"x".repeat(100)}` } });
    await invite(await ownerOf(shop), shop);
    const mail = printed.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .find(({ level }) => level === "mail");
    printed.mockRestore();
    expect(mail.subject).toBe("Invitación a una empresa");
    expect(mail.text).toContain("«María Ferrer» te invita a ver la facturación de «Casa ");
    expect(mail.text).toContain(`${"x".repeat(55)}…»`);
    expect(mail.text).not.toContain("x".repeat(56));
  });

  test.each([
    ["legal_name", { legal_name: "Gana dinero en https://evil.example" }],
    ["legal_name", { legal_name: "Premio: evil.com" }],
  ])("a company is not called %s", async (path, change) => {
    const person = await newPerson();
    const company = {
      ...{ legal_name: "Casa", nif: "B12345674", address1: "Mayor 1", postcode: "28013", city: "Madrid" },
      ...{
        territory: "peninsula",
        default_regime: "01",
        common_rules_apply: true,
        keeps_books_in_sii: false,
      },
    };
    const answer = await person.post("/api/accounts", { ...company, ...change });
    expect([answer.status, answer.body.error_code]).toEqual([422, "name_invalid"]);
    expect(answer.body.details[0].path).toBe(path);
  });
});

describe("ownership", () => {
  const isMultiple = async (accountId: string) =>
    (await env.LEDGER_000.prepare("SELECT multiple_issuers AS multiple FROM account WHERE id = ?")
      .bind(accountId)
      .first<number>("multiple")) === 1;
  const roleIn = async (person: Pick<Browser, "get">, { accountId }: Pick<Shop, "accountId">) =>
    (await person.get("/api/me")).body.data.accounts.find(({ id }: { id: string }) => id === accountId);
  const take = (person: Pick<Browser, "post">, shop: Shop) =>
    person.post(`/api/me/ownership/${shop.accountId}`, {});

  async function withCompany(options = {}) {
    const person = await newPerson();
    const { id } = (await person.get("/api/me")).body.data.user;
    return { person, id, own: await openTestAccount("000", { ownerId: id }, options) };
  }

  test("is offered by a link, and taken by the person: only then their companies say so", async () => {
    const shop = await openShop();
    const { person, own } = await withCompany();
    const token = await invite(await ownerOf(shop), shop, { email: person.email, role: "owner" });
    expect((await accept(person, token)).body.data.isOffered).toBe(true);
    expect(await roleIn(person, shop)).toMatchObject({ role: "accountant", isOwnershipOffered: true });
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([false, false]);
    expect((await take(person, shop)).status).toBe(200);
    expect((await take(person, shop)).status).toBe(200);
    expect(await roleIn(person, shop)).toMatchObject({ role: "owner", isOwnershipOffered: false });
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([true, true]);
    expect(await linesOf(shop, "take_ownership")).toBe(1);
  });

  test("that is received or lost is reported by mail to its owner, without a link", async () => {
    const mails = hearMails();
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const { person, id } = await withCompany();
    await accept(person, await invite(owner, shop, { email: person.email, role: "owner" }));
    const before = (await mails.arrived(person.email)).length;
    await take(person, shop);
    const [received] = (await mails.arrived(person.email, before + 1)).slice(before);
    expect(received?.text).toMatch(/^Desde ahora eres titular de una empresa \(/);
    await owner.call("PUT", `${people(shop)}/${id}`, { role: "accountant" });
    const [lost] = (await mails.arrived(person.email, before + 2)).slice(before + 1);
    expect(lost?.text).toMatch(/^Ya no eres titular de una empresa \([\s\S]*otro titular/);
    expect([received, lost].some((mail) => mail?.text.includes("http"))).toBe(false);
    await owner.call("DELETE", `${people(shop)}/${id}`);
    expect(await mails.arrived(person.email)).toHaveLength(before + 2);
  });

  test("that an owner gives an accountant is an offer, which changes no row of their companies", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const { person, id, own } = await withCompany();
    await accept(person, await invite(owner, shop, person));
    await owner.call("PUT", `${people(shop)}/${id}`, { role: "owner" });
    expect((await owner.get(people(shop))).body.data.members).toContainEqual(
      expect.objectContaining({ userId: id, role: "accountant", isOffered: true }),
    );
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([false, false]);
    expect((await person.call("DELETE", `/api/me/ownership/${shop.accountId}`)).status).toBe(200);
    expect((await take(person, shop)).body.error_code).toBe("offer_ended");
    expect(await linesOf(shop, "decline_ownership")).toBe(1);
  });

  test("is not accepted from a former owner, nor without an offer", async () => {
    const shop = await openShop();
    const [staying, leaving] = [await ownerOf(shop), await ownerOf(shop)];
    const accountant = await ownerOf(shop, "accountant");
    expect((await take(accountant, shop)).body.error_code).toBe("offer_ended");
    expect((await take(await newPerson(), shop)).body.error_code).toBe("offer_ended");
    await leaving.call("PUT", `${people(shop)}/${accountant.userId}`, { role: "owner" });
    await staying.call("PUT", `${people(shop)}/${leaving.userId}`, { role: "accountant" });
    expect((await take(accountant, shop)).body.error_code).toBe("offer_ended");
    expect(await roleIn(accountant, shop)).toMatchObject({ role: "accountant", isOwnershipOffered: false });
  });

  test("of an unverified company says nothing in the records of the others", async () => {
    const shop = await openShop();
    const { person, own } = await withCompany({ verified: false });
    await accept(person, await invite(await ownerOf(shop), shop, { email: person.email, role: "owner" }));
    await take(person, shop);
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([false, false]);
    await verify(own);
    expect([await isMultiple(own), await isMultiple(shop.accountId)]).toEqual([true, true]);
  });
});
