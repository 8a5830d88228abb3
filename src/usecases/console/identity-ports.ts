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
  signedIn(headers: Headers): Promise<Person | undefined>;
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

/** Failed sign-ins of one e-mail address within a window of time. */
export interface SignInFailures {
  /** How many since when; none after the window. */
  read(emailSha256: string): Promise<{ readonly failures: number; readonly since: number } | undefined>;
  /** Counts one more; the window begins with the first. */
  count(emailSha256: string, now: number, windowMs: number): Promise<void>;
  forget(emailSha256: string): Promise<void>;
}
