/** Each event of a sign-in is one line of the log, for existing and unknown people alike. */
import { describe, expect, test } from "vitest";
import { SECURITY_EVENTS, type SecurityEvent } from "../../../src/domain/identity/security-event.ts";
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { softPasskey } from "../../support/worlds/authenticator.ts";
import { setUpApp } from "../../support/worlds/authenticator-app.ts";
import { aConsole, type ConsoleEdge } from "../../support/worlds/console-edge.ts";
import type { Browser } from "../../support/worlds/visitor.ts";

const EMAIL = "ana.ruiz@correo.example";
const OTHER = "ana.nueva@correo.example";
const [PASSWORD, NEW_PASSWORD] = ["cuatro lunas de marzo", "siete gatos en la azotea"];

interface Scene {
  readonly edge: ConsoleEdge;
  /** Signed in. */
  readonly person: Browser;
}

/** The newest link that was mailed to an address. */
function tokenTo({ mails }: ConsoleEdge, to: string, page = ""): string {
  const texts = mails.filter((mail) => mail.to === to).map(({ text }) => text);
  const found = texts.map((text) => new RegExp(`${page}\\?token=([\\w-]+)`).exec(text)?.[1]);
  return found.findLast((token) => token !== undefined) ?? "";
}

async function aPerson(edge: ConsoleEdge = aConsole()): Promise<Scene> {
  const person = edge.visitor();
  await person.post("/api/auth/sign-up/email", { name: "Ana Ruiz", email: EMAIL });
  const chosen = { token: tokenTo(edge, EMAIL), newPassword: PASSWORD };
  expect((await person.post("/api/auth/reset-password", chosen)).status).toBe(200);
  return { edge, person };
}

const signIn = (at: Browser, password = PASSWORD, email = EMAIL) =>
  at.post("/api/auth/sign-in/email", { email, password });

async function moved({ edge, person }: Scene): Promise<void> {
  await person.post("/api/me/email", { email: OTHER });
  await edge.visitor().post("/api/auth/confirm-email", { token: tokenTo(edge, OTHER) });
}

async function recovered({ edge }: Scene): Promise<void> {
  await edge.visitor().post("/api/auth/request-password-reset", { email: EMAIL });
  const token = tokenTo(edge, EMAIL);
  await edge.visitor().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD });
}

const AUTH = "/api/auth";
const PASSKEY = `${AUTH}/passkey`;
const FACTOR = "/api/me/second-factor";

const withCode = (at: Browser, code?: string) =>
  at.post(`${AUTH}/sign-in/email`, { email: EMAIL, password: PASSWORD, code });

type Row = readonly [SecurityEvent, route: string, code: string | undefined, act: (scene: Scene) => unknown];

