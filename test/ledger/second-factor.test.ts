/** Two-step verification: who is asked for a code, which codes count, and what guessing them comes to. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { forgetExpired } from "../../src/db/people/identity-store.ts";
import { softPasskey } from "../support/worlds/authenticator.ts";
import { type AuthenticatorApp, appWith, setUpApp } from "../support/worlds/authenticator-app.ts";
import {
  type Browser,
  browser,
  type ConsoleAnswer,
  hearMails,
  type Mails,
  newPerson,
  ownerOf,
  PASSWORD,
} from "../support/worlds/console.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { openShop } from "../support/worlds/shop.ts";
import { visitor } from "../support/worlds/visitor.ts";

const NEW_PASSWORD = "siete gatos en la azotea";
const STEP_MS = 30_000;
const NOON = Date.parse("2026-11-30T12:00:15Z");
let mails: Mails;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  mails = hearMails();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function later(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

const enter = (at: Browser, email: string, code?: string) =>
  at.post("/api/auth/sign-in/email", { email, password: PASSWORD, ...(code ? { code } : {}) });

const told = ({ status, body }: ConsoleAnswer) => [status, body.error_code];
const ASKED = [401, "second_factor_required"];
const WRONG = [422, "code_wrong"];
const LATER = [429, "too_many_attempts"];
const IN = [200, undefined];

async function rowsOf(table: string): Promise<readonly Record<string, unknown>[]> {
  return (await env.DIRECTORY.prepare(`SELECT * FROM ${table}`).all()).results;
}

async function withApp(): Promise<{
  person: Browser & { readonly email: string };
  app: Awaited<ReturnType<typeof setUpApp>>;
}> {
  const person = await newPerson();
  return { person, app: await setUpApp(person) };
}

async function recoveryLink(email: string): Promise<string> {
  await browser().post("/api/auth/request-password-reset", { email });
  return vi.waitFor(() => {
    const mail = mails.to(email).findLast(({ text }) => text.includes("/contrasena?token="));
    const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    if (!token) throw new Error("no link yet");
    return token;
  });
}

const recover = (token: string, code?: string, at = browser()) =>
  at.post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD, ...(code ? { code } : {}) });

/** A code that the app shows at no step near now. */
function wrongCode(app: AuthenticatorApp): string {
  const near = [-1, 0, 1].map((away) => app.code(away));
  return ["000000", "111111", "222222", "333333"].find((code) => !near.includes(code)) ?? "";
}

describe("setting it up", () => {
  test("shows a secret and its address once, and asks for nothing before the first code", async () => {
    const person = await newPerson();
    const { body } = await person.post("/api/me/second-factor/set-up", {});
    expect(body.data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.data.url).toContain(`secret=${body.data.secret}&`);
    const shown = { isOn: false, since: null, codesLeft: 0 };
    expect((await person.get("/api/me/second-factor")).body.data).toEqual(shown);
    expect(told(await enter(browser(), person.email))).toEqual(IN);
  });

  test("ends with ten recovery codes; no table has the secret or a code in clear", async () => {
    const { person, app } = await withApp();
    expect(app.recoveryCodes).toHaveLength(10);
    const shown = { isOn: true, since: "2026-11-30T12:00:15.000Z", codesLeft: 10 };
    expect((await person.get("/api/me/second-factor")).body.data).toEqual(shown);
    const kept = JSON.stringify([await rowsOf("second_factor"), await rowsOf("recovery_code")]);
    for (const code of app.recoveryCodes) {
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll("-", ""));
    }
    expect(kept).not.toContain(app.secret);
  });

  test("needs a right code, and a wrong one changes nothing", async () => {
    const person = await newPerson();
    const { secret } = (await person.post("/api/me/second-factor/set-up", {})).body.data;
    const code = wrongCode(appWith(secret));
    expect(told(await person.post("/api/me/second-factor/confirm", { code }))).toEqual(WRONG);
    expect((await person.get("/api/me/second-factor")).body.data.isOn).toBe(false);
    expect(await rowsOf("recovery_code")).toEqual([]);
  });

  test("again before the first code replaces the secret", async () => {
    const person = await newPerson();
    const first = (await person.post("/api/me/second-factor/set-up", {})).body.data.secret;
    const second = (await person.post("/api/me/second-factor/set-up", {})).body.data.secret;
    const confirm = (code: string) => person.post("/api/me/second-factor/confirm", { code });
    expect(told(await confirm(appWith(first).code()))).toEqual(WRONG);
    expect(told(await confirm(appWith(second).code()))).toEqual(IN);
  });

  test("again while it is on is refused and keeps the app", async () => {
    const { person, app } = await withApp();
    const again = await person.post("/api/me/second-factor/set-up", {});
    expect(told(again)).toEqual([409, "second_factor_on"]);
    expect(told(await person.post("/api/me/second-factor/confirm", { code: app.code() }))).toEqual([
      ...[409, "set_up_ended"],
    ]);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
  });

  test("ends after an hour without the first code, and its row is removed", async () => {
    const person = await newPerson();
    const { secret } = (await person.post("/api/me/second-factor/set-up", {})).body.data;
    later(3_600_001);
    const again = browser();
    await enter(again, person.email);
    const late = await again.post("/api/me/second-factor/confirm", { code: appWith(secret).code() });
    expect(told(late)).toEqual([409, "set_up_ended"]);
    await forgetExpired(env.DIRECTORY, Date.now(), 100);
    expect(await rowsOf("second_factor")).toEqual([]);
  });

  test("needs a sign-in of the last 15 minutes, as does its end", async () => {
    const { person, app } = await withApp();
    later(15 * 60_000 + 1);
    const other = await newPerson();
    later(15 * 60_000 + 1);
    for (const answer of [
      await other.post("/api/me/second-factor/set-up", {}),
      await other.post("/api/me/second-factor/confirm", { code: "123456" }),
      await person.call("DELETE", "/api/me/second-factor", { code: app.code() }),
    ])
      expect(told(answer)).toEqual([403, "sign_in_again"]);
  });

  test("ends the other sessions and open links, which began without a code", async () => {
    const person = await newPerson();
    const other = browser();
    await enter(other, person.email);
    const token = await recoveryLink(person.email);
    const app = await setUpApp(person);
    expect((await other.get("/api/me")).status).toBe(401);
    expect((await person.get("/api/me")).status).toBe(200);
    expect(told(await recover(token, app.code()))).toEqual([409, "link_ended"]);
  });
});

