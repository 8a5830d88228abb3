import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { matchedRoutes } from "hono/route";
import { isProven } from "../domain/connection/company.ts";
import { consoleOrigins } from "../domain/connection/console-origins.ts";
import { ledgerOf } from "../domain/connection/ids.ts";
import { IDENTITY } from "../domain/limits.ts";
import { BRAKE_SECONDS, isBraked, networkIn } from "../platform/brake.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuse } from "./refuse.ts";
import { refuseAndRecord } from "./sign-in/security.ts";

const READS = new Set(["GET", "HEAD"]);
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Takes a PDF; a form of another site cannot send this content type either. */
export const TAKES_DOCUMENT = /^\/api\/(?:accounts\/[^/]+\/proofs|claims)\/document$/;

/** Takes a PNG, under the same condition. */
export const TAKES_LOGO = /^\/api\/accounts\/[^/]+\/company\/look\/logo$/;

/** Changes need the console's origin and a JSON body: a form of another site can send neither. */
export const ownPagesOnly: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  if (!READS.has(c.req.method)) {
    const origins = consoleOrigins(c.var.deps.consoleUrl);
    if (!origins.includes(c.req.header("Origin") ?? "")) return refuse(c, "foreign_origin");
    const hasBody = c.req.header("Content-Length") !== "0" && c.req.raw.body !== null;
    const isJson = JSON_TYPE.test(c.req.header("Content-Type") ?? "");
    const type = c.req.header("Content-Type");
    const isDocument = TAKES_DOCUMENT.test(c.req.path) && type === "application/pdf";
    const isLogo = TAKES_LOGO.test(c.req.path) && type === "image/png";
    if (hasBody && !isJson && !isDocument && !isLogo) return refuse(c, "unsupported_media_type");
  }
  return next();
};

export const signedIn: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const session = await c.var.deps.identity.signedIn(c.req.raw.headers);
  if (!session) return refuse(c, "signed_out");
  c.set("user", session.person);
  c.set("session", session.session);
  await next();
  for (const cookie of session.cookies) c.res.headers.append("Set-Cookie", cookie);
};

/** Requires a recent sign-in, so that a screen left open gives no lasting access. */
export const freshlySignedIn: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const { deps, session, user } = c.var;
  if (deps.now() - session.begunAt > IDENTITY.freshSignInMs) {
    return refuseAndRecord(c, "sign_in_again", { event: "sign_in_again", of: { email: user.email } });
  }
  return next();
};

/** Runs before each attempt at a password, a passkey or a link. */
export const tryBrake: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const isTooMany = await isBraked(c.var.deps.failedAuthentication, `sign-in:${networkIn(c)}`);
  if (isTooMany) return refuse(c, "rate_limited", { retryAfterSeconds: BRAKE_SECONDS });
  return next();
};

/** Another company and a missing company get the same reply. */
const memberOnly: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const { deps, user } = c.var;
  const account = await deps.members.membershipOf(user.id, c.req.param("account") ?? "");
  if (!account) return refuse(c, "not_found");
  c.set("account", account);
  c.set("reads", deps.reads(account.ledger));
  return next();
};

/** Marks a POST that only reads, because its query is too long for an address; accountants may call it. */
export const question: MiddlewareHandler<ConsoleEnv> = (_, next) => next();

/** Accountants read and change nothing. */
const ownersChange: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const isQuestion = matchedRoutes(c).some(({ handler }) => handler === question);
  if (!READS.has(c.req.method) && !isQuestion && c.var.account.role !== "owner")
    return refuse(c, "read_only");
  return next();
};

export const accountGate = every(signedIn, memberOnly, ownersChange);

/**
 * While another claimant disputes the NIF, keys, grants and exports are refused: they outlast the dispute.
 */
export function refuseContested(c: Context<ConsoleEnv>): void {
  if (c.var.account.verification === "contested") refuse(c, "company_contested");
}

export const uncontested: MiddlewareHandler<ConsoleEnv> = (c, next) => {
  refuseContested(c);
  return next();
};

export const proven: MiddlewareHandler<ConsoleEnv> = (c, next) => {
  if (!isProven(c.var.account.verification)) refuse(c, "company_not_verified");
  return next();
};

/** Sets the connection of the path if it belongs to the account. */
export const connectionGate: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const { account, reads, deps } = c.var;
  const id = c.req.param("connection") ?? "";
  const isOfLedger = ledgerOf(id, "cn") === account.ledger;
  const connection = isOfLedger ? await reads.accounts.readConnection(account.accountId, id) : undefined;
  if (!connection) return refuse(c, "not_found");
  c.set("connection", connection);
  c.set("owner", deps.owner(id));
  return next();
};
