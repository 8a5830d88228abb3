import type { FactorUse, StoredFactor } from "../../db/login/login-stores.ts";
import type { Person, SessionOfPerson } from "../../db/people/identity-store.ts";
import { randomText } from "../../domain/connection/ids.ts";
import {
  base32Of,
  enrolmentUrl,
  newRecoveryCodes,
  SECRET_BYTES,
  typedCode,
} from "../../domain/identity/one-time-code.ts";
import { SECOND_FACTOR } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import { stepOfCode } from "../../platform/one-time-code.ts";
import type { LoginDeps } from "./deps.ts";

/** The reply to a code that was not accepted. */
export type CodeRefusal =
  | { readonly outcome: "code_required" }
  | { readonly outcome: "code_delayed"; readonly waitMs: number }
  | {
      readonly outcome: "code_wrong";
      /** No other code is tried for a while now, so the person gets a notice. */
      readonly isLast: boolean;
    };

interface CodeRight {
  readonly outcome: "right";
  /** The caller's batch uses it up: `useFactor`. */
  readonly use: FactorUse;
  /** Called once the batch is written. */
  readonly succeeded: () => Promise<void>;
}

interface CodeRequest {
  readonly userId: string;
  /** As it was typed; undefined before the person is asked for it. */
  readonly code: string | undefined;
  /** The key of the count of wrong codes. */
  readonly countedAs: string;
}

interface Entering extends Pick<CodeRequest, "userId" | "code"> {
  /** Device ids from the browser's cookies. */
  readonly devices: readonly string[];
}

/**
 * The second step of a sign-in or a recovery; undefined for a person without one. Wrong codes of a known
 * device count apart, so that another person with the password cannot keep the owner waiting there.
 */
export async function proveSecondStep(
  { userId, code, devices }: Entering,
  deps: LoginDeps,
): Promise<CodeRight | CodeRefusal | undefined> {
  const factor = await deps.factors.factorOf(userId, devices.map(sha256Hex), deps.now());
  if (!factor) return undefined;
  const { device } = factor;
  const countedAs = deps.keyedHash(...sender(device, userId));
  return judge(factor, { userId, code, countedAs }, deps);
}

function sender(device: string | undefined, userId: string): [kind: string, text: string] {
  return device === undefined ? ["codes of person", userId] : ["codes of device", device];
}

async function judge(
  factor: Pick<StoredFactor, "sealed" | "lastStep">,
  { userId, code, countedAs }: CodeRequest,
  deps: LoginDeps,
): Promise<CodeRight | CodeRefusal> {
  if (code === undefined) return { outcome: "code_required" };
  const begun = await deps.factors.beginTry(countedAs, deps.now());
  if (!begun.ok) return { outcome: "code_delayed", waitMs: begun.waitMs };
  const use = await useOf(factor, { userId, code }, deps);
  if (!use) return { outcome: "code_wrong", isLast: begun.failures === SECOND_FACTOR.tries };
  return { outcome: "right", use, succeeded: () => deps.factors.succeeded(countedAs) };
}

async function useOf(
  { sealed, lastStep }: Pick<StoredFactor, "sealed" | "lastStep">,
  { userId, code }: { readonly userId: string; readonly code: string },
  deps: LoginDeps,
): Promise<FactorUse | undefined> {
  const typed = typedCode(code);
  if (typed.kind === "none") return undefined;
  if (typed.kind === "recovery") {
    const codeSha256 = sha256Hex(typed.code);
    const isKnown = await deps.factors.hasRecoveryCode(userId, codeSha256);
    return isKnown ? { kind: "recovery", codeSha256 } : undefined;
  }
  const opened = await deps.factorSeal.open(userId, sealed);
  if (!opened) return undefined;
  const step = await stepOfCode(opened.secret, typed.code, { now: deps.now(), used: lastStep });
  if (step === undefined) return undefined;
  const resealed = opened.isOld ? { resealed: await deps.factorSeal.seal(userId, opened.secret) } : {};
  return { kind: "app", step, ...resealed };
}

interface OwnRequest {
  readonly person: Person;
  readonly session: SessionOfPerson;
}

/** A new secret in both forms, shown by this answer alone; undefined while an app is confirmed. */
export async function beginSetUp(
  { person, session }: OwnRequest,
  deps: LoginDeps,
): Promise<{ readonly secret: string; readonly url: string } | undefined> {
  const secret = Uint8Array.from(deps.random(SECRET_BYTES));
  const sealed = await deps.factorSeal.seal(person.id, secret);
  const setUp = { userId: person.id, sessionId: session.id, sealed, now: deps.now() };
  if (!(await deps.factors.begin(setUp))) return undefined;
  const { product } = deps;
  return { secret: base32Of(secret), url: enrolmentUrl(secret, { product, email: person.email }) };
}

type Confirmed =
  | CodeRefusal
  | { readonly outcome: "set_up_ended" }
  | { readonly outcome: "done"; readonly codes: readonly string[] };

/** The first code switches it on and makes the recovery codes, shown by this answer alone. */
export async function confirmSetUp(
  { person, session, code }: OwnRequest & { readonly code: string },
  deps: LoginDeps,
): Promise<Confirmed> {
  const { id: userId } = person;
  const sealed = await deps.factors.pendingOf(userId, deps.now());
  if (sealed === undefined) return { outcome: "set_up_ended" };
  const countedAs = deps.keyedHash("codes of session", session.id);
  const judged = await judge({ sealed, lastStep: 0 }, { userId, code, countedAs }, deps);
  if (judged.outcome !== "right") return judged;
  // A recovery code of an earlier time is gone with its app.
  if (judged.use.kind === "recovery") return { outcome: "code_wrong", isLast: false };
  const codes = newRecoveryCodes(deps.random);
  const isOn = await deps.factors.confirm({
    ...{ id: randomText(32, deps.random), userId, sessionId: session.id, sealed },
    ...{ step: judged.use.step, now: deps.now() },
    codesSha256: codes.map((one) => sha256Hex(one.replaceAll("-", ""))),
  });
  if (!isOn) return { outcome: "set_up_ended" };
  await judged.succeeded();
  return { outcome: "done", codes };
}

/** Needs a code like a sign-in, so that an open session alone cannot end it. */
export async function endSecondStep(
  { person, session, code }: OwnRequest & { readonly code: string },
  deps: LoginDeps,
): Promise<CodeRefusal | { readonly outcome: "is_off" } | { readonly outcome: "done" }> {
  const { id: userId } = person;
  const factor = await deps.factors.factorOf(userId, [], deps.now());
  if (!factor) return { outcome: "is_off" };
  const countedAs = deps.keyedHash("codes of session", session.id);
  const judged = await judge(factor, { userId, code, countedAs }, deps);
  if (judged.outcome !== "right") return judged;
  const id = randomText(32, deps.random);
  const isEnded = await deps.factors.end({ id, userId, sessionId: session.id, use: judged.use });
  if (!isEnded) return { outcome: "code_wrong", isLast: false };
  await judged.succeeded();
  return { outcome: "done" };
}
