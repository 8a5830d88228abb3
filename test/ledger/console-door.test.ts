/** Attacks on signing in: guesses at once, links used late, invalid names, unused routes. */
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { browser, hearMails, newPerson, ownerOf, PASSWORD } from "../support/worlds/console.ts";
import { openShop } from "../support/worlds/shop.ts";

const CONSOLE = "http://127.0.0.1:8788";
const NEW_PASSWORD = "siete gatos en la azotea";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a route that the console does not use does not exist", () => {
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
    ["POST", "passkey/update-passkey", { id: "x", name: "Otra" }],
    ["POST", "set-password", { newPassword: PASSWORD }],
    ["POST", "delete-user", {}],
  ])("%s %s", async (method, path, body) => {
    const person = await newPerson();
    expect((await person.call(method, `/api/auth/${path}`, body)).status).toBe(404);
  });
});

describe("guesses", () => {
  test("of the password to be changed are delayed too, each session separately", async () => {
    const person = await newPerson();
    const elsewhere = browser();
    await elsewhere.post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
    const guess = (who: typeof elsewhere) =>
      who.post("/api/auth/change-password", { currentPassword: "guess", newPassword: NEW_PASSWORD });
    const answers = [];
    for (let tries = 0; tries < 5; tries++) answers.push(await guess(person));
    expect(answers.map(({ status, body }) => [status, body.error_code])).toEqual(
      Array(5).fill([422, "password_wrong"]),
    );
    await env.DIRECTORY.prepare(
      "UPDATE sign_in_failure SET free_at = free_at + 60000 WHERE free_at > 0",
    ).run();
    const limited = await person.post("/api/auth/change-password", {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    expect([limited.status, limited.body.error_code]).toEqual([429, "too_many_attempts"]);
    expect((await guess(elsewhere)).status).toBe(422);
  });

  test("send five mails an hour to an address, whichever way, and whether it is known or not", async () => {
    const person = await newPerson();
    for (const email of [person.email, "Nadie@correo.example"]) {
      const ask = (times: number) =>
        times % 2 === 0
          ? browser().post("/api/auth/request-password-reset", { email })
          : browser().post("/api/auth/sign-up/email", { name: "Nadie", email });
      for (let mails = 0; mails < 5; mails++) expect((await ask(mails)).status).toBe(200);
      const limited = await ask(5);
      expect([limited.status, limited.body.error_code]).toEqual([429, "too_many_mails"]);
      expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(3_500);
    }
    await env.DIRECTORY.prepare("UPDATE sign_in_failure SET since = since - 3600000").run();
    const later = await browser().post("/api/auth/request-password-reset", { email: person.email });
    expect(later.status).toBe(200);
  });
});

describe("a sign-in body is bounded before anything is computed from it", () => {
  const HUGE = "a1".repeat(40_000);
  const BODIES: readonly (readonly [string, object])[] = [
    ["sign-up/email", { name: HUGE, email: "ana@correo.example", password: HUGE }],
    ["sign-in/email", { email: "ana@correo.example", password: HUGE }],
    ["request-password-reset", { email: HUGE }],
    ["reset-password", { token: "none", newPassword: HUGE }],
    ["change-password", { currentPassword: PASSWORD, newPassword: HUGE }],
    ["confirm-email", { token: HUGE }],
    ["restore-email", { token: HUGE }],
    ["passkey/verify-authentication", { response: { id: "x", signature: HUGE } }],
    ["passkey/verify-registration", { response: { id: "x", attestationObject: HUGE } }],
    ["passkey/delete-passkey", { id: HUGE }],
    ["sign-out", { callbackURL: HUGE }],
    ["revoke-sessions", { x: HUGE }],
  ];

  test.each(BODIES)("%s of 80 KB is refused without a question to the database", async (path, body) => {
    const statements = vi.spyOn(Object.getPrototypeOf(env.DIRECTORY), "prepare");
    const answer = await browser().post(`/api/auth/${path}`, body);
    expect([answer.status, answer.body.error_code, statements.mock.calls.length]).toEqual([
      ...[413, "payload_too_large", 0],
    ]);
  });

  test.each(BODIES)(
    "%s of 80 KB in pieces, without a declared length, is refused as well",
    async (path, body) => {
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      const pieces = new ReadableStream<Uint8Array>({
        start(stream) {
          for (let at = 0; at < bytes.length; at += 1_000) stream.enqueue(bytes.slice(at, at + 1_000));
          stream.close();
        },
      });
      const answer = await exports.OwnerApi.fetch(`${CONSOLE}/api/auth/${path}`, {
        method: "POST",
        headers: { Origin: CONSOLE, "Content-Type": "application/json" },
        body: pieces,
      });
      expect([answer.status, (await answer.json<{ error_code: string }>()).error_code]).toEqual([
        ...[413, "payload_too_large"],
      ]);
    },
  );

  test("a passkey's attestation of 10 KB is read, within a session", async () => {
    const person = await newPerson();
    const response = { id: "x", attestationObject: "a".repeat(10_000) };
    const answer = await person.post("/api/auth/passkey/verify-registration", { response });
    expect([answer.status, answer.body.error_code]).toEqual([422, "passkey_refused"]);
  });
});

test.each([
  ["no base 64", { clientDataJSON: "A", attestationObject: "A" }],
  ["base 64 of no JSON", { clientDataJSON: "AAAA", attestationObject: "AAAA" }],
  ["nothing", {}],
])("a new passkey of %s is refused, and no fault of ours", async (_, response) => {
  const person = await newPerson();
  expect((await person.get("/api/auth/passkey/generate-register-options")).status).toBe(200);
  const sent = { response: { id: "eA", rawId: "eA", type: "public-key", response } };
  const answer = await person.post("/api/auth/passkey/verify-registration", sent);
  expect([answer.status, answer.body.error_code]).toEqual([422, "passkey_refused"]);
});

describe("a link that changes a password", () => {
  test("is in its mail alone, and ends with the first use", async () => {
    const mails = hearMails();
    const person = await newPerson();
    const ask = () => person.post("/api/auth/request-password-reset", { email: person.email });
    await ask();
    await ask();
    const [first = "", second = ""] = (await mails.arrived(person.email, 2)).map(tokenIn);
    const stored = await env.DIRECTORY.prepare("SELECT * FROM identity_link").all();
    expect(JSON.stringify(stored.results)).not.toContain(first);
    const use = (token: string) =>
      browser().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect((await use(second)).status).toBe(200);
    expect((await use(first)).body.error_code).toBe("link_ended");
  });

  test("is checked before the password, and not used up by a refused one", async () => {
    const mails = hearMails();
    const person = await newPerson();
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const [token = ""] = (await mails.arrived(person.email)).map(tokenIn);
    const use = async (sent: string, newPassword: string) => {
      const { status, body } = await browser().post("/api/auth/reset-password", { token: sent, newPassword });
      return [status, body.error_code];
    };
    expect(await use("none", "corta")).toEqual([409, "link_ended"]);
    expect(await use(token, "corta")).toEqual([422, "password_too_short"]);
    expect(await use(token, "a1".repeat(300))).toEqual([422, "password_too_long"]);
    expect(await use(token, "password12345")).toEqual([422, "password_guessable"]);
    // Address and name are those of the database: the request says neither.
    expect(await use(token, person.email)).toEqual([422, "password_guessable"]);
    expect(await use(token, "MaríaFerrer26")).toEqual([422, "password_guessable"]);
    expect(await use(token, NEW_PASSWORD)).toEqual([200, undefined]);
  });

  test("lives for an hour", async () => {
    const mails = hearMails();
    const person = await newPerson();
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const [token = ""] = (await mails.arrived(person.email)).map(tokenIn);
    const lives = await env.DIRECTORY.prepare(
      "SELECT expires_at - created_at AS ms FROM identity_link",
    ).first();
    expect(lives).toEqual({ ms: 3_600_000 });
    await env.DIRECTORY.prepare("UPDATE identity_link SET expires_at = created_at").run();
    const late = await browser().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect(late.body.error_code).toBe("link_ended");
  });

  test("ends where the password is changed otherwise, and so does every other session", async () => {
    const mails = hearMails();
    const person = await newPerson();
    const elsewhere = browser();
    await elsewhere.post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await person.post("/api/auth/change-password", change)).status).toBe(200);
    expect((await elsewhere.get("/api/me")).status).toBe(401);
    expect((await person.get("/api/me")).status).toBe(200);
    const mailed = await vi.waitFor(() => {
      const links = mails.to(person.email).filter(({ text }) => text.includes("token="));
      if (links.length === 0) throw new Error("no link yet");
      return links;
    });
    const [token = ""] = mailed.map(tokenIn);
    const late = await browser().post("/api/auth/reset-password", { token, newPassword: PASSWORD });
    expect(late.status).toBe(409);
  });

  function tokenIn({ text }: { readonly text: string }): string {
    return /token=([\w-]+)/.exec(text)?.[1] ?? "";
  }
});

test.each([
  ["more than one line", "Eva\r\nBcc: todos@correo.example"],
  ["nothing to be seen", "\u200b \u200b"],
  ["a letter's length", "a".repeat(121)],
])("a name of %s is refused", async (_, name) => {
  const answer = await browser().post("/api/auth/sign-up/email", {
    ...{ name, email: "eva@correo.example", password: PASSWORD },
  });
  expect([answer.status, answer.body.error_code]).toEqual([422, "person_name_invalid"]);
});

test.each(["Eva https://regalos.example", "eva@correo.example", "Eva www.regalos.com"])(
  "the name %s is an address, not a name",
  async (name) => {
    const answer = await browser().post("/api/auth/sign-up/email", { name, email: "eva@correo.example" });
    expect([answer.status, answer.body.error_code]).toEqual([422, "name_invalid"]);
  },
);

test("a used session also continues in the browser", async () => {
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

test("days of impossible years are refused; a month with a line break after it is that month", async () => {
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
