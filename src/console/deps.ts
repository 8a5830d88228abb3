import type { BodyVariables } from "../api/wire/request-body.ts";
import type { ConnectionShown } from "../db/accounts/account-store.ts";
import type { BrandFiles } from "../db/accounts/brand-files.ts";
import type { AccountStore, ConnectionStore, Directory } from "../db/accounts/opening.ts";
import type { SyncDeps } from "../db/companies/sync-company.ts";
import type { Identity, Person, SessionOfPerson } from "../db/people/identity-store.ts";
import type { MemberStore, Membership } from "../db/people/member-store.ts";
import type { BodyStore } from "../db/shops/body-store.ts";
import type { SignedDocuments } from "../db/submission/evidence-store.ts";
import type { SecurityEvent } from "../domain/identity/security-event.ts";
import type { InvoiceView } from "../domain/invoice/invoice-view.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import type { OwnerCalls } from "../ledger/rpc.ts";
import type { Brake } from "../platform/brake.ts";
import type { RequestLogLine } from "../platform/log.ts";
import type { Mailer } from "../platform/mailer.ts";
import type { PdfOptions, PresentationOptions } from "../viewer/presentation/invoice-presentation.ts";
import type { ErrorCode, Language } from "../words/words.ts";
import type { VerifySignature } from "./company/prove-company.ts";
import type { ConsoleReads } from "./reads.ts";
import type { LoginDeps } from "./sign-in/deps.ts";

/** A ledger for new accounts, with its current size. */
export interface LedgerPlace {
  readonly ledger: string;
  readonly sizeBytes: () => Promise<number>;
}

/** Draws an invoice as its customer sees it; an interface, so that browser pages do not load the code. */
export interface InvoiceViewer {
  sheet(view: InvoiceView, options: PresentationOptions): { readonly html: string; readonly css: string };
  pdf(view: InvoiceView, options: PdfOptions): Promise<Uint8Array<ArrayBuffer>>;
}

/** The API's line without the trips of an object, which the console does not count. */
export type ConsoleRequestLine = Omit<RequestLogLine, "d1_trips">;

/** A request, a sign-in event with hashed identifiers, or a failed background task. */
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

/** All external dependencies of the console's Worker. */
export interface ConsoleDeps {
  readonly identity: Identity;
  readonly login: LoginDeps;
  /** Keeps the Worker alive for work that the response does not wait for. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly members: MemberStore;
  readonly directory: Directory;
  readonly mailer: Mailer;
  readonly documents: SignedDocuments;
  /** Documents of shops that are too large for their rows. */
  readonly shopBodies: Pick<BodyStore, "read">;
  /** The register of proven NIFs. */
  readonly companies: SyncDeps;
  /** Undefined if proof by certificate is switched off. */
  readonly verifySignature?: VerifySignature | undefined;
  readonly viewer: InvoiceViewer;
  readonly brand: BrandFiles;
  reads(ledger: string): ConsoleReads;
  accountsIn(ledger: string): AccountStore & ConnectionStore;
  readonly ledgers: readonly LedgerPlace[];
  /** The verbs and reads of one connection's object. */
  owner(connectionId: string): OwnerCalls;
  /** The first secret signs new keys. */
  readonly apiKeySecrets: readonly string[];
  readonly software: SoftwareConfig;
  readonly environment: "test" | "production";
  /** True if records are submitted only for issuers that have signed the grant. */
  readonly wantsRepresentation: boolean;
  /** The API's address, shown to owners who set up a module. */
  readonly apiUrl: string;
  readonly consoleUrl: string;
  /** Where people write from the console's help, or "". */
  readonly supportEmail: string;
  now(): number;
  randomId(): string;
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
  /** Without a count of D1 trips: the console reads sessions, memberships and lists outside the object. */
  log(line: ConsoleLogLine): void;
  /** Limits attempts at passwords, passkeys and links by IP address. */
  readonly failedAuthentication: Brake;
}

export interface ConsoleEnv {
  Variables: BodyVariables & {
    readonly deps: ConsoleDeps;
    readonly requestId: string;
    readonly language: Language;
    /** Set once the session is verified. */
    readonly user: Person;
    readonly session: SessionOfPerson;
    /** Set for routes under `/api/accounts/:account`. */
    readonly account: Membership;
    readonly reads: ConsoleReads;
    /** Set for routes under `/connections/:connection`. */
    readonly connection: ConnectionShown;
    readonly owner: OwnerCalls;
    readonly errorCode: ErrorCode | undefined;
    readonly failureCause: string | undefined;
    readonly frames: string | undefined;
  };
}
