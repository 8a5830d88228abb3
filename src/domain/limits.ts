/**
 * How much anybody may send, ask for, leave behind or have done for them. Every brake and quota of the
 * service takes its figure from here, and no setting switches one off.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Bodies, counted while they are read: more is refused before anything is computed from it. */
export const BODY_BYTES = {
  api: 1_048_576,
  console: 65_536,
  signIn: 4_096,
  /** What a browser tells of a new passkey, behind a session. */
  newPasskey: 16_384,
  /** A signed representation, as PDF. */
  proofDocument: 2_097_152,
} as const;

/** Passwords, checked by length before anything else looks at them. */
export const PASSWORD = { fewestCharacters: 12, mostCharacters: 128, mostBytes: 512 } as const;

/** Wrong passwords slow the sender, by account and network. */
export const SIGN_IN_DELAY = {
  /** Wrong ones that cost nothing. */
  free: 5,
  firstMs: SECOND_MS,
  longestMs: 15 * MINUTE_MS,
  /** Wrong ones of one account from everywhere, within `windowMs`, behind which strange devices wait. */
  mostFromEverywhere: 100,
  windowMs: HOUR_MS,
  strangeDeviceMs: 5 * SECOND_MS,
  /** How long a device that signed in is known. */
  deviceMs: 180 * DAY_MS,
  /** Behind the last wrong one. */
  forgottenMs: DAY_MS,
} as const;

export const IDENTITY = {
  /** A link to choose a password by. */
  linkMs: HOUR_MS,
  /** An address that nobody proves is forgotten. */
  unprovenMs: 7 * DAY_MS,
  /** How young a sign-in must be to add a passkey, or to change password or address. */
  freshSignInMs: 15 * MINUTE_MS,
  /** How long an address that was changed can be taken back. */
  undoEmailMs: 72 * HOUR_MS,
  sessionMs: 7 * DAY_MS,
  /** How often a session that is used says so. */
  seenAgainMs: HOUR_MS,
  /** Of one person; the oldest go. */
  mostSessions: 100,
  mostDevices: 50,
  mostPasskeys: 50,
  /** What a person reads of their own. */
  eventsKeptMs: 400 * DAY_MS,
} as const;

/** Calls that fail, in a minute. */
export const FAILING_CALLS = {
  windowMs: MINUTE_MS,
  refusedKeysPerNetwork: 60,
  /** Bodies without shape, of one living key. */
  shapelessBytesPerKey: 20_000_000,
  signInPerNetwork: 60,
} as const;

/** What an isolate remembers of keys. */
export const KNOWN_KEYS = {
  mostDead: 10_000,
  deadMs: 10 * MINUTE_MS,
  mostAlive: 10_000,
  aliveMs: 30 * SECOND_MS,
} as const;

/** Looks at public pages, in a minute. */
export const PUBLIC_PAGES = { windowMs: MINUTE_MS, looksPerLink: 120, looksPerNetwork: 600 } as const;

/** How old a report of health may be. */
export const HEALTH_MS = 10 * SECOND_MS;

/** What one person may have done, over all companies, roles and logins of one mailbox. */
export const PERSON = {
  unverifiedCompanies: 10,
  /** Once one of the person's companies is verified. */
  unverifiedCompaniesOnceVerified: 50,
  companiesPerDay: 20,
  invitationsPerHour: 20,
  invitationsPerDay: 50,
  addressChangesPerHour: 5,
  addressChangesPerDay: 20,
} as const;

export const COMPANY = {
  connections: 20,
  /** Counted apart, because they never end. */
  connectionsForTests: 10,
  /** Members and open invitations together. */
  people: 50,
  /** Rows of a list of people: a company from before that limit may have more members. */
  peopleShown: 200,
  openInvitationsUnverified: 5,
} as const;

/** Bodies that a connection may send as tests: they stay, and what frees itself is spread over the day. */
export const TESTS = { bytes: 3_000_000, bytesPerDay: 300_000 } as const;

/** What one mailbox may be sent, whoever sends it. */
export const RECEIVER = { invitationsPerDay: 5, linksPerHour: 5 } as const;

/** A typed name in a mail. */
export const MAILED_NAME_CHARACTERS = 60;

/** Proof of a NIF. */
export const PROOF = {
  nonceMs: DAY_MS,
  /** Texts to sign that one person asks for within that time. */
  textsPerDay: 20,
  /** Documents and signatures that one person shows within `triesMs`, good or not. */
  tries: 40,
  triesMs: DAY_MS,
  claimMs: 72 * HOUR_MS,
  /** In a signature and in a responder's answer. */
  mostCertificates: 6,
  /** From the signer to an anchor, both counted. */
  certificatesInPath: 3,
  rsaBits: { fewest: 2_048, most: 8_192 },
} as const;

/** One job in a run of cron; nobody waits for it beyond `deadlineMs`. */
export const CRON = { items: 50, d1Queries: 200, ms: 5 * SECOND_MS, deadlineMs: 30 * SECOND_MS } as const;

/** SQL that is put together; D1 takes 100,000 bytes and 100 parameters. */
export const SQL = { bytes: 90_000, parameters: 90 } as const;

/** What a key may leave behind, of one connection. */
export const LEFT_BEHIND = {
  stores: 500,
  statuses: 2_000,
  /** Different ones of stores, ever: a line of the activity each. */
  origins: 1_000,
} as const;

/** What an owner declares of one connection: profiles with their treatments, and rules of tags, as JSON. */
export const DECLARED_BYTES = 80_000;

/** Webhooks that have ended, of one connection: older ones are not shown. */
export const ENDED_WEBHOOKS_SHOWN = 20;

/** An answer of the console. */
export const CONSOLE_ANSWER_BYTES = 500_000;

/** What was asked for in one line of the activity, as it is shown. */
export const ACTIVITY_LINE_BYTES = 10_000;

/** A text that others typed, in a list of the console. */
export const SHOWN_TEXT_CHARACTERS = 60;
