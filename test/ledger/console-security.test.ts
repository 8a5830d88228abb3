/** A person's own sign-in data: what they see, change and are informed about. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { softPasskey } from "../support/worlds/authenticator.ts";
import {
  type Browser,
  browser,
  hearMails,
  type Mails,
  newPerson,
  ownerOf,
  PASSWORD,
} from "../support/worlds/console.ts";
import { openShop } from "../support/worlds/shop.ts";

const NEW_PASSWORD = "siete gatos en la azotea";
const FIREFOX = { "User-Agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" };
let mails: Mails;

beforeEach(() => {
  mails = hearMails();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function signedInAgain(email: string, at = browser()): Promise<Browser> {
  const answer = await at.call("POST", "/api/auth/sign-in/email", { email, password: PASSWORD }, FIREFOX);
  expect(answer.status).toBe(200);
  return at;
}

async function eventsOf(person: Browser): Promise<string[]> {
  const { items } = (await person.get("/api/me/activity")).body.data;
  return items.map(({ event }: { event: string }) => event);
}

describe("sessions", () => {
  test("are listed with their browser and times, and name the caller's own", async () => {
    const person = await newPerson();
    await signedInAgain(person.email);
    const { sessions } = (await person.get("/api/me/sessions")).body.data;
    expect(sessions).toHaveLength(2);
    const [current, other] = [true, false].map((is) =>
      sessions.find((one: { current: boolean }) => one.current === is),
    );
    expect(Object.keys(current).toSorted()).toEqual(["current", "device", "firstSeenAt", "id", "lastSeenAt"]);
    expect(other).toMatchObject({ device: "Firefox, Windows", firstSeenAt: expect.stringMatching(/Z$/) });
  });

  test("end singly, or all but the caller's own", async () => {
    const person = await newPerson();
    const [first, second] = [await signedInAgain(person.email), await signedInAgain(person.email)];
    const [{ id }] = (await first.get("/api/me/sessions")).body.data.sessions.filter(
      (one: { current: boolean }) => one.current,
    );
    expect((await person.call("DELETE", `/api/me/sessions/${id}`)).status).toBe(200);
    expect([(await first.get("/api/me")).status, (await second.get("/api/me")).status]).toEqual([401, 200]);
    expect((await person.call("DELETE", "/api/me/sessions")).status).toBe(200);
    expect([(await second.get("/api/me")).status, (await person.get("/api/me")).status]).toEqual([401, 200]);
  });

  test("of another person are not there", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [{ id }] = (await other.get("/api/me/sessions")).body.data.sessions;
    const answer = await person.call("DELETE", `/api/me/sessions/${id}`);
    expect([answer.status, answer.body.error_code]).toEqual([404, "not_found"]);
    expect((await other.get("/api/me")).status).toBe(200);
  });

  test("have a token that no answer holds", async () => {
    const person = await newPerson();
    const passkey = await softPasskey();
    const answers = [
      await passkey.add(person),
      await passkey.signIn(browser()),
      await person.get("/api/auth/passkey/list-user-passkeys"),
      await browser().post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD }),
      await person.get("/api/me/sessions"),
      await person.get("/api/me"),
      await person.get("/api/me/activity"),
      await person.post("/api/auth/change-password", {
        currentPassword: PASSWORD,
        newPassword: NEW_PASSWORD,
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const stored = await env.DIRECTORY.prepare("SELECT token FROM session").all<{ token: string }>();
    expect(stored.results.length).toBeGreaterThan(0);
    const told = answers.map(({ body }) => JSON.stringify(body)).join();
    expect(stored.results.filter(({ token }) => told.includes(token))).toEqual([]);
    expect(told).not.toContain('"token"');
  });

  test("of one person are a hundred at most, and nothing else is kept without limit", async () => {
    const person = await newPerson();
    const { id } = (await person.get("/api/me")).body.data.user;
    const many = Array.from({ length: 150 }, (_, index) =>
      env.DIRECTORY.prepare(
        `INSERT INTO session (id, token, user_id, created_at, updated_at, expires_at)
         VALUES (?1, ?1, ?2, ?3, ?3, ?4)`,
      ).bind(`old${index}`, id, index, Date.now() + 1_000_000),
    );
    await env.DIRECTORY.batch(many);
    await signedInAgain(person.email);
    const left = await env.DIRECTORY.prepare("SELECT count(*) AS n FROM session").first<{ n: number }>();
    expect(left?.n).toBe(100);
  });
});

describe("notices by mail", () => {
  const NOTICES: readonly (readonly [
    string,
    string,
    string,
    (person: Browser & { email: string }) => unknown,
  ])[] = [
    [
      ...(["a new browser", "Nueva entrada en tu cuenta", "New sign-in to your account"] as const),
      ({ email }) => signedInAgain(email),
    ],
    [
      ...(["a new password", "Contraseña cambiada", "Password changed"] as const),
      (person) =>
        person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    ],
    [
      ...(["a new passkey", "Llave de acceso añadida", "Passkey added"] as const),
      async (person) => (await softPasskey()).add(person),
    ],
  ];

  test.each(NOTICES)("of %s, in the language of the person, without a link", async (_, es, en, act) => {
    for (const [language, subject] of [
      ["es", es],
      ["en", en],
    ] as const) {
      const person = await newPerson();
      await env.DIRECTORY.prepare("UPDATE user SET language = ? WHERE email = ?")
        .bind(language, person.email)
        .run();
      await act(person);
      const [told] = await mails.arrived(person.email);
      expect(told?.subject).toBe(`Cuadre: ${subject}`);
      expect(told?.text).not.toMatch(/https?:|token=/);
    }
  });

  test("of a passkey that is removed", async () => {
    const person = await newPerson();
    await (await softPasskey()).add(person);
    const [{ id }] = (await person.get("/api/auth/passkey/list-user-passkeys")).body;
    expect((await person.post("/api/auth/passkey/delete-passkey", { id })).status).toBe(200);
    const told = await mails.arrived(person.email, 2);
    expect(told.map(({ subject }) => subject)).toContain("Cuadre: Llave de acceso quitada");
  });

  test("of a browser that is known there are none", async () => {
    const person = await newPerson();
    await person.post("/api/auth/sign-out", {});
    await signedInAgain(person.email, person);
    await signedInAgain(person.email);
    expect(await mails.arrived(person.email)).toHaveLength(1);
    expect(await eventsOf(person)).toEqual(["signed_in_new_device", "signed_in", "signed_up"]);
  });
});

describe("security events", () => {
  test("are in the activity of the person and of their companies", async () => {
    const shop = await openShop();
    const person = await ownerOf(shop);
    await (await softPasskey()).add(person);
    await person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect((await eventsOf(person)).toSorted()).toEqual(["passkey_added", "password_changed", "signed_up"]);
    const told = await vi.waitFor(async () => {
      const { items } = (await person.get(`/api/accounts/${shop.accountId}/activity?area=security`)).body
        .data;
      expect(items).toHaveLength(2);
      return items.map(({ verb, name }: { verb: string; name: string }) => [verb, name]);
    });
    expect(told.toSorted()).toEqual([
      ["passkey_added", "María Ferrer"],
      ["password_changed", "María Ferrer"],
    ]);
  });

  test("wrong passwords of an hour are one line of the person, with how many", async () => {
    const person = await newPerson();
    for (let tries = 0; tries < 3; tries++) {
      await browser().post("/api/auth/sign-in/email", { email: person.email, password: "wrong" });
    }
    await vi.waitFor(async () => {
      const { items } = (await person.get("/api/me/activity")).body.data;
      const failed = items.filter(({ event }: { event: string }) => event === "sign_in_failed");
      expect(failed).toMatchObject([{ count: 3 }]);
    });
  });

  const LOGGED: readonly (readonly [
    string,
    string,
    string | undefined,
    (p: Browser & { email: string }) => unknown,
  ])[] = [
    [
      ...(["sign_in_failed", "/api/auth/sign-in/email", "credentials_wrong"] as const),
      ({ email }) => browser().post("/api/auth/sign-in/email", { email, password: "wrong" }),
    ],
    ["signed_in_new_device", "/api/auth/sign-in/email", undefined, ({ email }) => signedInAgain(email)],
    [
      ...(["asked_for_password", "/api/auth/request-password-reset", undefined] as const),
      ({ email }) => browser().post("/api/auth/request-password-reset", { email }),
    ],
    [
      ...(["link_refused", "/api/auth/reset-password", "link_ended"] as const),
      () => browser().post("/api/auth/reset-password", { token: "x", newPassword: NEW_PASSWORD }),
    ],
    [
      ...(["passkey_added", "/api/auth/passkey/verify-registration", undefined] as const),
      async (person) => (await softPasskey()).add(person),
    ],
    [
      ...(["passkey_refused", "/api/auth/passkey/verify-authentication", "passkey_refused"] as const),
      () => browser().post("/api/auth/passkey/verify-authentication", { response: { id: "x" } }),
    ],
    [
      ...(["password_refused", "/api/auth/change-password", "password_guessable"] as const),
      (person) =>
        person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "password12345" }),
    ],
  ];

  test.each(LOGGED)("%s is a line with its route and code, and hashes", async (event, route, code, act) => {
    const person = await newPerson();
    await act(person);
    const lines = mails.lines("security").filter((line) => line.event === event);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ event, route, network_hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(lines[0]?.error_code).toBe(code);
    expect(JSON.stringify(lines)).not.toContain(person.email);
  });

  test("one address is the same hash in every line, and others are others", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    for (const email of [person.email, person.email, other.email]) {
      await browser().post("/api/auth/request-password-reset", { email });
    }
    const hashes = mails
      .lines("security")
      .filter(({ event }) => event === "asked_for_password")
      .map(({ account_hash: hash }) => hash);
    expect([hashes[0] === hashes[1], hashes[0] === hashes[2]]).toEqual([true, false]);
  });
});

describe("another address", () => {
  async function moved(
    person: Browser & { email: string },
    to: string,
  ): Promise<{ token: string; undo: string }> {
    await person.post("/api/me/email", { email: to });
    const token = await mails.token(to);
    const confirmed = await browser().post("/api/auth/confirm-email", { token });
    expect([confirmed.status, confirmed.body.data]).toEqual([200, { email: to }]);
    const undo = await vi.waitFor(() => {
      const mail = mails.to(person.email).find(({ text }) => text.includes("/no-he-sido-yo?token="));
      const found = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
      if (!found) throw new Error("no mail yet");
      return found;
    });
    return { token, undo };
  }

  test("counts once its link is opened, once; the old one no more", async () => {
    const person = await newPerson();
    const { token } = await moved(person, "nueva@correo.example");
    const signIn = async (email: string) =>
      (await browser().post("/api/auth/sign-in/email", { email, password: PASSWORD })).status;
    expect([await signIn("nueva@correo.example"), await signIn(person.email)]).toEqual([200, 401]);
    expect((await person.get("/api/me")).body.data.user.email).toBe("nueva@correo.example");
    expect((await browser().post("/api/auth/confirm-email", { token })).status).toBe(409);
  });

  test("is taken back by the old one, which ends every way in and mails a link", async () => {
    const person = await newPerson();
    const passkey = await softPasskey();
    await passkey.add(person);
    const { undo } = await moved(person, "ladron@correo.example");
    const restored = await browser().post("/api/auth/restore-email", { token: undo });
    expect([restored.status, restored.body.data]).toEqual([200, { email: person.email }]);
    expect((await person.get("/api/me")).status).toBe(401);
    expect((await passkey.signIn(browser())).body.error_code).toBe("passkey_refused");
    for (const email of [person.email, "ladron@correo.example"]) {
      const tried = await browser().post("/api/auth/sign-in/email", { email, password: PASSWORD });
      expect(tried.status).toBe(401);
    }
    const token = await vi.waitFor(() => {
      const mail = mails.to(person.email).find(({ text }) => text.includes("/contrasena?token="));
      const found = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
      if (!found) throw new Error("no link yet");
      return found;
    });
    expect(
      (await browser().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD })).status,
    ).toBe(200);
    expect((await browser().post("/api/auth/restore-email", { token: undo })).status).toBe(409);
  });

  test("a recovery by the new address does not end what the old one can take back", async () => {
    const person = await newPerson();
    const { undo } = await moved(person, "ladron@correo.example");
    await browser().post("/api/auth/request-password-reset", { email: "ladron@correo.example" });
    const token = await mails.token("ladron@correo.example", 2);
    expect(
      (await browser().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD })).status,
    ).toBe(200);
    expect((await browser().post("/api/auth/restore-email", { token: undo })).status).toBe(200);
  });

  test("the old one cannot be used by another person as long as it can be restored, 72 hours", async () => {
    const person = await newPerson();
    const { undo } = await moved(person, "nueva@correo.example");
    await browser().post("/api/auth/sign-up/email", { name: "Otra", email: person.email });
    const subjects = await vi.waitFor(() => {
      const found = mails.to(person.email).map(({ subject }) => subject);
      if (found.length < 2) throw new Error("not yet");
      return found;
    });
    expect(subjects).toContain("Ya tienes una cuenta en Cuadre");
    const link = await env.DIRECTORY.prepare(
      "SELECT expires_at - created_at AS ms FROM identity_link WHERE kind = 'old_email'",
    ).first();
    expect(link).toEqual({ ms: 72 * 3_600_000 });
    await env.DIRECTORY.prepare("UPDATE identity_link SET expires_at = created_at").run();
    expect((await browser().post("/api/auth/restore-email", { token: undo })).status).toBe(409);
  });

  test("of another person is not accepted, with the same answer to the caller", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const asked = await person.post("/api/me/email", { email: other.email });
    expect([asked.status, asked.body]).toEqual([200, { success: true, data: {} }]);
    const [told] = await mails.arrived(other.email);
    expect(told?.text).not.toContain("token=");
  });

  test("of two who ask for one address the first to open the link has it", async () => {
    const [first, second] = [await newPerson(), await newPerson()];
    for (const person of [first, second]) await person.post("/api/me/email", { email: "una@correo.example" });
    const tokens = (await mails.arrived("una@correo.example", 2)).map(
      ({ text }) => /token=([\w-]+)/.exec(text)?.[1],
    );
    const answers = await Promise.all(
      tokens.map((token) => browser().post("/api/auth/confirm-email", { token })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe("the end of a login", () => {
  const sentence = /^Eres el único titular de la empresa con NIF \w{9}\. Antes nombra a otro titular\.$/;

  test("is refused to the only owner of a company, and to who types another address", async () => {
    const shop = await openShop();
    const person = await ownerOf(shop);
    const sole = await person.call("DELETE", "/api/me", { email: person.email });
    expect([sole.status, sole.body.error_code]).toEqual([409, "sole_owner"]);
    expect(sole.body.error).toMatch(sentence);
    const typed = await person.call("DELETE", "/api/me", { email: "otra@correo.example" });
    expect([typed.status, typed.body.error_code]).toEqual([422, "email_mismatch"]);
    expect((await person.get("/api/me")).status).toBe(200);
  });

  test("takes the person, their ways in and their place in companies; what they did stays", async () => {
    const shop = await openShop();
    const [owner, leaving] = [await ownerOf(shop), await ownerOf(shop)];
    const { email } = leaving;
    const base = `/api/accounts/${shop.accountId}`;
    expect((await leaving.post(`${base}/connections`, { kind: "commerce", name: "Tienda" })).status).toBe(
      201,
    );
    const gone = await leaving.call("DELETE", "/api/me", { email: email.toUpperCase() });
    expect([gone.status, gone.body]).toEqual([200, { success: true, data: {} }]);
    expect((await leaving.get("/api/me")).status).toBe(401);
    expect((await browser().post("/api/auth/sign-in/email", { email, password: PASSWORD })).status).toBe(401);
    expect((await owner.get(`${base}/people`)).body.data.members).toHaveLength(1);
    await vi.waitFor(async () => {
      const { items } = (await owner.get(`${base}/activity`)).body.data;
      const verbs = items.map(({ verb }: { verb: string }) => verb);
      expect(verbs).toEqual(expect.arrayContaining(["login_deleted", "open_connection"]));
    });
    expect((await mails.arrived(email)).at(-1)?.subject).toBe("Cuadre: Acceso borrado");
  });

  test("of both owners at once leaves one", async () => {
    const shop = await openShop();
    const people = [await ownerOf(shop), await ownerOf(shop)];
    const answers = await Promise.all(
      people.map((person) => person.call("DELETE", "/api/me", { email: person.email })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});
