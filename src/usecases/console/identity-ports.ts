/** Who is signed in. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Signing up, in and out: a library's work, behind this port. */
export interface Identity {
  /** Answers what is asked under `/api/auth/`. */
  serve(request: Request): Promise<Response>;
  /** Whose session the cookies of a request are of. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>;
}

export interface SignedIn {
  readonly person: Person;
  /** Cookies that the answer has to set, where the session goes on for longer. */
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

/** How often something was tried within a window of time, by a key that tells nobody's address. */
export interface Attempts {
  /** One more, in one step with reading how many there are; the window begins with the first. */
  count(
    key: string,
    now: number,
    windowMs: number,
  ): Promise<{ readonly count: number; readonly since: number }>;
  forget(key: string): Promise<void>;
}
