/** Wrong passwords slow down their sender, and no one else. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { browser, type ConsoleAnswer, hearMails, newPerson, PASSWORD } from "../support/worlds/console.ts";

// Time passes by `later` alone.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Visitor = Pick<ReturnType<typeof browser>, "call">;

function tryWith(
  email: string,
  password: string,
  { network = "203.0.113.7", at = browser() }: { network?: string; at?: Visitor } = {},
): Promise<ConsoleAnswer> {
  return at.call("POST", "/api/auth/sign-in/email", { email, password }, { "CF-Connecting-IP": network });
}

/** As if so much time had passed. */
async function later(seconds: number): Promise<void> {
  await env.DIRECTORY.prepare("UPDATE sign_in_failure SET free_at = free_at - ?1, since = since - ?1")
    .bind(seconds * 1_000)
    .run();
}

const short = ({ status, body, headers }: ConsoleAnswer) => {
  const wait = headers.get("Retry-After");
  return [status, body.error_code, ...(wait === null ? [] : [wait])];
};

const WRONG = [401, "credentials_wrong"];
const delayed = (seconds: number) => [429, "too_many_attempts", String(seconds)];

describe("one sender", () => {
  test("waits 1, 2, 4 seconds after the fifth wrong one, also with the right password", async () => {
    const { email } = await newPerson();
    for (let tries = 0; tries < 5; tries++) expect(short(await tryWith(email, "wrong"))).toEqual(WRONG);
    for (const seconds of [1, 2, 4]) {
      expect(short(await tryWith(email, PASSWORD))).toEqual(delayed(seconds));
      await later(seconds);
      expect(short(await tryWith(email, "wrong"))).toEqual(WRONG);
    }
  });

  test.each([
    [4, 0],
    [5, 1],
    [6, 2],
    [7, 4],
    [14, 512],
    [15, 900],
    [400, 900],
  ])("waits after %i wrong ones %i seconds", async (failures, seconds) => {
    const email = "nadie@correo.example";
    await tryWith(email, "wrong");
    await env.DIRECTORY.prepare("UPDATE sign_in_failure SET failures = ? WHERE taken_by IS NOT NULL")
      .bind(failures - 1)
      .run();
    expect(short(await tryWith(email, "wrong"))).toEqual(WRONG);
    const next = short(await tryWith(email, "wrong"));
    expect(next).toEqual(seconds === 0 ? WRONG : delayed(seconds));
  });

  test("is free again after the right one", async () => {
    const { email } = await newPerson();
    for (let tries = 0; tries < 5; tries++) await tryWith(email, "wrong");
    await later(1);
    expect((await tryWith(email, PASSWORD)).status).toBe(200);
    for (let tries = 0; tries < 5; tries++) expect(short(await tryWith(email, "wrong"))).toEqual(WRONG);
  });

  test("tries at once are counted like those in turn", async () => {
    const { email } = await newPerson();
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryWith(email, "wrong")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  test.each([
    ["the same address", "203.0.113.7", 429],
    ["another address", "203.0.113.8", 200],
    ["the same /64", "2001:db8:1:2:aaaa::1", 429],
    ["another /64", "2001:db8:1:3::1", 200],
  ])("is known by %s", async (_, network, status) => {
    const { email } = await newPerson();
    const first = network.includes(":") ? "2001:db8:1:2::9" : "203.0.113.7";
    for (let tries = 0; tries < 5; tries++) await tryWith(email, "wrong", { network: first });
    expect((await tryWith(email, PASSWORD, { network })).status).toBe(status);
  });
});

describe("the owner", () => {
  test("is not held up by a stranger in the same network, in a browser that signed in before", async () => {
    const owner = await newPerson();
    await owner.post("/api/auth/sign-out", {});
    for (let tries = 0; tries < 7; tries++) await tryWith(owner.email, "wrong");
    expect(short(await tryWith(owner.email, PASSWORD))[0]).toBe(429);
    expect((await tryWith(owner.email, PASSWORD, { at: owner })).status).toBe(200);
  });

  test("is free again everywhere after a recovery by mail", async () => {
    const mails = hearMails();
    const { email } = await newPerson();
    for (let tries = 0; tries < 7; tries++) await tryWith(email, "wrong");
    await browser().post("/api/auth/request-password-reset", { email });
    const token = await mails.token(email);
    const newPassword = "siete gatos en la azotea";
    expect((await browser().post("/api/auth/reset-password", { token, newPassword })).status).toBe(200);
    expect((await tryWith(email, newPassword)).status).toBe(200);
  });

  test("has a counter of their own in a known browser: a copied cookie guesses no faster", async () => {
    const owner = await newPerson();
    for (let tries = 0; tries < 5; tries++) await tryWith(owner.email, "wrong", { at: owner });
    expect(short(await tryWith(owner.email, PASSWORD, { at: owner }))).toEqual(delayed(1));
    expect((await tryWith(owner.email, PASSWORD)).status).toBe(200);
  });

  test.each([
    ["another person's", (cookie: string) => cookie, false],
    ["a forged one", (cookie: string) => `${cookie.startsWith("x") ? "y" : "x"}${cookie.slice(1)}`, true],
  ])("is known by no other cookie: %s", async (_, change, isOwn) => {
    const [owner, other] = [await newPerson(), await newPerson()];
    const device = (who: typeof owner) => [...who.cookies].find(([name]) => name.includes("device_"));
    const [name = "", value = ""] = device(isOwn ? owner : other) ?? [];
    const thief = browser();
    thief.cookies.set(device(owner)?.[0] ?? name, change(value));
    for (let tries = 0; tries < 5; tries++) await tryWith(owner.email, "wrong");
    expect(short(await tryWith(owner.email, PASSWORD, { at: thief }))).toEqual(delayed(1));
  });
});

describe("more than a hundred wrong ones an hour from everywhere", () => {
  async function afterAHundred(email: string): Promise<void> {
    await tryWith(email, "wrong", { network: "198.51.100.1" });
    await env.DIRECTORY.prepare("UPDATE sign_in_failure SET failures = 100 WHERE taken_by IS NULL").run();
  }

  test("let a strange browser try once in five seconds, a known one at once", async () => {
    const owner = await newPerson();
    await afterAHundred(owner.email);
    expect(short(await tryWith(owner.email, "wrong", { network: "198.51.100.2" }))).toEqual(WRONG);
    expect(short(await tryWith(owner.email, PASSWORD, { network: "198.51.100.3" }))).toEqual(delayed(5));
    expect((await tryWith(owner.email, PASSWORD, { at: owner, network: "198.51.100.3" })).status).toBe(200);
    await later(5);
    expect((await tryWith(owner.email, PASSWORD, { network: "198.51.100.3" })).status).toBe(200);
  });

  test("are reported to the owner by mail, once", async () => {
    const mails = hearMails();
    const { email } = await newPerson();
    await afterAHundred(email);
    for (const network of ["198.51.100.2", "198.51.100.3", "198.51.100.4"]) {
      await tryWith(email, "wrong", { network });
      await later(5);
    }
    const [told, ...more] = await mails.arrived(email);
    expect([told?.subject, more]).toEqual(["Cuadre: Muchos intentos de entrar", []]);
  });

  test("are over with the hour", async () => {
    const { email } = await newPerson();
    await afterAHundred(email);
    await later(3_600);
    for (const network of ["198.51.100.2", "198.51.100.3"]) {
      expect(short(await tryWith(email, "wrong", { network }))).toEqual(WRONG);
    }
  });
});

test("an unknown address is delayed like any other, by both rules", async () => {
  const email = "nadie.la.tiene@correo.example";
  for (let tries = 0; tries < 5; tries++) expect(short(await tryWith(email, "wrong"))).toEqual(WRONG);
  expect(short(await tryWith(email, "wrong"))).toEqual(delayed(1));
  await env.DIRECTORY.prepare("UPDATE sign_in_failure SET failures = 100 WHERE taken_by IS NULL").run();
  expect(short(await tryWith(email, "wrong", { network: "198.51.100.2" }))).toEqual(WRONG);
  expect(short(await tryWith(email, "wrong", { network: "198.51.100.3" }))).toEqual(delayed(5));
});

test("day-old counts are removed at the next attempt", async () => {
  await tryWith("hace.tiempo@correo.example", "wrong");
  await later(86_401);
  await tryWith("ahora@correo.example", "wrong");
  const { results } = await env.DIRECTORY.prepare("SELECT email_sha256 FROM sign_in_failure").all();
  expect(results).toHaveLength(2);
});
