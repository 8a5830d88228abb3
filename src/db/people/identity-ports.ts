import type { Instant } from "../../domain/shared/instant.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Sessions and passkeys, provided by a library. */
export interface Identity {
  /** Answers requests about passkeys under `/api/auth/`. */
  serve(request: Request): Promise<Response>;
  /** The session of a request's cookies. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>;
  readonly cookies: SignInCookies;
}

/** Each is the value of a header `Set-Cookie`. */
export interface SignInCookies {
  session(token: string): Promise<string>;
  sessionEnd(): string;
  device(userId: string, id: string): Promise<string>;
  /** The ids of devices that the cookies of a request hold, as far as we signed them. */
  devicesIn(headers: Headers): Promise<readonly string[]>;
}

export interface SessionOfPerson {
  readonly id: string;
  /** When the person signed in. */
  readonly begunAt: Instant;
}

export interface SignedIn {
  readonly person: Person;
  readonly session: SessionOfPerson;
  /** Cookies for the response, if the session is extended. */
  readonly cookies: readonly string[];
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Takes a message to be sent; it is not known whether it arrives. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
