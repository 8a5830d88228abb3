import type { Context } from "hono";
import { routePath } from "hono/route";
import type { MailLanguage } from "../../db/login/login-stores.ts";
import type { Membership } from "../../db/people/member-store.ts";
import { newId, randomText } from "../../domain/connection/ids.ts";
import { deviceOf } from "../../domain/identity/device.ts";
import { isCompanyEvent, OWN_EVENTS, type SecurityEvent } from "../../domain/identity/security-event.ts";
import { networkIn } from "../../platform/brake.ts";
import { faultOf } from "../../platform/log.ts";
import type { Mail } from "../../platform/mailer.ts";
import {
  type ErrorCode,
  isNoticeKind,
  type NoticeKind,
  noticeMail,
  noticeTime,
  preferredLanguage,
} from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse } from "../refuse.ts";

const HASH_LENGTH = 16;

/** The person of the event; an invalid link names no person. */
export interface Concerned {
  readonly email?: string;
  /** Undefined for an address without a known login. */
  readonly userId?: string | undefined;
  /** The companies of a person with a deleted login. */
  readonly memberships?: readonly Membership[];
}

/**
 * Logs a security event with hashed identifiers. Depending on the event, it also writes a line for the
 * person, a line for each of their companies, and a mail.
 */
export async function recordSecurity(
  c: Context<ConsoleEnv>,
  event: SecurityEvent,
  concerned: Concerned,
  errorCode?: ErrorCode,
): Promise<void> {
  const { deps, requestId } = c.var;
  const { email, userId } = concerned;
  deps.log({
    ...{ level: "security", request_id: requestId, route: routePath(c, -1), event },
    ...(errorCode ? { error_code: errorCode } : {}),
    ...(email === undefined
      ? {}
      : { account_hash: deps.login.keyedHash("account", email).slice(0, HASH_LENGTH) }),
    network_hash: deps.login.keyedHash("network", networkIn(c)).slice(0, HASH_LENGTH),
  });
  const isMerged = event === "sign_in_failed" || event === "code_refused";
  const keeping =
    email !== undefined && OWN_EVENTS.has(event) ? keep(c, event, email, isMerged) : Promise.resolve();
  // After a failed sign-in the response does not wait: its timing would show if the address is known.
  if (isMerged || event === "many_failed_sign_ins") inBackground(c, keeping);
  else await keeping;
  if (userId !== undefined && isCompanyEvent(event))
    inBackground(c, noteInCompanies(c, event, { ...concerned, userId }));
  if (email !== undefined && isNoticeKind(event)) notify(c, event, { email, userId });
}

function keep(c: Context<ConsoleEnv>, event: SecurityEvent, email: string, isMerged: boolean): Promise<void> {
  const { events, random, now } = c.var.deps.login;
  const id = randomText(32, random);
  return events.keep({ email, event, at: now(), device: deviceOfCaller(c), id, isMerged });
}

async function noteInCompanies(
  c: Context<ConsoleEnv>,
  verb: string,
  { userId, memberships }: Concerned & { readonly userId: string },
): Promise<void> {
  const { deps } = c.var;
  const at = deps.now();
  for (const { accountId, ledger } of memberships ?? (await deps.members.membershipsOf(userId))) {
    const id = newId("al", ledger, deps.random);
    await deps.reads(ledger).accounts.note(accountId, { id, userId, at, verb, facts: {} });
  }
}

/** Mails in the background, in the person's language. */
export function notify(
  c: Context<ConsoleEnv>,
  kind: NoticeKind,
  { email, userId }: { readonly email: string; readonly userId?: string | undefined },
): void {
  const { deps } = c.var;
  const at = noticeTime(deps.now());
  const [device, callers] = [deviceOfCaller(c), languageOfCaller(c)];
  const theirs = userId === undefined ? Promise.resolve(undefined) : deps.login.logins.languageOf(userId);
  const sending = theirs.then((language) => {
    const facts = { to: email, product: deps.software.name, language: language ?? callers };
    return deps.mailer.send(noticeMail(kind, { device, at }, facts));
  });
  inBackground(c, sending);
}

export function sendInBackground(c: Context<ConsoleEnv>, mail: Mail): void {
  inBackground(c, c.var.deps.mailer.send(mail));
}

/** Runs without delaying the response; a failure is logged as an alarm for the operator. */
export function inBackground(c: Context<ConsoleEnv>, work: Promise<unknown>): void {
  const { deps } = c.var;
  deps.inBackground(
    work.catch((error: unknown) =>
      deps.log({ level: "alarm", alarm: "identity_work_failed", ...faultOf(error) }),
    ),
  );
}

/** Refuses and records the security event. */
export async function refuseAndRecord(
  c: Context<ConsoleEnv>,
  code: ErrorCode,
  {
    event,
    of,
    ...particulars
  }: { readonly event: SecurityEvent; readonly of: Concerned } & Parameters<typeof refuse>[2],
): Promise<never> {
  await recordSecurity(c, event, of, code);
  return refuse(c, code, particulars);
}

export function deviceOfCaller(c: Context<ConsoleEnv>): string | undefined {
  return deviceOf(c.req.header("User-Agent"));
}

export function languageOfCaller(c: Context<ConsoleEnv>): MailLanguage {
  return preferredLanguage(c.req.header("Accept-Language"), "es");
}

export function setCookie(c: Context<ConsoleEnv>, cookie: string): void {
  c.header("Set-Cookie", cookie, { append: true });
}

export function mailFacts(c: Context<ConsoleEnv>) {
  return { product: c.var.deps.software.name, language: languageOfCaller(c) };
}
