/** What signing in withstands: guesses at once, links used late, names that are none, doors nobody uses. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sha256Hex } from "../../src/domain/shared/sha256.ts";
import { browser, newPerson, ownerOf, PASSWORD } from "../support/console.ts";
import { openShop } from "../support/shop.ts";

const NEW_PASSWORD = "siete gatos en la azotea";

afterEach(() => {
  vi.restoreAllMocks();
});

/** As if it had been tried so often just now. */
async function tried(attempt: string, whose: string, times: number, since = Date.now()): Promise<void> {
  await env.DIRECTORY.prepare("INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES (?, ?, ?)")
    .bind(sha256Hex(`${attempt}:${whose}`), times, since)
    .run();
}

/** The tokens of the links that are mailed meanwhile. */
function mailedTokens(): () => string[] {
  const printed = vi.spyOn(console, "log");
  return () =>
    printed.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes('"mail"'))
      .map((line) => /token=([\w-]+)/.exec(line)?.[1] ?? "");
}

describe("what the console does not use is not there", () => {
  test.each([
    ["POST", "verify-password", { password: PASSWORD }],
    ["POST", "update-user", { name: "Otra" }],
    ["POST", "change-email", { newEmail: "otra@correo.example" }],
    ["POST", "revoke-session", { token: "x" }],
    ["GET", "list-sessions", undefined],
    ["GET", "get-session", undefined],
    ["GET", "reset-password/x?callbackURL=%2F", undefined],
    ["GET", "error?error=x", undefined],
    ["POST", "/sign-in/email", { email: "a@correo.example", password: PASSWORD }],
  ])("%s %s", async (method, path, body) => {
    const person = await newPerson();
    expect((await person.call(method, `/api/auth/${path}`, body)).status).toBe(404);
  });
});

describe("guesses", () => {
  test("made at once are counted like those made in turn", async () => {
    const person = await newPerson();
    await tried("signIn", person.email, 8);
    const guess = () => browser().post("/api/auth/sign-in/email", { email: person.email, password: "guess" });
    const answers = await Promise.all([guess(), guess(), guess(), guess()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429]);
  });

  test("of the password that is to be changed are counted too", async () => {
    const person = await newPerson();
    const { id } = (await person.get("/api/me")).body.data.user;
    await tried("changePassword", id, 10);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await person.post("/api/auth/change-password", change)).status).toBe(429);
  });

  test("send five mails an hour to an address, whether it is known or not", async () => {
    const ask = () => browser().post("/api/auth/request-password-reset", { email: "Nadie@correo.example" });
    for (let mails = 0; mails < 5; mails++) expect((await ask()).status).toBe(200);
    const limited = await ask();
    expect([limited.status, limited.body.code]).toEqual([429, "TOO_MANY_ATTEMPTS"]);
  });

  test("leave nothing behind for ever", async () => {
    await tried("signIn", "hace tiempo", 3, Date.now() - 2 * 3_600_000);
    await tried("signIn", "ahora", 3);
    await browser().post("/api/auth/request-password-reset", { email: "nadie@correo.example" });
    const { results } = await env.DIRECTORY.prepare("SELECT email_sha256 AS hash FROM sign_in_failure").all();
    const keys = results.map(({ hash }) => hash);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain(sha256Hex("signIn:hace tiempo"));
  });
});

describe("a link that changes a password", () => {
  test("stands nowhere but in its mail, and ends with the first that is used", async () => {
    const tokens = mailedTokens();
    const person = await newPerson();
    const ask = () => person.post("/api/auth/request-password-reset", { email: person.email });
    await ask();
    await ask();
    const [first = "", second = ""] = tokens();
    const stored = await env.DIRECTORY.prepare("SELECT identifier FROM verification").all();
    expect(JSON.stringify(stored.results)).not.toContain(first);
    const use = (token: string) =>
      browser().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect((await use(second)).status).toBe(200);
    expect((await use(first)).status).toBe(400);
  });

  test("ends where the password is changed otherwise, and so does every other session", async () => {
    const tokens = mailedTokens();
    const person = await newPerson();
    const elsewhere = browser();
    await elsewhere.post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await person.post("/api/auth/change-password", change)).status).toBe(200);
    expect((await elsewhere.get("/api/me")).status).toBe(401);
    expect((await person.get("/api/me")).status).toBe(200);
    const [token = ""] = tokens();
    const late = await browser().post("/api/auth/reset-password", { token, newPassword: PASSWORD });
    expect(late.status).toBe(400);
  });
});

test.each([
  ["more than one line", "Eva\r\nBcc: todos@correo.example"],
  ["nothing to be seen", "\u200b \u200b"],
  ["a letter's length", "a".repeat(121)],
])("a name of %s is refused", async (_, name) => {
  const answer = await browser().post("/api/auth/sign-up/email", {
    ...{ name, email: "eva@correo.example", password: PASSWORD },
  });
  expect([answer.status, answer.body.code]).toEqual([400, "NAME_INVALID"]);
});

test("a session that is used goes on in the browser too", async () => {
  const person = await newPerson();
  const { id } = (await person.get("/api/me")).body.data.user;
  const inThreeDays = Date.now() + 3 * 86_400_000;
  await env.DIRECTORY.prepare("UPDATE session SET expires_at = ? WHERE user_id = ?")
    .bind(inThreeDays, id)
    .run();
  const [cookie = ""] = (await person.get("/api/me")).headers.getSetCookie();
  expect(cookie).toMatch(/session_token=.*Max-Age=604800/);
});

test("no answer is a page, or may be framed or kept", async () => {
  const { headers } = await browser().get("/api/me");
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy":
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
});

test("days of years that no order has are refused; a month with a line break behind it is that month", async () => {
  const shop = await openShop();
  const owner = await ownerOf(shop);
  const account = `/api/accounts/${shop.accountId}`;
  const answers = await Promise.all(
    [
      ...["orders?month=1900-01", "orders?month=2999-12", "activity?from=1900-01-01&to=2999-12-31"],
      `connections/${shop.connectionId}/exports/invoices.csv?month=2026-11%0A`,
    ].map((path) => owner.raw(`${account}/${path}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 200]);
  const disposition = answers.at(-1)?.headers.get("Content-Disposition");
  expect(disposition).toBe('attachment; filename="facturas-2026-11.csv"');
  await Promise.all(answers.map((answer) => answer.text()));
});
