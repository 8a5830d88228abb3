/** The product's view of a tax authority, and the choice of one by a deployment. */
import type { AeatEnvironment, SealedRecord } from "../domain/verifactu/record.ts";
import type { AttemptResult, FoundRecord, TransportOutcome } from "../domain/verifactu/submission/answer.ts";
import type { MessageRequest, SubmissionMessage } from "../domain/verifactu/submission/message.ts";
import type { InvoiceQuery } from "../domain/verifactu/xml/message-xml.ts";
import type { After } from "./limits.ts";

export interface Transport {
  /** Never throws, and has an end within the time limit, or within a shorter one. */
  submit(bytes: Uint8Array, endpoint: string, limitMs?: number): Promise<TransportOutcome>;
}

export interface Authority {
  /**
   * As many of the records as one message takes, the first one always. The same records with the same header
   * are the same bytes.
   */
  readonly compose: (run: readonly SealedRecord[], header: MessageRequest) => SubmissionMessage;
  readonly transport: Transport;
  readonly read: (outcome: TransportOutcome) => AttemptResult;
  /** The message that asks for the authority's records of one invoice. */
  readonly query: (query: InvoiceQuery) => Uint8Array;
  /** The result of a query; undefined without an answer. */
  readonly readFound: (outcome: TransportOutcome) => readonly FoundRecord[] | undefined;
  /** Undefined for an environment that this way does not lead to. */
  readonly endpointFor: (environment: AeatEnvironment) => string | undefined;
  /** The real authority takes records only of an issuer with a stored signed grant. */
  readonly wantsRepresentation: boolean;
}

export interface AuthorityConfig {
  /** The name of a way, or "off". */
  readonly transport: string;
  /** The environment of this deployment: the sandbox and a relay serve only one. */
  readonly environment: string;
  readonly baseUrl: string;
  readonly certificateKind: string;
  /** The fetch of the certificate's binding. */
  readonly certificate: Fetch | undefined;
  readonly relayToken: string | undefined;
}

export interface AuthorityDeps {
  readonly fetch: Fetch;
  readonly after: After;
  readonly userAgent: string;
  readonly timeLimitMs: number;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Throws where the configuration contradicts itself. */
export type AuthorityWay = (config: AuthorityConfig, deps: AuthorityDeps) => Authority;

/** The ways of a deployment to its authorities, by the names that AEAT_TRANSPORT has for them. */
export type AuthorityWays = Readonly<Record<string, AuthorityWay>>;

/** Undefined where nothing is submitted. Throws where the configuration contradicts itself. */
export function authorityFrom(
  ways: AuthorityWays,
  config: AuthorityConfig,
  deps: AuthorityDeps,
): Authority | undefined {
  const { transport } = config;
  if (transport === "off") return undefined;
  const way = Object.hasOwn(ways, transport) ? ways[transport] : undefined;
  if (!way) throw new Error(`AEAT_TRANSPORT is none of ${["off", ...Object.keys(ways)].join(", ")}`);
  return way(config, deps);
}
