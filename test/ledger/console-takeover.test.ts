/** Signing up with another's address, and the rest of an intruder's access after a recovery. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { forgetExpired } from "../../src/db/people/identity-store.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapEnv } from "../support/faults/wrapped-d1.ts";
import { softPasskey } from "../support/worlds/authenticator.ts";
import { browser, hearMails, newPerson, ownerOf, PASSWORD, signUpLink } from "../support/worlds/console.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { openShop } from "../support/worlds/shop.ts";

const CONSOLE = "http://127.0.0.1:8788";
const NEW_PASSWORD = "siete gatos en la azotea";
const HER = "duena@correo.example";

afterEach(() => {
  vi.restoreAllMocks();
});

async function rowsOf(table: string): Promise<readonly Record<string, unknown>[]> {
  return (await env.DIRECTORY.prepare(`SELECT * FROM ${table}`).all()).results;
}

describe("who signs up with an address that is not theirs", () => {
  test("gets no session, no person and no password by any body, whether or not the address has an account", async () => {
    const mails = hearMails();
    const thief = browser();
    const answer = await thief.post("/api/auth/sign-up/email", {
      ...{ name: "Mallory", email: HER, password: PASSWORD },
    });
    expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([
      ...[200, { success: true, data: {} }, []],
    ]);
    const tried = await thief.post("/api/auth/sign-in/email", { email: HER, password: PASSWORD });
    expect([tried.status, tried.body.error_code]).toEqual([401, "credentials_wrong"]);
    expect((await thief.get("/api/auth/passkey/generate-register-options")).status).toBe(401);
    for (const table of ["user", "credential", "session", "passkey"]) expect(await rowsOf(table)).toEqual([]);
    expect((await mails.arrived(HER))[0]?.text).toContain("/contrasena?token=");
  });

  test("leaves nothing for its owner, and the owner's link alone makes the person", async () => {
    const mails = hearMails();
    const thief = browser();
    await thief.post("/api/auth/sign-up/email", { name: "Mallory", email: HER, password: PASSWORD });
    await mails.arrived(HER);
    const owner = browser();
    await owner.post("/api/auth/sign-up/email", { name: "Dueña Legítima", email: HER });
    const token = await mails.token(HER, 2);
    const chosen = await owner.post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect([chosen.status, chosen.body.data]).toEqual([200, { signedIn: true }]);
    expect((await owner.get("/api/me")).body.data.user).toMatchObject({ name: "Dueña Legítima", email: HER });
    expect((await thief.post("/api/auth/sign-in/email", { email: HER, password: PASSWORD })).status).toBe(
      401,
    );
    expect(await rowsOf("identity_link")).toEqual([]);
    expect(await rowsOf("user")).toHaveLength(1);
  });

  test("has a week to prove it; then nothing is known of it", async () => {
    await browser().post("/api/auth/sign-up/email", { name: "Nadie", email: "nadie@correo.example" });
    const [link] = await rowsOf("identity_link");
    const asked = Number(link?.created_at);
    await forgetExpired(env.DIRECTORY, asked + 6 * 86_400_000, 200);
    expect(await rowsOf("identity_link")).toHaveLength(1);
    await forgetExpired(env.DIRECTORY, asked + 7 * 86_400_000 + 1, 200);
    expect(await rowsOf("identity_link")).toEqual([]);
  });

  test("asks for another link while the week lasts, and gets it by what they signed up with", async () => {
    const mails = hearMails();
    await signUpLink("tarde@correo.example", "Tarde Ruiz");
    await env.DIRECTORY.prepare("UPDATE identity_link SET expires_at = created_at - 1").run();
    const person = browser();
    await person.post("/api/auth/request-password-reset", { email: "tarde@correo.example" });
    const token = await mails.token("tarde@correo.example");
    const chosen = await person.post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect(chosen.body.data).toEqual({ signedIn: true });
    expect((await person.get("/api/me")).body.data.user.name).toBe("Tarde Ruiz");
  });
});

describe("known and unknown addresses are answered alike", () => {
  const ROUTES: readonly (readonly [string, (email: string) => object])[] = [
    ["sign-up/email", (email) => ({ name: "Ana", email, password: PASSWORD })],
    ["request-password-reset", (email) => ({ email })],
    ["sign-in/email", (email) => ({ email, password: "not the password" })],
  ];

  test.each(ROUTES)("%s: status, members, headers and cookies", async (path, bodyOf) => {
    const person = await newPerson();
    const told = async (email: string) => {
      const { status, body, headers } = await browser().post(`/api/auth/${path}`, bodyOf(email));
      const { request_id: _, ...members } = body;
      const names = [...headers.keys()].toSorted();
      return { status, members, names, cookies: headers.getSetCookie() };
    };
    expect(await told(person.email)).toEqual(await told("nadie.la.tiene@correo.example"));
  });

  test.each(ROUTES)(
    "%s: the same statements of the same databases, and a password is tried",
    async (path, bodyOf) => {
      const person = await newPerson();
      const matches = vi.fn(async () => false);
      const edge = (() => {
        const deps = consoleDeps(ownerOver(wrapEnv(env)));
        return createConsoleApp({
          ...deps,
          login: { ...deps.login, passwords: { ...deps.login.passwords, matches } },
        });
      })();
      const work = async (email: string) => {
        const before = faults.trips().length;
        const calls = matches.mock.calls.length;
        const answer = await edge.request(`${CONSOLE}/api/auth/${path}`, {
          method: "POST",
          headers: { Origin: CONSOLE, "Content-Type": "application/json" },
          body: JSON.stringify(bodyOf(email)),
        });
        await answer.text();
        const statements = faults
          .trips()
          .slice(before)
          .map(({ sql }) => sql);
        return { statements, tried: matches.mock.calls.length - calls };
      };
      const known = await work(person.email);
      expect(known.statements.length).toBeGreaterThan(0);
      expect(known).toEqual(await work("nadie.la.tiene@correo.example"));
    },
  );

  test("a person with an account gets a mail that says so, without a link that signs in; an unknown one gets a link", async () => {
    const mails = hearMails();
    const person = await newPerson();
    for (const email of [person.email, HER]) {
      await browser().post("/api/auth/sign-up/email", { name: "Alguien", email });
    }
    const [known] = await mails.arrived(person.email);
    const [unknown] = await mails.arrived(HER);
    expect(known?.subject).toBe("Ya tienes una cuenta en Cuadre");
    expect(known?.text).not.toContain("token=");
    expect(unknown?.subject).toBe("Confirma tu correo en Cuadre");
    expect(unknown?.text).toMatch(/\/contrasena\?token=[\w-]{40}/);
  });
});

describe("a recovery by mail", () => {
  test("ends every session, passkey, open link and known browser of an intruder", async () => {
    const mails = hearMails();
    const shop = await openShop();
    const person = await ownerOf(shop);
    const { email } = person;
    const thief = browser();
    await thief.post("/api/auth/sign-in/email", { email, password: PASSWORD });
    const passkey = await softPasskey();
    expect((await passkey.add(thief)).status).toBe(200);
    expect((await passkey.signIn(browser())).status).toBe(200);
    const knownBefore = thief.cookies.size;
    await thief.post("/api/me/email", { email: "ladron@correo.example" });
    const moving = await mails.token("ladron@correo.example");
    await person.post("/api/auth/request-password-reset", { email });
    const older = await linkTo(mails, email, 1);
    await person.post("/api/auth/request-password-reset", { email });
    const token = await linkTo(mails, email, 2);
    const fresh = browser();
    const reset = await fresh.post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
    expect([reset.status, reset.body.data]).toEqual([200, { signedIn: false }]);
    for (const who of [thief, person]) expect((await who.get("/api/me")).status).toBe(401);
    const again = await passkey.signIn(browser());
    expect([again.status, again.body.error_code]).toEqual([422, "passkey_refused"]);
    expect(
      (await thief.post("/api/auth/reset-password", { token: older, newPassword: PASSWORD })).status,
    ).toBe(409);
    expect((await thief.post("/api/auth/confirm-email", { token: moving })).status).toBe(409);
    for (const table of ["session", "passkey", "identity_link"]) expect(await rowsOf(table)).toEqual([]);
    // The one in which the password was chosen.
    expect(await rowsOf("known_device")).toHaveLength(1);
    expect(knownBefore).toBeGreaterThan(1);
    expect((await fresh.post("/api/auth/sign-in/email", { email, password: NEW_PASSWORD })).status).toBe(200);
    expect((await mails.to(email)).map(({ subject }) => subject)).toContain(
      "Cuadre: Contraseña nueva por correo",
    );
  });

  async function linkTo(mails: ReturnType<typeof hearMails>, email: string, count: number): Promise<string> {
    return vi.waitFor(() => {
      const links = mails.to(email).filter(({ text }) => text.includes("/contrasena?token="));
      if (links.length < count) throw new Error(`${links.length} links`);
      return /token=([\w-]+)/.exec(links.at(-1)?.text ?? "")?.[1] ?? "";
    });
  }

  test("of two at once with one link one counts", async () => {
    const mails = hearMails();
    const person = await newPerson();
    await person.post("/api/auth/request-password-reset", { email: person.email });
    const token = await mails.token(person.email);
    const use = (newPassword: string) => browser().post("/api/auth/reset-password", { token, newPassword });
    const answers = await Promise.all([use(NEW_PASSWORD), use("ocho barcos sin puerto")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("that comes while a passkey is being added leaves none", async () => {
    const person = await newPerson();
    const { login } = consoleDeps(ownerOver(env));
    const { id } = (await person.get("/api/me")).body.data.user;
    await (await softPasskey()).add(person);
    const [session] = await rowsOf("session");
    const [{ credential_id: credential } = { credential_id: "" }] = await rowsOf("passkey");
    await env.DIRECTORY.prepare("DELETE FROM session").run();
    const stands = await login.passkeys.confirmPasskey(id, String(session?.id), String(credential));
    expect([stands, await rowsOf("passkey")]).toEqual([false, []]);
  });
});

describe("what makes a lasting way in wants a sign-in of the last quarter of an hour", () => {
  test.each<[string, string, string, object | undefined]>([
    ["a passkey", "GET", "/api/auth/passkey/generate-register-options", undefined],
    ["the end of adding one", "POST", "/api/auth/passkey/verify-registration", { response: { id: "x" } }],
    [
      "a password",
      "POST",
      "/api/auth/change-password",
      { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    ],
    ["another address", "POST", "/api/me/email", { email: "otra@correo.example" }],
    ["the end of the login", "DELETE", "/api/me", { email: "persona@correo.example" }],
  ])("%s", async (_, method, path, body) => {
    const person = await newPerson();
    const refusal = async () => (await person.call(method, path, body)).body?.error_code;
    expect(await refusal()).not.toBe("sign_in_again");
    const old = await newPerson();
    await env.DIRECTORY.prepare("UPDATE session SET created_at = created_at - 900001").run();
    const answer = await old.call(method, path, body);
    expect([answer.status, answer.body.error_code]).toEqual([403, "sign_in_again"]);
  });
});
