import type { RequestLogLine } from "../api/deps.ts";
import type { BodyVariables } from "../api/wire/bounded-body.ts";
import type { AccountStore, Directory } from "../db/accounts/open-account.ts";
import type { ConnectionStore } from "../db/accounts/open-connection.ts";
import type { SignedDocuments } from "../db/companies/document-store.ts";
import type { HearDeps } from "../db/companies/hear-company.ts";
import type { Identity, Mailer, Person, SessionOfPerson } from "../db/people/identity-store.ts";
import type { MemberStore, Membership } from "../db/people/member-store.ts";
import type { SecurityEvent } from "../domain/identity/security-event.ts";
import type { InvoiceView } from "../domain/invoice/invoice-view.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import type { OwnerCalls } from "../ledger/rpc.ts";
import type { Brake } from "../platform/brake.ts";
import type { PresentationOptions } from "../viewer/presentation/invoice-presentation.ts";
import type { ErrorCode, Language } from "../words/words.ts";
import type { VerifySignature } from "./company/prove-company.ts";
import type { ConnectionShown, ConsoleReads } from "./console-ports.ts";
import type { LoginDeps } from "./sign-in/deps.ts";

/** A ledger where accounts are opened, and how full it is. */
export interface LedgerPlace {
  readonly ledger: string;
  readonly sizeBytes: () => Promise<number>;
}

/** An invoice as its customer sees it; drawn by code that the browser's pages need not know. */
export interface InvoiceViewer {
  sheet(view: InvoiceView, options: PresentationOptions): { readonly html: string; readonly css: string };
  pdf(
    view: InvoiceView,
    options: PresentationOptions & { readonly creator: string },
  ): Promise<Uint8Array<ArrayBuffer>>;
}

/** As the API's, but for what an object spends on it. */
export type ConsoleRequestLine = Omit<RequestLogLine, "d1_trips">;

/** An event of somebody's sign-in, by hashes; or what nobody waited for and failed. */
export type ConsoleLogLine = ConsoleRequestLine | SecurityLine | AlarmLine;

interface SecurityLine {
  readonly level: string;
  readonly request_id: string;
  readonly route: string;
  readonly event: SecurityEvent;
  readonly error_code?: ErrorCode;
  readonly account_hash?: string;
  readonly network_hash: string;
}

interface AlarmLine {
  readonly level: string;
  readonly alarm: string;
  readonly cause: string;
  readonly frames?: string;
}

/** Everything of the outside that the console's edge touches. */
export interface ConsoleDeps {
  readonly identity: Identity;
  readonly login: LoginDeps;
  /** Keeps the Worker alive for what an answer does not wait for. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly members: MemberStore;
  readonly directory: Directory;
  readonly mailer: Mailer;
  readonly documents: SignedDocuments;
  /** Whose the NIFs are. */
  readonly companies: HearDeps;
  /** What a certificate signed; undefined where that proof is switched off. */
  readonly verifySignature?: VerifySignature | undefined;
  readonly viewer: InvoiceViewer;
  reads(ledger: string): ConsoleReads;
  accountsIn(ledger: string): AccountStore & ConnectionStore;
  readonly ledgers: readonly LedgerPlace[];
  /** The verbs and reads of one connection's object. */
  owner(connectionId: string): OwnerCalls;
  /** The first signs new keys. */
  readonly apiKeySecrets: readonly string[];
  readonly software: SoftwareConfig;
  readonly environment: "test" | "production";
  /** The way to the authority takes records only of issuers who have signed the grant. */
  readonly wantsRepresentation: boolean;
  /** Where the API answers, for who sets up a module. */
  readonly apiUrl: string;
  readonly consoleUrl: string;
  now(): number;
  randomId(): string;
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
  /** Its trips to databases are nobody's to count: sessions, memberships and reads are beside the object. */
  log(line: ConsoleLogLine): void;
  /** A brake by IP address in front of whatever tries passwords. */
  readonly failedAuthentication: Brake;
}

export interface ConsoleEnv {
  Variables: BodyVariables & {
    readonly deps: ConsoleDeps;
    readonly requestId: string;
    readonly language: Language;
    /** Behind the session. */
    readonly user: Person;
    readonly session: SessionOfPerson;
    /** Behind `/api/accounts/:account`. */
    readonly account: Membership;
    readonly reads: ConsoleReads;
    /** Behind `/connections/:connection`. */
    readonly connection: ConnectionShown;
    readonly owner: OwnerCalls;
    readonly errorCode: ErrorCode | undefined;
    readonly failureCause: string | undefined;
    readonly frames: string | undefined;
  };
}
