import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { browser, hearMails, newPerson, ownerOf, PASSWORD } from "../support/worlds/console.ts";
import { openShop } from "../support/worlds/shop.ts";

const COMPANY = {
  ...{ legal_name: "Loza y Esparto SL", nif: "B12345674", address1: "Calle de los Alfareros 14" },
  ...{ postcode: "46001", city: "Valencia", territory: "peninsula", default_regime: "01" },
  ...{ common_rules_apply: false, keeps_books_in_sii: false },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe("signing up, in and out", () => {
  test("from no account to a company of one's own", async () => {
    const person = await newPerson();
    expect((await person.get("/api/me")).body.data.accounts).toEqual([]);
    const opened = await person.post("/api/accounts", COMPANY);
    expect(opened.status).toBe(201);
    const { accounts, user } = (await person.get("/api/me")).body.data;
    expect(user).toMatchObject({ name: "María Ferrer", email: person.email });
    expect(accounts).toMatchObject([
      { id: opened.body.data.id, legalName: "Loza y Esparto SL", nif: "B12345674", role: "owner" },
    ]);
  });

  test("from a mailed link to a company of one's own", async () => {
    const mails = hearMails();
    const visitor = browser();
    const email = "ana@correo.example";
    expect((await visitor.post("/api/auth/sign-up/email", { name: "Ana Pérez", email })).status).toBe(200);
    const token = await mails.token(email);
    const chosen = await visitor.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
    expect(chosen.body).toEqual({ success: true, data: { signedIn: true } });
    expect((await visitor.get("/api/me")).body.data.user).toMatchObject({ name: "Ana Pérez", email });
    expect((await visitor.post("/api/accounts", COMPANY)).status).toBe(201);
  });

  test("no script and no other site reads the cookies", async () => {
    const person = await newPerson();
    const { headers } = await person.post("/api/auth/sign-in/email", {
      ...{ email: person.email, password: PASSWORD },
    });
    const strange = await browser().post("/api/auth/sign-in/email", {
      ...{ email: person.email, password: PASSWORD },
    });
    const cookies = [...headers.getSetCookie(), ...strange.headers.getSetCookie()];
    expect(cookies.map((cookie) => cookie.split(/[=_]/)[0])).toEqual([
      "cuadre.session",
      "cuadre.session",
      "cuadre.device",
    ]);
    for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/i);
    expect(cookies.at(-1)).toContain("Max-Age=15552000");
  });

  test("the password is stored as scrypt with its parameters", async () => {
    await newPerson();
    const [row] = (await env.DIRECTORY.prepare("SELECT password FROM credential").all()).results;
    expect(row?.password).toMatch(/^scrypt\$16384\$8\$5\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+$/);
    expect(row?.password).not.toContain(PASSWORD);
  });

  test("signing out ends the session, everywhere ends the others", async () => {
    const person = await newPerson();
    const other = browser();
    const credentials = { email: person.email, password: PASSWORD };
    expect((await other.post("/api/auth/sign-in/email", credentials)).status).toBe(200);
    expect((await other.post("/api/auth/revoke-sessions", {})).status).toBe(200);
    expect((await person.get("/api/me")).status).toBe(401);
    await other.post("/api/auth/sign-in/email", credentials);
    expect((await other.get("/api/me")).status).toBe(200);
    await other.post("/api/auth/sign-out", {});
    expect((await other.get("/api/me")).body).toMatchObject({ error_code: "signed_out" });
  });

  test("a forgotten password is changed by the link of a mail, which ends all sessions", async () => {
    const mails = hearMails();
    const person = await newPerson();
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const token = await mails.token(person.email);
    const newPassword = "siete gatos en la azotea";
    const reset = await browser().post("/api/auth/reset-password", { newPassword, token });
    expect(reset.status).toBe(200);
    expect((await person.get("/api/me")).status).toBe(401);
    const again = await browser().post("/api/auth/sign-in/email", {
      ...{ email: person.email, password: newPassword },
    });
    expect(again.status).toBe(200);
    expect((await browser().post("/api/auth/reset-password", { newPassword, token })).status).toBe(409);
  });

  test("an unknown address gets the same answer, and no mail", async () => {
    const mails = hearMails();
    const answer = await browser().post("/api/auth/request-password-reset", { email: "no@correo.example" });
    expect(answer.status).toBe(200);
    // A mail to another person sent after it has arrived, and none before it.
    const { email } = await newPerson();
    await browser().post("/api/auth/request-password-reset", { email });
    await mails.arrived(email);
    expect(mails.all().map(({ to }) => to)).toEqual([email]);
  });
});

