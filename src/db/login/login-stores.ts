/** Storage of sign-in. Each verb is one batch, so that of two concurrent calls one wins. */
import type { SecurityEvent } from "../../domain/identity/security-event.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export type MailLanguage = "es" | "en";

export interface KnownPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly language: MailLanguage | undefined;
}

/** Mails that are counted together, within a window. */
export interface MailCount {
  readonly key: string;
  readonly most: number;
  readonly windowMs: number;
}

export type Mailable<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly waitMs: number };

export interface LinkRequest {
  readonly email: string;
  readonly tokenSha256: string;
  readonly now: Instant;
  readonly expiresAt: Instant;
  readonly mails: MailCount;
}

export interface OpenLink {
  readonly kind: "sign_up" | "password";
  readonly email: string;
  readonly name: string;
  readonly userId: string | undefined;
}

/** Quotas count all logins of one mailbox, by its hash under the current secret and those being replaced. */
export interface MailboxHashes {
  readonly current: string;
  readonly older: readonly string[];
}

export interface NewPassword {
  readonly mailbox: MailboxHashes;
  readonly tokenSha256: string;
  readonly passwordHash: string;
  readonly now: Instant;
  readonly language: MailLanguage;
  /** The browser in which it was chosen; it is known from then on. */
  readonly device: NewDevice;
  readonly accountHash: string;
}

export interface NewDevice {
  readonly idSha256: string;
  readonly expiresAt: Instant;
}

export interface NewSession {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  readonly device: string | undefined;
  readonly now: Instant;
  readonly expiresAt: Instant;
}

/** Links by mail and their effects. */
export interface LinkStore {
  /** The same statements for known and unknown addresses; `found` is the person with the address. */
  askToJoin(request: LinkRequest & { readonly name: string }): Promise<Mailable<KnownPerson | undefined>>;
  /** `found` is the receiver of the link: a person, or a new user without a password. */
  askForPassword(
    request: LinkRequest & { readonly signedUpSince: Instant },
  ): Promise<Mailable<{ readonly person: KnownPerson | undefined } | undefined>>;
  linkBy(tokenSha256: string, now: Instant): Promise<OpenLink | undefined>;
  /** False if the link has ended or the address is taken by now. */
  signUp(
    chosen: NewPassword & {
      readonly userId: string;
      readonly session: NewSession;
    },
  ): Promise<boolean>;
  /**
   * Ends every session, passkey, link and known device; false where the link has ended, or the code of a
   * person with two-step verification was used or is needed meanwhile.
   */
  recover(
    chosen: NewPassword & { readonly userId: string; readonly use: FactorUse | undefined },
  ): Promise<boolean>;
}

/** The confirmed authenticator app of a person. */
export interface StoredFactor {
  readonly sealed: string;
  readonly lastStep: number;
  /** The device asked about that is this person's. */
  readonly device: string | undefined;
}

export interface FactorShown {
  readonly confirmedAt: Instant;
  readonly codesLeft: number;
}

/** How an accepted code is used up, in the batch of what it is accepted for. */
export type FactorUse =
  | {
      readonly kind: "app";
      readonly step: number;
      /** The secret under the current seal, if it was under an older one. */
      readonly resealed?: string;
    }
  | { readonly kind: "recovery"; readonly codeSha256: string };

/** The person in their own session, with an id that no other change has. */
interface FactorChange {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
}

export type CodeTryBegun =
  | { readonly ok: true; readonly failures: number }
  | { readonly ok: false; readonly waitMs: number };

/** A person's authenticator app and recovery codes, in the directory. */
export interface SecondFactorStore {
  factorOf(userId: string, devices: readonly string[], now: Instant): Promise<StoredFactor | undefined>;
  hasRecoveryCode(userId: string, codeSha256: string): Promise<boolean>;
  shownOf(userId: string): Promise<FactorShown | undefined>;
  /** Keeps a new secret until its first code; false if an app is confirmed already. */
  begin(
    setUp: Omit<FactorChange, "id"> & { readonly sealed: string; readonly now: Instant },
  ): Promise<boolean>;
  /** The secret that waits for its first code. */
  pendingOf(userId: string, now: Instant): Promise<string | undefined>;
  /** Ends the other sessions and open links; false if the secret was replaced or the session has ended. */
  confirm(
    change: FactorChange & {
      readonly sealed: string;
      readonly step: number;
      readonly now: Instant;
      readonly codesSha256: readonly string[];
    },
  ): Promise<boolean>;
  /** False if the code was used meanwhile or the session has ended. */
  end(change: FactorChange & { readonly use: FactorUse }): Promise<boolean>;
  /** Counts a try before it is made, so that many tries at once are no more than many in turn. */
  beginTry(key: string, now: Instant): Promise<CodeTryBegun>;
  /** A right code does not count. */
  succeeded(key: string): Promise<void>;
}

