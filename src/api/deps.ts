import type { SnapshotStore } from "../db/access/snapshot-store.ts";
import type { BrandFiles } from "../db/accounts/brand-files.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import type { Caller, ConnectorCalls } from "../ledger/rpc.ts";
import type { Brake } from "../platform/brake.ts";
import type { MakeFacturae } from "../platform/facturae-file.ts";
import type { RequestLogLine } from "../platform/log.ts";
import type { ErrorCode, Language } from "../words/words.ts";
import type { ForgedPlaces } from "./forged-places.ts";
import type { KnownKeys, ShapelessBodies } from "./known-keys.ts";
import type { OpenApiDocument } from "./openapi/format.ts";
import type { ApiQuery } from "./wire/parameters.ts";

/** Shows if an invoice can be issued now, with the status of each part involved. */
export interface HealthReport {
  readonly healthy: boolean;
  readonly parts: readonly { readonly name: string; readonly healthy: boolean }[];
  /** Oldest and newest migration among the ledgers. */
  readonly schema: { readonly oldest: string; readonly newest: string };
  readonly checkedAt: number;
}

/** All access of the edge to the outside. */
export interface AppDeps {
  connection(connectionId: string): ConnectorCalls;
  readonly apiKeySecrets: readonly string[];
  readonly keys: KnownKeys;
  readonly shapeless: ShapelessBodies;
  readonly forged: ForgedPlaces;
  now(): number;
  randomId(): string;
  log(line: RequestLogLine): void;
  readonly failedAuthentication: Brake;
  readonly views: { readonly byLink: Brake; readonly byNetwork: Brake };
  health(): Promise<HealthReport>;
  readonly software: SoftwareConfig;
  readonly consoleUrl: string;
  /** The first secret signs viewer URLs; all of them verify. */
  readonly viewerTokenSecrets: readonly string[];
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
  readonly snapshots: SnapshotStore;
  readonly facturae: MakeFacturae;
  /** The logos of owners. */
  readonly brand: Pick<BrandFiles, "readPng" | "printed">;
  /** Continues after the answer was sent. */
  inBackground(work: Promise<unknown>): void;
}

/** Values that the middleware keeps for one request. */
export interface RequestVariables {
  readonly deps: AppDeps;
  readonly openApi: () => OpenApiDocument;
  readonly requestId: string;
  readonly language: Language;
  readonly route: string | undefined;
  readonly caller: Caller | undefined;
  /** Defined for routes that need a key. */
  readonly query: ApiQuery | undefined;
  readonly d1Trips: number | undefined;
  /** Round trips of the check of a key that the isolate did not know. */
  readonly admissionTrips: number | undefined;
  readonly errorCode: ErrorCode | undefined;
  readonly failureCause: string | undefined;
  /** The only origin that may show the answer in a frame. */
  readonly framedBy: string | undefined;
  /** The page loads a picture of its own host. */
  readonly showsLogo: boolean | undefined;
}

export interface AppEnv {
  Variables: RequestVariables;
}
