/** Quotas of a person count all logins of one mailbox, and what a deleted login did. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import { keyedHash } from "../../src/console/sign-in/tokens.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { accountStore, directoryStore } from "../../src/db/accounts/account-store.ts";
import { openAccount } from "../../src/db/accounts/opening.ts";
import { companyRegister } from "../../src/db/companies/company-register.ts";
import type { MailboxHashes } from "../../src/db/login/login-stores.ts";
import { passkeyStore } from "../../src/db/login/logins.ts";
import { forgetExpired } from "../../src/db/people/identity-store.ts";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import { jobDeps } from "../../src/wiring.ts";
import { finishAccounts } from "../../src/work/finish-accounts.ts";
import { type Browser, browser, ownerOf, PASSWORD, signUpLink } from "../support/worlds/console.ts";
import { apiOver, ownerOver } from "../support/worlds/deployment.ts";
import { aNif, openShop, type Shop, verify } from "../support/worlds/shop.ts";
import { visitor } from "../support/worlds/visitor.ts";

const ORIGIN = "http://127.0.0.1:8788";
type Login = Browser & { readonly id: string };
const DAY_MS = 86_400_000;

async function signUp(email: string): Promise<Login> {
  const person = browser();
  const token = await signUpLink(email, "Ana Ruiz");
  const answer = await person.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
  if (answer.status !== 200) throw new Error(`choosing a password answered ${answer.status}`);
  return { ...person, id: (await person.get("/api/me")).body.data.user.id };
}

async function deleteLogin(person: Login, email: string): Promise<void> {
  const gone = await person.call("DELETE", "/api/me", { email });
  if (gone.status !== 200) throw new Error(`deleting the login answered ${gone.status}`);
}

const makeOwner = ({ accountId }: Pick<Shop, "accountId">, { id }: Login) =>
  env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, 'owner')")
    .bind(accountId, id)
    .run();

const invite = (person: Login, { accountId }: Pick<Shop, "accountId">, email: string) =>
  person.post(`/api/accounts/${accountId}/people/invitations`, { email, role: "accountant" });

const openOne = (ownerId: string) =>
  openAccount(
    {
      ...{ ledger: "000", ownerId, legalName: "Comercial del Norte SL", nif: aNif(1), postcode: "28013" },
      ...{ address1: "Calle Mayor 1", city: "Madrid", timeZone: "Europe/Madrid" as const },
      territory: "peninsula",
      defaultRegime: "01",
    },
    {
      directory: directoryStore(env.DIRECTORY),
      accountsIn: () => accountStore(env.LEDGER_000),
      now: () => Date.now(),
      random: (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes)),
    },
  );

/** A link as it would be mailed to who asks for a new password. */
async function recoveryLink(userId: string, email: string): Promise<string> {
  const token = `recovery-of-the-tests-${email}`;
  await env.DIRECTORY.prepare(
    `INSERT INTO identity_link (token_sha256, kind, email, user_id, created_at, expires_at)
     VALUES (?, 'password', ?, ?, ?, ?)`,
  )
    .bind(sha256Hex(token), email, userId, Date.now(), Date.now() + 3_600_000)
    .run();
  return token;
}

const mailboxes = async () =>
  (await env.DIRECTORY.prepare("SELECT count(*) AS n FROM login_mailbox").first<number>("n")) ?? 0;

test("invitations are still counted when the login is deleted and another is made", async () => {
  const shop = await openShop();
  await ownerOf(shop);
  const first = await signUp("ana@mailbox.example");
  await makeOwner(shop, first);
  for (let n = 0; n < 20; n += 1) expect((await invite(first, shop, `p${n}@x.example`)).status).toBe(201);
  await deleteLogin(first, "ana@mailbox.example");
  for (const email of ["ana@mailbox.example", "Ana+2@mailbox.example"]) {
    const again = await signUp(email.toLowerCase());
    await makeOwner(shop, again);
    const refused = await invite(again, shop, "p20@x.example");
    expect([email, refused.status, refused.body.error_code]).toEqual([email, 429, "quota_exceeded"]);
  }
  const other = await signUp("bea@mailbox.example");
  await makeOwner(shop, other);
  expect((await invite(other, shop, "p20@x.example")).status).toBe(201);
});