describe("signing in with a password", () => {
  test("asks for a code, and gives no session before it", async () => {
    const { person, app } = await withApp();
    const at = browser();
    const asked = await enter(at, person.email);
    expect([told(asked), asked.headers.getSetCookie()]).toEqual([ASKED, []]);
    expect((await at.get("/api/me")).status).toBe(401);
    expect(told(await enter(at, person.email, app.code()))).toEqual(IN);
    expect((await at.get("/api/me")).status).toBe(200);
  });

  test("a wrong password is never asked for a code, right or wrong", async () => {
    const { person, app } = await withApp();
    const sent = { email: person.email, password: NEW_PASSWORD };
    for (const code of [undefined, app.code(), wrongCode(app)]) {
      const answer = await browser().post("/api/auth/sign-in/email", { ...sent, ...(code ? { code } : {}) });
      expect(told(answer)).toEqual([401, "credentials_wrong"]);
    }
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
  });

  test.each([
    ["one step behind is accepted", -1, true],
    ["one step ahead is accepted", 1, true],
    ["two steps behind is refused", -2, false],
    ["two steps ahead is refused", 2, false],
  ])("the code of a phone whose clock is %s", async (_, away, isIn) => {
    const { person, app } = await withApp();
    later(4 * STEP_MS);
    expect(told(await enter(browser(), person.email, app.code(away)))).toEqual(isIn ? IN : WRONG);
  });

  test("accepts a code once, also the one that set it up, and none from before it", async () => {
    const { person, app } = await withApp();
    expect(told(await enter(browser(), person.email, app.code(-1)))).toEqual(WRONG);
    const code = app.code();
    expect(told(await enter(browser(), person.email, code))).toEqual(IN);
    expect(told(await enter(browser(), person.email, code))).toEqual(WRONG);
    expect(told(await enter(browser(), person.email, app.code(-1)))).toEqual(WRONG);
    later(STEP_MS);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
  });

  test("of the same code at the same moment lets one browser in", async () => {
    const { person, app } = await withApp();
    const before = (await rowsOf("session")).length;
    const code = app.code();
    const answers = await Promise.all([1, 2, 3].map(() => enter(browser(), person.email, code)));
    expect(answers.map(told).toSorted()).toEqual([IN, WRONG, WRONG]);
    expect(await rowsOf("session")).toHaveLength(before + 1);
  });

  test("that began before it was switched on gets no session without a code", async () => {
    const person = await newPerson();
    const { logins, ...login } = consoleDeps(ownerOver(env)).login;
    const app = createConsoleApp({
      ...consoleDeps(ownerOver(env)),
      login: {
        ...login,
        logins: {
          ...logins,
          beginSession: async (...given) => {
            await setUpApp(person);
            return logins.beginSession(...given);
          },
        },
      },
    });
    const late = visitor("http://127.0.0.1:8788", async (url, init) => app.request(url, init));
    expect(told(await enter(late, person.email))).toEqual([401, "credentials_wrong"]);
    expect((await late.get("/api/me")).status).toBe(401);
  });

  test("takes each recovery code once, with or without its separators", async () => {
    const { person, app } = await withApp();
    const [first = "", second = ""] = app.recoveryCodes;
    expect(told(await enter(browser(), person.email, first))).toEqual(IN);
    expect(told(await enter(browser(), person.email, first))).toEqual(WRONG);
    const plain = second.replaceAll("-", "").toUpperCase();
    expect(told(await enter(browser(), person.email, plain))).toEqual(IN);
    expect((await person.get("/api/me/second-factor")).body.data.codesLeft).toBe(8);
  });

  test("of one recovery code at the same moment lets one browser in", async () => {
    const { person, app } = await withApp();
    const [code] = app.recoveryCodes;
    const answers = await Promise.all([1, 2, 3].map(() => enter(browser(), person.email, code)));
    expect(answers.map(told).toSorted()).toEqual([IN, WRONG, WRONG]);
  });

  test("with a passkey asks for no code", async () => {
    const { person } = await withApp();
    const passkey = await softPasskey();
    expect((await passkey.add(person)).status).toBe(200);
    const at = browser();
    expect((await passkey.signIn(at)).status).toBe(200);
    expect((await at.get("/api/me")).status).toBe(200);
  });

  test("of another person is not asked for it, and another's codes do not count", async () => {
    const [one, other] = [await withApp(), await newPerson()];
    const second = await withApp();
    expect(told(await enter(browser(), other.email))).toEqual(IN);
    expect(told(await enter(browser(), second.person.email, one.app.code()))).toEqual(WRONG);
    const [code] = one.app.recoveryCodes;
    expect(told(await enter(browser(), second.person.email, code))).toEqual(WRONG);
    expect(told(await enter(browser(), one.person.email, code))).toEqual(IN);
  });
});