const EVENTS: readonly Row[] = [
  ["asked_to_join", `${AUTH}/sign-up/email`, undefined, () => {}],
  ["signed_up", `${AUTH}/reset-password`, undefined, () => {}],
  ["signed_in", `${AUTH}/sign-in/email`, undefined, ({ person }) => signIn(person)],
  ["signed_in_new_device", `${AUTH}/sign-in/email`, undefined, ({ edge }) => signIn(edge.visitor())],
  ["sign_in_failed", `${AUTH}/sign-in/email`, "credentials_wrong", ({ person }) => signIn(person, "wrong")],
  [
    ...(["sign_in_delayed", `${AUTH}/sign-in/email`, "too_many_attempts"] as const),
    async ({ person }) => {
      for (let tries = 0; tries < 6; tries++) await signIn(person, "wrong");
    },
  ],
  [
    ...(["many_failed_sign_ins", `${AUTH}/sign-in/email`, undefined] as const),
    async ({ edge }) => {
      await signIn(edge.visitor(), "wrong");
      edge.directory.exec("UPDATE sign_in_failure SET failures = 100 WHERE taken_by IS NULL");
      await signIn(edge.visitor(), "wrong");
    },
  ],
  ["signed_out", `${AUTH}/sign-out`, undefined, ({ person }) => person.post(`${AUTH}/sign-out`, {})],
  [
    ...(["sessions_ended", `${AUTH}/revoke-sessions`, undefined] as const),
    ({ person }) => person.post(`${AUTH}/revoke-sessions`, {}),
  ],
  [
    ...(["asked_for_password", `${AUTH}/request-password-reset`, undefined] as const),
    ({ person }) => person.post(`${AUTH}/request-password-reset`, { email: EMAIL }),
  ],
  [
    ...(["link_refused", `${AUTH}/reset-password`, "link_ended"] as const),
    ({ person }) => person.post(`${AUTH}/reset-password`, { token: "none", newPassword: NEW_PASSWORD }),
  ],
  ["password_recovered", `${AUTH}/reset-password`, undefined, recovered],
  [
    ...(["password_changed", `${AUTH}/change-password`, undefined] as const),
    ({ person }) => change(person, NEW_PASSWORD),
  ],
  [
    ...(["password_refused", `${AUTH}/change-password`, "password_guessable"] as const),
    ({ person }) => change(person, "password12345"),
  ],
  [
    ...(["passkey_added", `${PASSKEY}/verify-registration`, undefined] as const),
    async ({ person }) => (await softPasskey()).add(person),
  ],
  [
    ...(["passkey_removed", `${PASSKEY}/delete-passkey`, undefined] as const),
    async ({ person }) => {
      await (await softPasskey()).add(person);
      const [{ id }] = (await person.get(`${PASSKEY}/list-user-passkeys`)).body;
      await person.post(`${PASSKEY}/delete-passkey`, { id });
    },
  ],
  [
    ...(["passkey_refused", `${PASSKEY}/verify-authentication`, "passkey_refused"] as const),
    ({ person }) => person.post(`${PASSKEY}/verify-authentication`, { response: { id: "x" } }),
  ],
  [
    ...(["email_change_asked", "/api/me/email", undefined] as const),
    ({ person }) => person.post("/api/me/email", { email: OTHER }),
  ],
  ["email_changed", `${AUTH}/confirm-email`, undefined, moved],
  [
    ...(["email_restored", `${AUTH}/restore-email`, undefined] as const),
    async (scene) => {
      await moved(scene);
      const token = tokenTo(scene.edge, EMAIL, "/no-he-sido-yo");
      await scene.edge.visitor().post(`${AUTH}/restore-email`, { token });
    },
  ],
  [
    ...(["sign_in_again", `${AUTH}/change-password`, "sign_in_again"] as const),
    async ({ edge, person }) => {
      edge.directory.exec("UPDATE session SET created_at = created_at - 900001");
      await change(person, NEW_PASSWORD);
    },
  ],
  [
    ...(["second_factor_on", `${FACTOR}/confirm`, undefined] as const),
    async ({ person }) => {
      await setUpApp(person);
    },
  ],
  [
    ...(["second_factor_off", FACTOR, undefined] as const),
    async ({ person }) => {
      const app = await setUpApp(person);
      await person.call("DELETE", FACTOR, { code: app.code() });
    },
  ],
  [
    ...(["code_asked", `${AUTH}/sign-in/email`, "second_factor_required"] as const),
    async ({ person }) => {
      await setUpApp(person);
      await signIn(person);
    },
  ],
  [
    ...(["code_refused", `${AUTH}/sign-in/email`, "code_wrong"] as const),
    async ({ person }) => {
      await setUpApp(person);
      await withCode(person, "none");
    },
  ],
  [
    ...(["many_wrong_codes", `${AUTH}/sign-in/email`, undefined] as const),
    async ({ person }) => {
      await setUpApp(person);
      for (let tries = 0; tries < 7; tries++) await withCode(person, "none");
    },
  ],
  [
    ...(["recovery_code_used", `${AUTH}/sign-in/email`, undefined] as const),
    async ({ person }) => {
      const { recoveryCodes } = await setUpApp(person);
      await withCode(person, recoveryCodes[0]);
    },
  ],
  ["login_deleted", "/api/me", undefined, ({ person }) => person.call("DELETE", "/api/me", { email: EMAIL })],
];

function change(person: Browser, newPassword: string) {
  return person.post(`${AUTH}/change-password`, { currentPassword: PASSWORD, newPassword });
}

const ofSecurity = ({ lines }: ConsoleEdge) => lines.flatMap((line) => ("event" in line ? [line] : []));

