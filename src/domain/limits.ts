/**
 * Limits on everything that anybody may send, request or store. Every brake and quota of the service takes
 * its figure from here, and no setting switches one off.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Sizes of bodies, checked while they are read: a larger body is refused before any work is done on it. */
export const BODY_BYTES = {
  api: 1_048_576,
  console: 65_536,
  signIn: 4_096,
  /** A browser's data of a new passkey; it needs a session. */
  newPasskey: 16_384,
  /** A signed representation, as PDF. */
  proofDocument: 2_097_152,
  /** A logo that is too large is read far enough to say so in words. */
  logo: 1_048_576,
} as const;

/** Passwords: the length is checked before anything else. */
export const PASSWORD = { fewestCharacters: 12, mostCharacters: 128, mostBytes: 512 } as const;

/** Wrong passwords delay the sender, by account and network. */
export const SIGN_IN_DELAY = {
  /** Wrong passwords without a delay. */
  free: 5,
  firstMs: SECOND_MS,
  longestMs: 15 * MINUTE_MS,
  /** Above so many failures of one account from all networks in `windowMs`, unknown devices wait. */
  mostFromEverywhere: 100,
  windowMs: HOUR_MS,
  strangeDeviceMs: 5 * SECOND_MS,
  /** How long a device that signed in is known. */
  deviceMs: 180 * DAY_MS,
  /** Failures are forgotten after this time without another one. */
  forgottenMs: DAY_MS,
} as const;

export const IDENTITY = {
  /** Validity of a link for choosing a password. */
  linkMs: HOUR_MS,
  /** An address that is not confirmed in this time is forgotten. */
  unprovenMs: 7 * DAY_MS,
  /** Maximum age of a sign-in for adding a passkey or changing password or address. */
  freshSignInMs: 15 * MINUTE_MS,
  /** Time in which a change of address can be undone. */
  undoEmailMs: 72 * HOUR_MS,
  sessionMs: 7 * DAY_MS,
  /** How often the use of a session is recorded. */
  seenAgainMs: HOUR_MS,
  /** Per person; the oldest are removed. */
  mostSessions: 100,
  mostDevices: 50,
  mostPasskeys: 50,
  /** How long a person can read their own events. */
  eventsKeptMs: 400 * DAY_MS,
} as const;

/** Two-step verification. */
export const SECOND_FACTOR = {
  recoveryCodes: 10,
  /** Wrong codes of one person, or of one known device, after which no other is tried for `triesMs`. */
  tries: 5,
  triesMs: 15 * MINUTE_MS,
  /** Time between a new secret and the first code of it. */
  setUpMs: HOUR_MS,
} as const;

/** Failing calls per minute. */
export const FAILING_CALLS = {
  windowMs: MINUTE_MS,
  refusedKeysPerNetwork: 60,
  /** Bodies with a wrong shape, per valid key. */
  shapelessBytesPerKey: 20_000_000,
  signInPerNetwork: 60,
} as const;

/** Keys that an isolate remembers. */
export const KNOWN_KEYS = {
  mostDead: 10_000,
  deadMs: 10 * MINUTE_MS,
  mostAlive: 10_000,
  aliveMs: 30 * SECOND_MS,
} as const;

/** Views of public pages per minute. */
export const PUBLIC_PAGES = { windowMs: MINUTE_MS, looksPerLink: 120, looksPerNetwork: 600 } as const;

/** Maximum age of a health report. */
export const HEALTH_MS = 10 * SECOND_MS;

/** Limits for one person, over all companies, roles and logins of one mailbox. */
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
  /** Counted separately, because they never end. */
  connectionsForTests: 10,
  /** Members and open invitations together. */
  people: 50,
  /** Rows of a list of people: a company from before that limit may have more members. */
  peopleShown: 200,
  openInvitationsUnverified: 5,
} as const;

/** Bodies that a connection may send as tests: they are stored for good, so room is freed over the day. */
export const TESTS = { bytes: 3_000_000, bytesPerDay: 300_000 } as const;

/** Mails about a claim, which cron tries each hour until the mailer has them. */
export const NOTICE = { tries: 24, againMs: 30 * 60_000 } as const;

/** Invoices that people of a company are writing. */
export const DRAFTS = { most: 200, lines: 200 } as const;

/** Mails with invoices that the calls of one connection queue. */
export const MAILS = { perMinute: 60, perDay: 2_000 } as const;

/** Mails to one mailbox, from all senders together. */
export const RECEIVER = { invitationsPerDay: 5, linksPerHour: 5 } as const;

/** A typed name in a mail. */
export const MAILED_NAME_CHARACTERS = 60;

/** Proof of a NIF. */
export const PROOF = {
  nonceMs: DAY_MS,
  /** Texts to sign that one person may request in that time. */
  textsPerDay: 20,
  /** Documents and signatures that one person may submit within `triesMs`, valid or not. */
  tries: 40,
  triesMs: DAY_MS,
  claimMs: 72 * HOUR_MS,
  /** In a signature and in a responder's answer. */
  mostCertificates: 6,
  /** From the signer to an anchor, both included. */
  certificatesInPath: 3,
  rsaBits: { fewest: 2_048, most: 8_192 },
} as const;

/** One job in a run of cron; the run stops waiting for it after `deadlineMs`. */
export const CRON = { items: 50, d1Queries: 200, ms: 5 * SECOND_MS, deadlineMs: 30 * SECOND_MS } as const;

/** A built SQL statement; D1 takes 100,000 bytes and 100 parameters. */
export const STATEMENT = { bytes: 90_000, parameters: 90 } as const;

/** Rows that reports may create per connection. */
export const LEFT_BEHIND = {
  stores: 500,
  statuses: 2_000,
  /** Different origins of stores over time: each adds a line to the activity. */
  origins: 1_000,
} as const;

/** Deliveries of one shop, besides the rate of its connection. */
export const DELIVERIES = {
  perDay: 50_000,
  /** Bodies that decide no order; later ones of the day are stored without. */
  keptBytesPerDay: 100_000_000,
  /** Orders that wait to be fetched. */
  waiting: 20_000,
  /**
   * Wrong signatures at one address per minute, each of them examined by the database and to the last byte.
   */
  forgedPerMinute: 60,
  /** Beyond it the address and secrets as they were read last decide, for so long. */
  rememberedMs: 5 * SECOND_MS,
  /** Wrong signatures of one network at one address per minute; then its bodies are not read. */
  forgedPerNetwork: 60,
  /** A network from which the shop has delivered is never refused so, for this time. */
  trustedMs: DAY_MS,
  mostPlaces: 10_000,
} as const;

/** An owner's declarations for one connection: profiles with their treatments and tag rules, as JSON. */
export const DECLARED_BYTES = 80_000;

/** Ended webhooks shown per connection; older ones are left out. */
export const ENDED_WEBHOOKS_SHOWN = 20;

/** Lists of the API. */
export const LISTS = {
  mostItems: 100,
  /** Records of a chain that one page of invoices goes over, whatever it finds. */
  mostScanned: 1_000,
  /** Stored documents, or facts of orders, of one page. */
  mostCharacters: 4_000_000,
} as const;

/** One response of the console. */
export const CONSOLE_ANSWER_BYTES = 500_000;

/** The facts of one line of the activity, as shown. */
export const ACTIVITY_LINE_BYTES = 10_000;

/** Another person's text in a list of the console. */
export const SHOWN_TEXT_CHARACTERS = 60;
