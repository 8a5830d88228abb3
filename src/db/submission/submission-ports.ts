import type { Instant } from "../../domain/shared/instant.ts";
import type { AeatEnvironment } from "../../domain/verifactu/qr-url.ts";
import type { SealedRecord } from "../../domain/verifactu/record.ts";
import type { Attempt, ChainSubmission } from "../../domain/verifactu/submission/chain.ts";
import type { Range } from "../../domain/verifactu/submission/isolation.ts";
import type { MessageIssuer } from "../../domain/verifactu/submission/message.ts";
import type { QueuedRecord } from "../../domain/verifactu/submission/next-submission.ts";
import type { RecordChange } from "../../domain/verifactu/submission/settle.ts";

/** The store of messages and responses, byte for byte, as evidence. */
export interface Evidence {
  keep(path: EvidencePath, bytes: Uint8Array): Promise<void>;
  /** Missing ones are no error. */
  erase(paths: readonly EvidencePath[]): Promise<void>;
}

export interface EvidencePath {
  readonly accountId: string;
  readonly installationId: string;
  readonly attemptId: string;
  readonly part: "request" | "answer";
}

/** A chain of the connection with records that are not final, or with an attempt under way. */
export interface SubmittingChain {
  readonly accountId: string;
  readonly installationId: string;
  readonly environment: AeatEnvironment;
  readonly issuer: MessageIssuer;
  readonly isRepresented: boolean;
  readonly isFrozen: boolean;
  /** Number of the last change of its standing; 0 before the first. */
  readonly seq: number;
  /** Undefined before the first message. */
  readonly chain: ChainSubmission | undefined;
  /** Records that are not final, counted up to UNSENT_COUNTED. */
  readonly unsent: number;
}

/** More than two full messages: the count of the rest is then exact enough. */
export const UNSENT_COUNTED = 2_001;

/** A record of a message as it is read for it. */
export interface RunRecord {
  readonly sealed: SealedRecord;
  readonly wasLost: boolean;
  readonly tries: number;
}

interface ChainWrite {
  readonly accountId: string;
  readonly installationId: string;
  /** One more than the state on which it was decided. */
  readonly seq: number;
  readonly chain: ChainSubmission;
}

export interface BeginWrite extends ChainWrite {
  readonly attempt: Attempt;
  /** The attempt that is given up for it. */
  readonly takesOver?: string;
  readonly at: Instant;
}

export interface SettleWrite extends ChainWrite {
  readonly attemptId: string;
  readonly at: Instant;
  /** The result without the lines, which are in the records. */
  readonly result: object;
  readonly csv?: string;
  readonly presentedAt?: string;
  readonly answerSha256?: string;
  readonly records: readonly RecordChange[];
}

/** Records that come to their end without a message. */
export interface WithholdWrite extends ChainWrite {
  readonly records: readonly RecordChange[];
}

/** `stale`: the chain has changed since. `ended`: the attempt has another owner or is over. */
export type SubmissionWrite = "written" | "stale" | "ended";

/** `abandoned`: another has taken over. `settled`: what came of it is in the books. */
export type AttemptStatus = "open" | "abandoned" | "settled";

/** The submission of one connection's records. Every method is exactly one D1 round trip. */
export interface SubmissionStore {
  readChains(): Promise<readonly SubmittingChain[]>;
  /** The oldest records that are not final, more than one message takes. */
  readQueue(installationId: string): Promise<readonly QueuedRecord[]>;
  readRun(installationId: string, range: Range): Promise<readonly RunRecord[]>;
  /** Hashes of the record's invoice, from this record on, in the order of the chain. */
  readHashes(installationId: string, position: number): Promise<readonly string[]>;
  begin(write: BeginWrite): Promise<SubmissionWrite>;
  settle(write: SettleWrite): Promise<SubmissionWrite>;
  withhold(write: WithholdWrite): Promise<SubmissionWrite>;
  /** Undefined when it was never written. */
  readAttempt(attemptId: string): Promise<AttemptStatus | undefined>;
  /** For a response that came after the end of its attempt. */
  keepLateAnswer(attemptId: string, answerSha256: string): Promise<void>;
}