describe("an event", () => {
  test("of every kind has a row here", () => {
    expect(EVENTS.map(([event]) => event).toSorted()).toEqual([...SECURITY_EVENTS].toSorted());
  });

  test.each(EVENTS)("%s is one line with its route and code, by hashes", async (event, route, code, act) => {
    const scene = await aPerson();
    await act(scene);
    const told = ofSecurity(scene.edge).filter((line) => line.event === event);
    const [line] = told;
    expect(line).toMatchObject({ level: "security", route, event });
    expect(line?.error_code).toBe(code);
    expect(line?.network_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(scene.edge.lines)).not.toMatch(/ana\.|Ana|127\.0\.0\.1|unknown/);
    for (const plain of [EMAIL, `account:${EMAIL}`])
      expect(line?.account_hash).not.toBe(sha256Hex(plain).slice(0, 16));
  });

  test("of one account has one hash of it, and of no account none", async () => {
    const { edge, person } = await aPerson();
    await signIn(person, "wrong");
    await person.post(`${AUTH}/reset-password`, { token: "none", newPassword: NEW_PASSWORD });
    const hashes = new Set(ofSecurity(edge).map(({ event, account_hash: hash }) => `${event} ${hash}`));
    const [own] = ofSecurity(edge).map(({ account_hash: hash }) => hash);
    expect(hashes).toEqual(
      new Set([
        ...[`asked_to_join ${own}`, `signed_up ${own}`, `sign_in_failed ${own}`],
        "link_refused undefined",
      ]),
    );
  });
});

test("no answer waits for writes about known accounts alone, not even with a hundred of them", async () => {
  const written: SecurityEvent[] = [];
  const { edge } = await aPerson();
  const { events } = edge.login;
  // Its writing never ends.
  Object.assign(events, {
    keep: ({ event }: { readonly event: SecurityEvent }) => {
      written.push(event);
      return new Promise(() => {});
    },
  });
  await signIn(edge.visitor(), "wrong");
  edge.directory.exec("UPDATE sign_in_failure SET failures = 100 WHERE taken_by IS NULL");
  expect((await signIn(edge.visitor(), "wrong")).status).toBe(401);
  expect(written).toEqual(["sign_in_failed", "many_failed_sign_ins", "sign_in_failed"]);
});

describe("a link by mail", () => {
  test("to who signed up and asks again makes their week no longer", async () => {
    const edge = aConsole();
    await edge.visitor().post(`${AUTH}/sign-up/email`, { name: "Ana Ruiz", email: EMAIL });
    edge.directory.exec("UPDATE identity_link SET created_at = created_at - 1000, expires_at = 1");
    await edge.visitor().post(`${AUTH}/request-password-reset`, { email: EMAIL });
    const rows = edge.directory
      .prepare(
        "SELECT kind, name, count(*) AS links, count(DISTINCT created_at) AS moments FROM identity_link",
      )
      .all();
    expect(rows).toMatchObject([{ kind: "sign_up", name: "Ana Ruiz", links: 2, moments: 1 }]);
    const token = tokenTo(edge, EMAIL);
    const chosen = await edge.visitor().post(`${AUTH}/reset-password`, { token, newPassword: PASSWORD });
    expect(chosen.body.data).toEqual({ signedIn: true });
  });

  test("that changes the address is none where a recovery came while it was asked for", async () => {
    const scene = await aPerson();
    const { edge, person } = scene;
    const { user } = (await person.get("/api/me")).body.data;
    const [{ id: session } = { id: "" }] = edge.directory.prepare("SELECT id FROM session").all();
    await recovered(scene);
    const { emails } = edge.login;
    const now = Date.now();
    const asked = await emails.askToChange({
      ...{ userId: user.id, sessionId: String(session), email: OTHER, tokenSha256: sha256Hex("x"), now },
      ...{ expiresAt: now + 1_000, mails: { key: "k", most: 5, windowMs: 1_000 }, ofPerson: [] },
    });
    expect(asked).toEqual({ ok: true, found: undefined });
    expect(edge.directory.prepare("SELECT * FROM identity_link").all()).toEqual([]);
  });
});
