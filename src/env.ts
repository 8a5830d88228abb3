/** Bindings as wrangler.toml declares them. Every ledger binding is called `LEDGER_` and its number. */
export interface Env {
  readonly LEDGER_000: D1Database;
  readonly LEDGER_001: D1Database;
  readonly DIRECTORY: D1Database;
  readonly VIEWER_TOKENS: KVNamespace;
  readonly EVIDENCE: R2Bucket;
  readonly CONNECTION_LEDGER: DurableObjectNamespace;
  readonly FAILED_AUTHENTICATION_LIMIT: RateLimit;
  readonly LOOKS_BY_LINK_LIMIT: RateLimit;
  readonly LOOKS_BY_NETWORK_LIMIT: RateLimit;
  readonly AEAT_ENVIRONMENT: string;
  /** How records reach the AEAT: "off", "sandbox", "certificate" or "relay". */
  readonly AEAT_TRANSPORT: string;
  /** Of the sandbox or the relay: what answers the AEAT's path there. */
  readonly AEAT_BASE_URL: string;
  /** Whose certificate it is: "certificate" of a person or representative, "seal" of an entity. */
  readonly AEAT_CERTIFICATE_KIND: string;
  /** The client certificate; production only. */
  readonly AEAT_CERTIFICATE?: Fetcher;
  /** Secret of the relay. */
  readonly AEAT_RELAY_TOKEN?: string;
  /** JSON of what is quicker than by law, for the sandbox; empty otherwise. */
  readonly SUBMISSION_PACE: string;
  readonly SOFTWARE: string;
  readonly CONSOLE_URL: string;
  /** Hosts of this service, comma-separated, which no customer has us call. */
  readonly OWN_HOSTS: string;
  /** "1" on a developer's machine only: shops at http://127.0.0.1 may be called. */
  readonly CALLBACKS_TO_LOOPBACK: string;
  /** "on" where a qualified certificate's signature proves a NIF. */
  readonly CERTIFICATE_PROOFS: string;
  readonly JURISDICTION: string;
  readonly DEFAULT_RATE_LIMIT: string;
  /** The folder of the ECB's files. */
  readonly ECB_BASE_URL: string;
  /** How mails leave: "log" (a developer's machine: they are printed) or "binding". */
  readonly MAIL_TRANSPORT: string;
  readonly MAIL_FROM: string;
  /** Cloudflare's e-mail sending; production only. */
  readonly MAIL?: { send(mail: MailSent): Promise<unknown> };
  /** Where connectors call this service. */
  readonly API_URL: string;
  /** Secret: comma-separated, the first signs the console's session cookies, all of them verify. */
  readonly SESSION_SECRET: string;
  /** Secret: comma-separated, the first signs new keys, all of them verify. */
  readonly API_KEY_SECRETS: string;
  /** Secret: comma-separated, the first signs viewer URLs, all of them verify. */
  readonly VIEWER_TOKEN_SECRETS: string;
}

interface MailSent {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