describe("guessing codes", () => {
  async function guesses(email: string, app: AuthenticatorApp, count: number, at = browser()) {
    const answers: unknown[] = [];
    for (let made = 0; made < count; made++) answers.push(told(await enter(at, email, wrongCode(app))));
    return answers;
  }

  test("ends after five for 15 minutes, for a right code too, whichever browser sends it", async () => {
    const { person, app } = await withApp();
    expect(await guesses(person.email, app, 6)).toEqual([WRONG, WRONG, WRONG, WRONG, WRONG, LATER]);
    const delayed = await enter(browser(), person.email, app.code());
    expect(told(delayed)).toEqual(LATER);
    expect(Number(delayed.headers.get("Retry-After"))).toBe(900);
    later(15 * 60_000 - 1);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(LATER);
    later(1);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
  });

  test("counts recovery codes and texts of no form too", async () => {
    const { person, app } = await withApp();
    for (const code of ["zzzz-zzzz-zzzz-zzzz", "x", "0", "12345", "٠٠٠٠٠٠"])
      expect(told(await enter(browser(), person.email, code))).toEqual(WRONG);
    expect(told(await enter(browser(), person.email, app.recoveryCodes[0]))).toEqual(LATER);
  });

  test("at the same moment are no more than in turn", async () => {
    const { person, app } = await withApp();
    const code = wrongCode(app);
    const answers = await Promise.all(Array.from({ length: 12 }, () => enter(browser(), person.email, code)));
    expect(answers.filter((answer) => answer.body.error_code === "code_wrong")).toHaveLength(5);
  });

  test("by a stranger keeps the person waiting in no browser that they signed in with before", async () => {
    const { person, app } = await withApp();
    await guesses(person.email, app, 6);
    expect(told(await enter(person, person.email, app.code()))).toEqual(IN);
    expect(told(await enter(browser(), person.email, app.code(1)))).toEqual(LATER);
  });

  test("in a known browser ends after five as well, and only there", async () => {
    const { person, app } = await withApp();
    expect((await guesses(person.email, app, 6, person)).at(-1)).toEqual(LATER);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
  });

  test("is not made free again by right codes or by asking without one", async () => {
    const { person, app } = await withApp();
    expect(await guesses(person.email, app, 4)).toEqual([WRONG, WRONG, WRONG, WRONG]);
    expect(told(await enter(browser(), person.email, app.code()))).toEqual(IN);
    expect(told(await enter(browser(), person.email))).toEqual(ASKED);
    expect(await guesses(person.email, app, 2)).toEqual([WRONG, LATER]);
  });

  test("sends one mail at the fifth, because the password is known", async () => {
    const { person, app } = await withApp();
    await guesses(person.email, app, 8);
    const subject = "Cuadre: Códigos equivocados";
    const ofGuesses = () => mails.to(person.email).filter((mail) => mail.subject === subject);
    await vi.waitFor(() => expect(ofGuesses()).toHaveLength(1));
    expect(ofGuesses()[0]?.text).not.toMatch(/https?:|token=/);
  });

  test("to switch it off counts by session and ends after five", async () => {
    const { person, app } = await withApp();
    const end = (code: string) => person.call("DELETE", "/api/me/second-factor", { code });
    for (let made = 0; made < 5; made++) expect(told(await end(wrongCode(app)))).toEqual(WRONG);
    expect(told(await end(app.code()))).toEqual(LATER);
    expect((await person.get("/api/me/second-factor")).body.data.isOn).toBe(true);
  });
});