describe("a company is checked as typed", () => {
  test.each([
    ["a wrong check character", { nif: "B12345678" }, "nif_invalid", "nif"],
    ["no postcode", { postcode: "99001" }, "postcode_invalid", "postcode"],
    ["a foral domicile", { postcode: "48001" }, "issuer_not_eligible", undefined],
    ["the SII", { keeps_books_in_sii: true }, "issuer_not_eligible", undefined],
    ["Las Palmas with IVA", { postcode: "35001" }, "territory_mismatch", "territory"],
  ])("%s is refused", async (_, change, code, path) => {
    const answer = await (await newPerson()).post("/api/accounts", { ...COMPANY, ...change });
    expect([answer.status, answer.body.error_code]).toEqual([422, code]);
    expect(answer.body.details?.[0]?.path).toBe(path);
  });

  test("everything that is wrong is in one answer, each at its field", async () => {
    const change = { nif: "B12345678", postcode: "35001", legal_name: "https://evil.example" };
    const { status, body } = await (await newPerson()).post("/api/accounts", { ...COMPANY, ...change });
    const found = body.details?.map(({ path, code }: { path: string; code: string }) => [path, code]);
    expect(status).toBe(422);
    expect(found).toEqual([
      ["nif", "nif_invalid"],
      ["territory", "territory_mismatch"],
      ["legal_name", "name_invalid"],
    ]);
  });

  test("any person may name a NIF before it is proven", async () => {
    await (await newPerson()).post("/api/accounts", COMPANY);
    const second = await newPerson();
    expect((await second.post("/api/accounts", COMPANY)).status).toBe(201);
    expect((await second.get("/api/me")).body.data.accounts).toMatchObject([{ verification: "unverified" }]);
  });

  test("a foral domicile under the common rules is welcome", async () => {
    const change = { postcode: "48001", common_rules_apply: true };
    expect((await (await newPerson()).post("/api/accounts", { ...COMPANY, ...change })).status).toBe(201);
  });
});

describe("people of a company", () => {
  test("an accountant comes by a link, reads and changes nothing", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const people = `/api/accounts/${shop.accountId}/people`;
    const accountant = await newPerson("Gestoría Ruiz");
    const invited = await owner.post(`${people}/invitations`, {
      email: accountant.email,
      role: "accountant",
    });
    expect(invited.status).toBe(201);
    const token = new URL(invited.body.data.url).searchParams.get("token") ?? "";
    expect((await accountant.get(people)).status).toBe(404);
    expect((await accountant.post("/api/invitations/accept", { token })).status).toBe(200);
    expect((await accountant.get(people)).body.data.members).toHaveLength(2);
    const refused = await accountant.post(`${people}/invitations`, {
      email: "x@correo.example",
      role: "owner",
    });
    expect(refused.body).toMatchObject({ error_code: "read_only" });
  });

  test("the last owner stays one", async () => {
    const owner = await newPerson();
    const { id: accountId } = (await owner.post("/api/accounts", COMPANY)).body.data;
    const { id } = (await owner.get("/api/me")).body.data.user;
    const self = `/api/accounts/${accountId}/people/${id}`;
    expect((await owner.call("PUT", self, { role: "accountant" })).body.error_code).toBe("last_owner");
    expect((await owner.call("DELETE", self)).body.error_code).toBe("last_owner");
    await ownerOf({ accountId });
    expect((await owner.call("DELETE", self)).status).toBe(200);
    expect((await owner.get(`/api/accounts/${accountId}/people`)).status).toBe(404);
  });
});

describe("the door", () => {
  test("another origin changes nothing", async () => {
    const person = await newPerson();
    const answer = await person.call("POST", "/api/accounts", COMPANY, { Origin: "https://evil.example" });
    expect([answer.status, answer.body.error_code]).toEqual([403, "foreign_origin"]);
  });

  test("a body that is no JSON is refused as that", async () => {
    const person = await newPerson();
    const answer = await person.sendText("/api/accounts", "{");
    expect([answer.status, answer.body.error_code]).toEqual([400, "malformed_json"]);
  });

  test("a form of another site is no JSON", async () => {
    const person = await newPerson();
    const headers = { "Content-Type": "text/plain" };
    expect((await person.call("POST", "/api/accounts", COMPANY, headers)).status).toBe(415);
  });

  test("a missing thing and another tenant's get one answer", async () => {
    const shop = await openShop();
    const person = await newPerson();
    const answers = await Promise.all([
      person.get(`/api/accounts/${shop.accountId}/people`),
      person.get("/api/accounts/ac0000000000000000000/people"),
      person.get("/api/nothing"),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error_code])).toEqual(
      Array(3).fill([404, "not_found"]),
    );
  });

  test("a connection is opened with its key shown once", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const opened = await owner.post(`/api/accounts/${shop.accountId}/connections`, {
      ...{ kind: "commerce", name: "Tienda" },
    });
    expect(opened.body.data).toMatchObject({
      id: expect.stringMatching(/^cn/),
      key: expect.stringMatching(/^ck_live_/),
    });
    const line = await env.LEDGER_000.prepare(
      "SELECT user_id, verb FROM audit_log WHERE connection_id = ? AND verb = 'open_connection'",
    )
      .bind(opened.body.data.id)
      .first();
    expect(line).toEqual({ user_id: owner.userId, verb: "open_connection" });
  });
});
