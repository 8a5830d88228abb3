/** The owner's API under requests that are made of its contracts: no fault of ours, and the one form of a refusal. */
import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consoleRequestFor, versionOf } from "../support/fuzz/console-requests.ts";
import { drawFrom } from "../support/fuzz/draw.ts";
import { CONSOLE_ROUTES } from "../support/isolation/console-routes.ts";
import { aTenant, nobodysIds, type Tenant } from "../support/isolation/tenant.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { browser } from "../support/worlds/console.ts";

const ORIGIN = "http://127.0.0.1:8788";
const { requests, seed } = JSON.parse(env.FUZZ) as { requests: number; seed: number };
const ANSWERS = "POST /api/accounts/:account/connections/:connection/order/answers";
/** Answers to orders more often than the rest: they issue. */
const ROUTES = [...Object.keys(CONSOLE_ROUTES), ANSWERS, ANSWERS, ANSWERS];
/** Half as many as the public API gets: each takes twice as long. The database, which a test does not leave half done, bounds how many there may be in one. */
const OF_A_ROUND = 1_500;
const ROUND_MS = 600_000;
const COURSES_OF_A_TENANT = 3;

type Init = NonNullable<Parameters<typeof exports.OwnerApi.fetch>[1]>;

async function send({ owner }: Pick<Tenant, "owner">, path: string, init: Init) {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Origin: ORIGIN, Cookie: cookie, ...init.headers };
  const response = await exports.OwnerApi.fetch(`${ORIGIN}${path}`, { ...init, headers });
  const type = response.headers.get("Content-Type") ?? "";
  return { status: response.status, type, text: await response.text() };
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Refusals that come with what is there instead, so that the person can go on from it. */
const TOLD_WITH: ReadonlySet<string> = new Set(["draft_changed", "draft_issued", "preview_stale"]);

/** The problems of an answer, for any request. */
function problemIn({ status, type, text }: Answer): string | undefined {
  if (status >= 500) return `${status} ${text}`;
  if (status < 300 && !type.startsWith("application/json")) return undefined;
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  if (status < 300) return body.success === true ? undefined : `${status} without success: ${text}`;
  const { success, error, error_code: code, retryable, request_id: id, ...others } = body;
  const isRefusal = [error, code, id].every((part) => typeof part === "string" && part !== "");
  const isWhole = success === false && isRefusal && typeof retryable === "boolean";
  const isTold = status === 409 && TOLD_WITH.has(String(code));
  const isPlain = Object.keys(others).every((name) => name === "details" || (isTold && name === "data"));
  return isWhole && isPlain ? undefined : `no refusal: ${status} ${text}`;
}

const rounds = Array.from({ length: Math.ceil(requests / 2 / OF_A_ROUND) }, (_, round) => ({
  seed: seed + round,
}));

test.for(rounds)(
  "seed $seed: every route, again and again",
  { timeout: ROUND_MS },
  async ({ seed }, { task }) => {
    const draw = drawFrom(seed);
    const other = await aTenant("ajeno");
    const problems: string[] = [];
    const statuses: Record<string, Record<string, number>> = {};
    const reissued = new Set<string>();
    const validities = { valid: 0, nearly: 0, invalid: 0 };
    let tenant = await aTenant("nuestro");
    for (let course = 0; course < Math.min(requests / 2, OF_A_ROUND) / ROUTES.length; course += 1) {
      // Withdrawn, removed or switched off things are restored.
      if (course % COURSES_OF_A_TENANT === 0) tenant = await aTenant(`nuestro${course}`);
      const { account, connection } = tenant.ids;
      const own = { ...tenant.ids, person: other.ids.person };
      for (const route of draw.shuffled(ROUTES)) {
        const asked = draw.pick([own, own, own, other.ids, nobodysIds()]);
        const version = draw.chance(0.8) ? await versionOf(route, tenant.owner, own) : undefined;
        const ids = { ...asked, ...(version === undefined ? {} : { version }) };
        const request = consoleRequestFor(route, ids, { account, connection }, draw);
        const { method, path, headers, bytes, validity, fault } = request;
        validities[validity] += 1;
        const answer = await send(tenant, path, { method, headers, ...(bytes ? { body: bytes } : {}) });
        const counted = statuses[route] ?? {};
        statuses[route] = { ...counted, [answer.status]: (counted[answer.status] ?? 0) + 1 };
        const problem = problemIn(answer);
        const body = bytes ? new TextDecoder().decode(bytes).slice(0, 500) : "";
        if (problem) problems.push(`${method} ${path} (${fault}) ${body}\n  -> ${problem.slice(0, 500)}`);
      }
      const { invoices } = await expectOrdersConsistent(tenant.shop.connectionId);
      for (const { id, origin } of invoices) if (origin.startsWith("reissue:")) reissued.add(id);
    }
    task.meta.fuzz = { of: "owner", problems, statuses, validities, booked: { reissued: reissued.size } };
    expect(problems).toEqual([]);
    // After any request the session and the membership still exist.
    expect(statuses["GET /api/accounts/:account/company"]).toEqual({ 200: expect.any(Number) });
  },
);

const CREDENTIALS = [
  ...["/sign-up/email", "/sign-in/email", "/sign-out", "/request-password-reset", "/reset-password"],
  ...["/change-password", "/change-email", "/update-user", "/delete-user", "/revoke-session", "/link-social"],
  ...[
    "/passkey/verify-authentication",
    "/passkey/verify-registration",
    "/passkey/delete-passkey",
    "/callback/x",
  ],
  ...["/get-session", "/list-sessions", "/verify-email", "/sign-in/social", "/none", "/error", "/ok"],
].map((path) => `/api/auth${path}`);

/** The sign-in library answers in its own form. */
test("no request to sign in is a fault of ours", async () => {
  const draw = drawFrom(seed);
  const sensible = {
    name: "Ana",
    email: "ana@correo.example",
    password: "x".repeat(20),
    newPassword: "y",
    token: "t",
  };
  const problems: string[] = [];
  for (const path of [...CREDENTIALS, ...CREDENTIALS]) {
    const { bytes, headers } = consoleRequestFor("POST /api/accounts", nobodysIds(), nobodysIds(), draw);
    const whole = new TextEncoder().encode(
      JSON.stringify({ ...sensible, [draw.pick(["email", "token", "name"])]: {} }),
    );
    for (const [body, sent] of [
      [bytes, headers],
      [whole, { "Content-Type": "application/json" }],
    ] as const) {
      const visitor = { owner: browser() as Tenant["owner"] };
      const answer = await send(visitor, path, { method: "POST", headers: sent, ...(body ? { body } : {}) });
      if (answer.status >= 500) problems.push(`${path}: ${answer.status} ${answer.text}`);
      const read = await send(visitor, `${path}?token=%00&email[]=x&callbackURL=//x`, {});
      if (read.status >= 500) problems.push(`GET ${path}: ${read.status} ${read.text}`);
    }
  }
  expect(problems).toEqual([]);
});