describe("a recovery by mail", () => {
  test("asks for a code too, and neither a missing nor a wrong one uses up the link", async () => {
    const { person, app } = await withApp();
    const token = await recoveryLink(person.email);
    expect(told(await recover(token))).toEqual(ASKED);
    expect(told(await recover(token, wrongCode(app)))).toEqual(WRONG);
    expect((await person.get("/api/me")).status).toBe(200);
    expect(told(await recover(token, app.code()))).toEqual(IN);
    expect((await person.get("/api/me")).status).toBe(401);
    expect(told(await recover(token, app.code(1)))).toEqual([409, "link_ended"]);
    later(2 * STEP_MS);
    const sent = { email: person.email, password: NEW_PASSWORD };
    expect(told(await browser().post("/api/auth/sign-in/email", sent))).toEqual(ASKED);
  });

  test("takes a recovery code, which is used up then", async () => {
    const { person, app } = await withApp();
    const [code] = app.recoveryCodes;
    expect(told(await recover(await recoveryLink(person.email), code))).toEqual(IN);
    const sent = { email: person.email, password: NEW_PASSWORD, code };
    expect(told(await browser().post("/api/auth/sign-in/email", sent))).toEqual(WRONG);
  });

  test("shares the count of wrong codes with sign-ins", async () => {
    const { person, app } = await withApp();
    const token = await recoveryLink(person.email);
    for (let made = 0; made < 3; made++) await enter(browser(), person.email, wrongCode(app));
    for (let made = 0; made < 2; made++) expect(told(await recover(token, wrongCode(app)))).toEqual(WRONG);
    expect(told(await recover(token, app.code()))).toEqual(LATER);
  });

  test("that began before it was switched on changes nothing without a code", async () => {
    const person = await newPerson();
    const token = await recoveryLink(person.email);
    const { links, ...login } = consoleDeps(ownerOver(env)).login;
    const app = createConsoleApp({
      ...consoleDeps(ownerOver(env)),
      login: {
        ...login,
        links: {
          ...links,
          recover: async (...given) => {
            // Confirmed a moment before the batch; its link is kept open, as if it were mailed meanwhile.
            const [open] = await rowsOf("identity_link");
            await setUpApp(person);
            await env.DIRECTORY.prepare(
              `INSERT INTO identity_link (token_sha256, kind, email, user_id, created_at, expires_at)
               VALUES (?1, 'password', ?2, ?3, ?4, ?5)`,
            )
              .bind(...["token_sha256", "email", "user_id", "created_at", "expires_at"].map((n) => open?.[n]))
              .run();
            return links.recover(...given);
          },
        },
      },
    });
    const late = visitor("http://127.0.0.1:8788", async (url, init) => app.request(url, init));
    expect(told(await recover(token, undefined, late))).toEqual([409, "link_ended"]);
    expect((await person.get("/api/me")).status).toBe(200);
    expect(told(await enter(browser(), person.email))).toEqual(ASKED);
  });
});