test("companies that are not proven count for all logins of the mailbox, and are more once one is", async () => {
  const [first, second] = [await signUp("eva@mailbox.example"), await signUp("eva+b@mailbox.example")];
  for (let n = 0; n < 10; n += 1) expect((await openOne(n % 2 ? first.id : second.id)).ok).toBe(true);
  expect(await openOne(second.id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
  expect(await openOne(first.id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
  await finishAccounts(jobDeps(apiOver(env)));
  const { results } = await env.DIRECTORY.prepare(
    "SELECT account_id AS id FROM account_directory WHERE opened_by = ?",
  )
    .bind(first.id)
    .all<{ id: string }>();
  expect(results).toHaveLength(5);
  await verify(results[0]?.id ?? "");
  expect((await openOne(second.id)).ok).toBe(true);
});

test("proofs count for all logins of the mailbox, texts and tries", async () => {
  const register = companyRegister(env.DIRECTORY);
  const [first, second] = [await signUp("leo@mailbox.example"), await signUp("leo+b@mailbox.example")];
  const other = await signUp("luz@mailbox.example");
  const shop = await openShop({ verified: false });
  const now = Date.now();
  const text = (userId: string, n: number) =>
    register.keepText({
      nonce: `${userId}${n}`,
      accountId: shop.accountId,
      nif: "B1",
      userId,
      madeAt: now + n,
    });
  for (let n = 0; n < 20; n += 1) expect(await text(first.id, n)).toBeUndefined();
  expect(await text(second.id, 20)).toMatchObject({ code: "quota_exceeded" });
  expect(await text(other.id, 20)).toBeUndefined();
  for (let n = 0; n < 40; n += 1)
    expect(await register.countTry(n % 2 ? first.id : second.id, now)).toBeUndefined();
  await deleteLogin(first, "leo@mailbox.example");
  const again = await signUp("leo@mailbox.example");
  expect(await register.countTry(again.id, now)).toMatchObject({ code: "quota_exceeded" });
  expect(await register.countTry(other.id, now)).toBeUndefined();
});

test("a mailbox is sent five invitations a day and five links an hour, with anything after its plus", async () => {
  const shop = await openShop();
  const owner = await ownerOf(shop);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { status } = await owner.post(`/api/accounts/${shop.accountId}/people/invitations`, {
      ...{ email: `victim+${n}@mailbox.example`, role: "accountant" },
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  const links: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const email = `victim+${n}@mailbox.example`;
    links.push((await browser().post("/api/auth/sign-up/email", { name: "Ana", email })).status);
  }
  expect(links).toEqual([200, 200, 200, 200, 200, 429]);
});

test("a person asks to change the address five times an hour, whichever addresses are mailed", async () => {
  const [person, other] = [await signUp("gil@mailbox.example"), await signUp("gil+b@mailbox.example")];
  const ask = (login: Login, n: number) => login.post("/api/me/email", { email: `someone.${n}@x.example` });
  for (let n = 0; n < 5; n += 1) expect((await ask(n % 2 ? person : other, n)).status).toBe(200);
  const refused = await ask(person, 5);
  expect([refused.status, refused.body.error_code]).toEqual([429, "too_many_mails"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_500);
  const kept = env.DIRECTORY.prepare(
    "SELECT count(*) AS n FROM identity_link WHERE email = 'someone.5@x.example'",
  );
  expect(await kept.first<number>("n")).toBe(0);
});

test("a person asks to change the address twenty times a day", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const email = "ana.hourly@mailbox.example";
  await signUp(email);
  const statuses: number[] = [];
  for (let hour = 0; hour < 5; hour += 1) {
    vi.setSystemTime(Date.now() + 3_600_001);
    const person = browser();
    expect((await person.post("/api/auth/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    for (let n = 0; n < 5; n += 1) {
      const asked = await person.post("/api/me/email", { email: `hour.${hour}.${n}@x.example` });
      statuses.push(asked.status);
      if (asked.status === 429) expect(Number(asked.headers.get("Retry-After"))).toBeGreaterThan(19 * 3_600);
    }
  }
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  vi.useRealTimers();
});

test("of a deleted login stays what counts, under a hash, until it counts no more", async () => {
  const person = await signUp("rosa.forgotten@mailbox.example");
  expect((await openOne(person.id)).ok).toBe(true);
  const { results } = await env.DIRECTORY.prepare(
    "SELECT account_id AS accountId FROM account_directory",
  ).all();
  const [company] = results as unknown as readonly Shop[];
  if (!company) throw new Error("no company was opened");
  await makeOwner(company, await signUp("friend@mailbox.example"));
  await deleteLogin(person, "rosa.forgotten@mailbox.example");
  const tables = await env.DIRECTORY.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  ).all<{ name: string }>();
  for (const { name } of tables.results) {
    const rows = await env.DIRECTORY.prepare(`SELECT * FROM "${name}"`).all();
    expect(JSON.stringify(rows.results)).not.toContain("rosa.forgotten");
  }
  const before = await mailboxes();
  await forgetExpired(env.DIRECTORY, Date.now() + 2 * DAY_MS, 100);
  expect(await mailboxes()).toBe(before);
  await verify(company.accountId);
  await forgetExpired(env.DIRECTORY, Date.now() + DAY_MS / 2, 100);
  expect(await mailboxes()).toBe(before);
  await forgetExpired(env.DIRECTORY, Date.now() + 2 * DAY_MS, 100);
  expect(await mailboxes()).toBe(before - 1);
});

describe("a login of before mailboxes were kept", () => {
  const forgetMailboxes = () => env.DIRECTORY.prepare("DELETE FROM login_mailbox").run();

  test.each(["a sign-in", "a recovery"])("counts with the others of its mailbox after %s", async (way) => {
    const email = "old@mailbox.example";
    const old = await signUp(email);
    await forgetMailboxes();
    for (let n = 0; n < 10; n += 1) expect((await openOne(old.id)).ok).toBe(true);
    if (way === "a sign-in") {
      const answer = await browser().post("/api/auth/sign-in/email", { email, password: PASSWORD });
      expect(answer.status).toBe(200);
    } else {
      const token = await recoveryLink(old.id, email);
      const answer = await browser().post("/api/auth/reset-password", { token, newPassword: PASSWORD });
      expect(answer.status).toBe(200);
    }
    const other = await signUp("old+b@mailbox.example");
    expect(await openOne(other.id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
  });
});

describe("a rotated secret", () => {
  const underSecrets = (secrets: readonly string[]): MailboxHashes => {
    const [current = "", ...older] = secrets.map((secret) =>
      keyedHash(secret)("mailbox", "max@mailbox.example"),
    );
    return { current, older };
  };
  const signedIn = async (userId: string, secrets: readonly string[]) => {
    const passkeys = passkeyStore(env.DIRECTORY);
    const newDevice = { idSha256: crypto.randomUUID(), expiresAt: Date.now() + DAY_MS };
    await passkeys.recogniseDevice(userId, {
      ...{ devices: [], newDevice, now: Date.now(), mailbox: underSecrets(secrets) },
    });
  };

  test("keeps what a mailbox has had while the old one is in the list", async () => {
    const [first, second] = [await signUp("max@mailbox.example"), await signUp("max+b@mailbox.example")];
    const register = companyRegister(env.DIRECTORY);
    await env.DIRECTORY.prepare("DELETE FROM login_mailbox").run();
    await signedIn(first.id, ["old"]);
    for (let n = 0; n < 10; n += 1) expect((await openOne(first.id)).ok).toBe(true);
    const now = Date.now();
    for (let n = 0; n < 40; n += 1) expect(await register.countTry(first.id, now)).toBeUndefined();
    await signedIn(second.id, ["new", "old"]);
    expect(await openOne(second.id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
    expect(await register.countTry(second.id, now)).toMatchObject({ code: "quota_exceeded" });
    await signedIn(second.id, ["new"]);
    expect(await openOne(second.id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
  });

  test("is known to the deployment as an older one, for people who sign in meanwhile", async () => {
    const under = (secrets: string) => {
      const app = createConsoleApp(consoleDeps(ownerOver({ ...env, SESSION_SECRET: secrets })));
      return visitor(ORIGIN, async (url, init) => app.request(url, init));
    };
    const [email, next] = ["mia@mailbox.example", "next-session-secret-of-the-tests"];
    const first = await signUp(email);
    for (let n = 0; n < 10; n += 1) expect((await openOne(first.id)).ok).toBe(true);
    const both = under(`${next},${env.SESSION_SECRET}`);
    expect((await both.post("/api/auth/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    const token = await signUpLink("mia+b@mailbox.example", "Mia");
    const alone = under(next);
    const chosen = await alone.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
    expect(chosen.status).toBe(200);
    const { id } = (await alone.get("/api/me")).body.data.user;
    expect(await openOne(id)).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
  });
});
