import type { KnownPerson, MailLanguage, NewSession, SigningIn, Try } from "../../db/login/login-stores.ts";
import { randomText } from "../../domain/connection/ids.ts";
import { SIGN_IN_DELAY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { LoginDeps } from "./deps.ts";
import { type CodeRefusal, proveSecondStep } from "./second-factor.ts";
import { mailboxHashes, newDevice, newSession } from "./tokens.ts";

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** Of the second step, once the person was asked for it. */
  readonly code: string | undefined;
  /** Device ids from the browser's cookies. */
  readonly devices: readonly string[];
  readonly device: string | undefined;
  readonly network: string;
  readonly language: MailLanguage;
}

export type SignInOutcome =
  | { readonly outcome: "delayed"; readonly waitMs: number }
  | {
      readonly outcome: "wrong";
      /** The person to warn of repeated attempts, once per hour of attempts. */
      readonly warned?: KnownPerson;
    }
  | (CodeRefusal & { readonly person: KnownPerson })
  | {
      readonly outcome: "signed_in";
      readonly isRecoveryCode: boolean;
      readonly person: KnownPerson;
      readonly session: NewSession;
      /** The cookie of a new browser gets this id. */
      readonly newDeviceId?: string;
    };

/** Until the password is right, known and unknown addresses take the same steps at the same cost. */
export async function signIn(request: SignInRequest, deps: LoginDeps): Promise<SignInOutcome> {
  const person = await deps.logins.signingIn(request.email, request.devices.map(sha256Hex), deps.now());
  const made = tryOf(request, person, deps);
  const begun = await deps.tries.begin(made);
  if (!begun.ok) return { outcome: "delayed", waitMs: begun.waitMs };
  const isRight = await deps.passwords.matches(person?.passwordHash, request.password);
  if (!isRight || !person?.passwordHash) {
    const isFirstTooMany = begun.failuresInAll === SIGN_IN_DELAY.mostFromEverywhere + 1;
    return { outcome: "wrong", ...(person && isFirstTooMany ? { warned: person } : {}) };
  }
  await deps.tries.succeeded(made);
  const proof = await proveSecondStep({ ...request, userId: person.id }, deps);
  if (proof && proof.outcome !== "right") return { ...proof, person };
  const session = newSession(person.id, request.device, deps);
  const device = person.device === undefined ? newDevice(deps) : undefined;
  const isIn = await deps.logins.beginSession(session, {
    ...{ passwordHash: person.passwordHash, language: request.language },
    mailbox: mailboxHashes(person.email, deps),
    use: proof?.use,
    ...(device ? { newDevice: device.stored } : {}),
  });
  // The password or the code was changed or used meanwhile.
  if (!isIn) return proof ? { outcome: "code_wrong", isLast: false, person } : { outcome: "wrong" };
  await proof?.succeeded();
  const isRecoveryCode = proof?.use.kind === "recovery";
  return {
    ...{ outcome: "signed_in", person, session, isRecoveryCode },
    ...(device ? { newDeviceId: device.id } : {}),
  };
}

function tryOf(
  { email, network }: SignInRequest,
  person: SigningIn | undefined,
  { keyedHash, random, now }: LoginDeps,
): Try {
  const device = person?.device;
  const sender = device === undefined ? `${email} ${network}` : device;
  return {
    senderKey: keyedHash(device === undefined ? "tries of network" : "tries of device", sender),
    accountKey: keyedHash("tries", email),
    accountHash: keyedHash("account", email),
    isStranger: device === undefined,
    ...{ id: randomText(16, random), now: now() },
  };
}