describe("switching it off", () => {
  test("needs a code that was not used, and then a password is enough again", async () => {
    const { person, app } = await withApp();
    const end = (code: string) => person.call("DELETE", "/api/me/second-factor", { code });
    expect(told(await end(app.code(-1)))).toEqual(WRONG);
    expect(told(await end(app.code()))).toEqual(IN);
    expect(await rowsOf("second_factor")).toEqual([]);
    expect(await rowsOf("recovery_code")).toEqual([]);
    expect(told(await enter(browser(), person.email))).toEqual(IN);
    expect(told(await end(app.code(1)))).toEqual([409, "second_factor_off"]);
  });

  test("works with a recovery code, without the phone", async () => {
    const { person, app } = await withApp();
    const [code = ""] = app.recoveryCodes;
    expect(told(await person.call("DELETE", "/api/me/second-factor", { code }))).toEqual(IN);
  });

  test("of one person leaves another's as it is", async () => {
    const [one, other] = [await withApp(), await withApp()];
    expect(told(await one.person.call("DELETE", "/api/me/second-factor", { code: one.app.code() }))).toEqual(
      IN,
    );
    expect((await other.person.get("/api/me/second-factor")).body.data).toMatchObject({
      ...{ isOn: true, codesLeft: 10 },
    });
  });
});

describe("a login", () => {
  test("that is deleted takes its app and codes along", async () => {
    const { person } = await withApp();
    expect((await person.call("DELETE", "/api/me", { email: person.email })).status).toBe(200);
    for (const table of ["second_factor", "recovery_code"]) expect(await rowsOf(table)).toEqual([]);
  });

  test.each([
    ["just before the change goes", 0, 0],
    ["less than 72 hours before goes", 71 * 3_600_000, 0],
    ["earlier stays", 73 * 3_600_000, 1],
  ])("whose address is restored: an app set up %s", async (_, before, left) => {
    const { person, app } = await withApp();
    if (before > 0) later(before);
    const changing = browser();
    await enter(changing, person.email, app.code(before > 0 ? 0 : 1));
    const becomes = `otra.${person.email}`;
    await changing.post("/api/me/email", { email: becomes });
    await browser().post("/api/auth/confirm-email", { token: await mails.token(becomes) });
    const undo = await vi.waitFor(() => {
      const text = mails.to(person.email).findLast((mail) => mail.text.includes("/no-he-sido-yo"))?.text;
      if (!text) throw new Error("no mail yet");
      return /token=([\w-]+)/.exec(text)?.[1] ?? "";
    });
    expect((await browser().post("/api/auth/restore-email", { token: undo })).status).toBe(200);
    expect(await rowsOf("second_factor")).toHaveLength(left);
  });
});

describe("the person is told", () => {
  test.each([
    ["es", "Verificación en dos pasos activada"],
    ["en", "Two-step verification on"],
  ])("by mail in %s, without a link, and in the activity of their companies", async (language, subject) => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    await env.DIRECTORY.prepare("UPDATE user SET language = ?").bind(language).run();
    const app = await setUpApp(owner);
    const [mail] = await mails.arrived(owner.email);
    expect(mail?.subject).toBe(`Cuadre: ${subject}`);
    expect(mail?.text).not.toMatch(/https?:|token=/);
    await enter(browser(), owner.email, app.recoveryCodes[0]);
    await owner.call("DELETE", "/api/me/second-factor", { code: app.code() });
    const { items } = (await owner.get("/api/me/activity")).body.data;
    const events = items.map(({ event }: { event: string }) => event);
    for (const event of ["second_factor_on", "recovery_code_used", "second_factor_off"])
      expect(events).toContain(event);
    await vi.waitFor(async () => {
      const path = `/api/accounts/${shop.accountId}/activity?area=security`;
      const verbs = (await owner.get(path)).body.data.items.map(({ verb }: { verb: string }) => verb);
      expect(verbs).toEqual(expect.arrayContaining(["second_factor_on", "second_factor_off"]));
    });
  });
});

describe("a secret of the deployment that is being replaced", () => {
  const consoleWith = (secrets: string) => {
    const app = createConsoleApp(consoleDeps(ownerOver({ ...env, SESSION_SECRET: secrets })));
    return () => visitor("http://127.0.0.1:8788", async (url, init) => app.request(url, init));
  };

  test("still opens the app's secret, which a sign-in seals anew; a recovery code needs neither", async () => {
    const { person, app } = await withApp();
    const other = await withApp();
    const both = consoleWith(`tomorrow,${env.SESSION_SECRET}`);
    expect(told(await enter(both(), person.email, app.code()))).toEqual(IN);
    const next = consoleWith("tomorrow");
    later(STEP_MS);
    expect(told(await enter(next(), person.email, app.code()))).toEqual(IN);
    expect(told(await enter(next(), other.person.email, other.app.code()))).toEqual(WRONG);
    expect(told(await enter(next(), other.person.email, other.app.recoveryCodes[0]))).toEqual(IN);
  });
});