export interface SigningIn extends KnownPerson {
  readonly passwordHash: string | undefined;
  /** The one of the devices asked about that is this person's. */
  readonly device: string | undefined;
}

export interface SessionShown {
  readonly id: string;
  readonly device: string | null;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
}

export interface LoginStore {
  signingIn(email: string, devices: readonly string[], now: Instant): Promise<SigningIn | undefined>;
  /** False where the password has changed, or the code was used or is needed meanwhile. */
  beginSession(session: NewSession, by: SessionGround): Promise<boolean>;
  passwordOf(userId: string): Promise<string | undefined>;
  languageOf(userId: string): Promise<MailLanguage | undefined>;
  /** Ends the other sessions and links; false where it has changed meanwhile. */
  changePassword(change: PasswordChange): Promise<boolean>;
  sessionsOf(userId: string, now: Instant): Promise<readonly SessionShown[]>;
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** All of them, but for one. */
  endSessions(userId: string, but?: string): Promise<void>;
  sessionLives(userId: string, sessionId: string): Promise<boolean>;
}

export interface SessionGround {
  readonly mailbox: MailboxHashes;
  /** The hash against which the password was verified. */
  readonly passwordHash: string;
  readonly language: MailLanguage;
  readonly newDevice?: NewDevice;
  /** The code of a person with two-step verification. */
  readonly use: FactorUse | undefined;
}

export interface PasswordChange {
  readonly userId: string;
  readonly sessionId: string;
  readonly was: string;
  readonly becomes: string;
  readonly now: Instant;
}

export interface EmailChange {
  readonly tokenSha256: string;
  readonly now: Instant;
}

export interface ChangedEmail {
  readonly userId: string;
  readonly name: string;
  readonly language: MailLanguage | undefined;
  readonly was: string;
  readonly becomes: string;
}

export interface EmailStore {
  /** Found is who has the new address. Counted also for who asks, whichever addresses these are. */
  askToChange(
    request: LinkRequest & {
      readonly userId: string;
      readonly sessionId: string;
      readonly ofPerson: readonly MailCount[];
    },
  ): Promise<Mailable<KnownPerson | undefined>>;
  /**
   * Keeps the old address so that its holder can restore it; undefined if the link has ended or the address
   * is taken.
   */
  changeEmail(
    change: EmailChange & { readonly undo: { readonly tokenSha256: string; readonly expiresAt: Instant } },
  ): Promise<ChangedEmail | undefined>;
  /** Ends sessions, passkeys, devices, the password and all links since. */
  restoreEmail(change: EmailChange): Promise<ChangedEmail | undefined>;
  /** The tax ID of a company that would have no owner, where there is one. */
  deleteLogin(userId: string, now: Instant): Promise<{ readonly soleOwnerOf: string } | undefined>;
}

/** One try of a password: the address and the sender. */
export interface Try {
  readonly senderKey: string;
  readonly accountKey: string;
  readonly accountHash: string;
  /** Has not signed in before. */
  readonly isStranger: boolean;
  readonly id: string;
  readonly now: Instant;
}

export type TryBegun =
  | { readonly ok: true; readonly failuresInAll: number }
  | { readonly ok: false; readonly waitMs: number };

export interface TryStore {
  /** Counted before it is made: of many at once no more come through than of many in turn. */
  begin(made: Try): Promise<TryBegun>;
  succeeded(made: Try): Promise<void>;
}

export interface OwnEvent {
  readonly event: string;
  readonly at: Instant;
  readonly count: number;
  readonly device: string | null;
}

export interface EventStore {
  /** With `isMerged`, the events of one hour become one line. */
  keep(line: {
    readonly email: string;
    readonly event: SecurityEvent;
    readonly at: Instant;
    readonly device: string | undefined;
    readonly id: string;
    readonly isMerged: boolean;
  }): Promise<void>;
  eventsOf(userId: string, before: Instant, limit: number): Promise<readonly OwnEvent[]>;
}

export interface PasskeyStore {
  countOf(userId: string): Promise<number>;
  /** Ends a session if its passkey was deleted meanwhile; true if both exist. */
  confirmSession(userId: string, sessionId: string, credentialId: string): Promise<boolean>;
  /** Deletes a passkey if its session ended meanwhile; true if both exist. */
  confirmPasskey(userId: string, sessionId: string, credentialId: string): Promise<boolean>;
  /** True if one of the devices is known; otherwise the new one is added. */
  recogniseDevice(
    userId: string,
    request: {
      readonly devices: readonly string[];
      readonly newDevice: NewDevice;
      readonly now: Instant;
      readonly mailbox: MailboxHashes;
    },
  ): Promise<boolean>;
}
