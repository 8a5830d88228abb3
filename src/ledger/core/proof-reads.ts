import type {
  BooksToWalk,
  DayRange,
  ExportBegun,
  ExportStore,
  ProofStore,
} from "../../db/books/proof-reads.ts";
import { type StoreCallsDeps, storeCalls, Unavailable } from "../../db/store-calls.ts";
import {
  type AttemptsQuery,
  type SubmissionStatusStore,
  submissionStatusOf,
} from "../../db/submission/submission-status.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { namedFault } from "../../platform/log.ts";
import { exportInvoices, exportRecords, type WalkedStretch } from "../../work/books/export-books.ts";
import { beginVerification, isDone, type Verification, verifyPage } from "../../work/books/verify-books.ts";
import type {
  AttemptsOutcome,
  BookReads,
  ExportOutcome,
  ExportQuery,
  NotRead,
  SubmissionStatusOutcome,
  VerificationOutcome,
  VerificationQuery,
} from "../rpc.ts";

export interface ProofReadsDeps extends StoreCallsDeps {
  readonly connectionId: string;
  readonly store: ProofStore & ExportStore & SubmissionStatusStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly ledger: string;
  readonly wantsRepresentation: boolean;
  readonly jitter: () => Promise<void>;
}

/** Per call: the object has other callers to answer. */
const PAGES = 10;
const TRIES = 3;

/**
 * An owner's reads of the whole books: their verification, the status of submission and the export. They run
 * outside the queue, need no memory, and also read a frozen account.
 */
export class ProofReads {
  readonly #deps: ProofReadsDeps;

  constructor(deps: ProofReadsDeps) {
    this.#deps = deps;
  }

  readSubmission(accountId: string): Promise<SubmissionStatusOutcome> {
    const { store, now, wantsRepresentation } = this.#deps;
    return this.#guarded(async () => {
      const read = await this.#read(() => store.readStatus(accountId));
      if (!read) return { outcome: "unknown" };
      return { outcome: "found", standing: submissionStatusOf(read, { now: now(), wantsRepresentation }) };
    });
  }

  readAttempts(query: AttemptsQuery): Promise<AttemptsOutcome> {
    return this.#guarded(async () => ({
      outcome: "found",
      ...(await this.#read(() => this.#deps.store.readAttempts(query))),
    }));
  }

  /** Verifies some more pages, starting with the first record. */
  verify({ accountId, from }: VerificationQuery): Promise<VerificationOutcome> {
    const { store } = this.#deps;
    return this.#guarded(async () => {
      const books = await this.#read(() => store.readBooks(accountId));
      if (!books) return { outcome: "unknown" };
      let verified = from ?? beginVerification(books);
      for (let pages = 0; pages < PAGES && !isDone(verified); pages++) {
        verified = await verifyPage(ofConnection(verified, books), {
          readRecords: (chain, stretch) => this.#read(() => store.readRecords(chain, stretch)),
          readInvoices: (series, stretch) => this.#read(() => store.readInvoices(series, stretch)),
        });
      }
      return { outcome: "verified", isDone: isDone(verified), verified };
    });
  }

  /** RegistroAlta and RegistroAnulacion as they are submitted, in an envelope of our own. */
  exportRecords(query: ExportQuery): Promise<ExportOutcome> {
    const { store, now, connectionId } = this.#deps;
    return this.#export(query, async (books, days) => {
      const begun = this.#begun("export_records", query, days);
      const walks = await this.#begin(books.chains, {
        ...begun,
        of: { kind: "records", walks: books.chains },
      });
      const { issuerName, issuerNif } = books;
      const exportedAt = new Date(now()).toISOString();
      return exportRecords({ connectionId, issuerName, issuerNif, exportedAt, ...days }, walks, {
        readSealed: (chain, stretch) => this.#read(() => store.readSealed(chain, stretch)),
      });
    });
  }

  /** CSV of invoices, one line for each tax group. */
  exportInvoices(query: ExportQuery): Promise<ExportOutcome> {
    const { store } = this.#deps;
    return this.#export(query, async (books, days) => {
      const begun = this.#begun("export_invoices", query, days);
      const walks = await this.#begin(books.series, {
        ...begun,
        of: { kind: "invoices", walks: books.series },
      });
      return exportInvoices(walks, {
        readSheets: (series, stretch) => this.#read(() => store.readSheets(series, stretch)),
      });
    });
  }

  #export(
    { accountId, from, to }: ExportQuery,
    begin: (books: BooksToWalk, days: DayRange) => Promise<AsyncGenerator<string>>,
  ): Promise<ExportOutcome> {
    return this.#guarded(async () => {
      const books = await this.#read(() => this.#deps.store.readBooks(accountId));
      if (!books) return { outcome: "unknown" };
      const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      return { outcome: "exported", bytes: streamOf(await begin(books, days)) };
    });
  }

  /** Personal data is exported: the audit log names the user before the first byte is sent. */
  #begun(verb: string, { accountId, userId }: ExportQuery, days: DayRange): Omit<ExportBegun, "of"> {
    const { now, random, ledger } = this.#deps;
    const id = newId("al", ledger, random);
    return { accountId, days, audit: { id, userId, at: now(), verb, facts: { ...days } } };
  }

  /** Not tried again: without an answer it is unknown if the line of that attempt was written. */
  async #begin<Walk>(walks: readonly Walk[], begun: ExportBegun): Promise<readonly WalkedStretch<Walk>[]> {
    const { store } = this.#deps;
    const stretches = await storeCalls(this.#deps).read(() => store.beginExport(begun), { trips: 0 });
    return walks.flatMap((walk, index) => {
      const stretch = stretches[index];
      return stretch ? [{ walk, stretch }] : [];
    });
  }

  /** A walk has thousands of reads. They change nothing, so a read without an answer is repeated. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    const calls = storeCalls(this.#deps);
    for (let tries = 1; ; tries++) {
      try {
        return await calls.read(read, { trips: 0 });
      } catch (error) {
        if (tries >= TRIES) throw error;
        await this.#deps.jitter();
      }
    }
  }

  async #guarded<Out>(read: () => Promise<Out | NotRead>): Promise<Out | NotRead> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Unavailable) return error.outcome;
      const fault = namedFault(error);
      this.#deps.alertOperator("proof_broken", fault);
      return { outcome: "failed", cause: fault.error };
    }
  }
}

/** The reads as calls of the object; `open` gives those of its connection. */
export function bookReads(open: () => ProofReads): BookReads {
  return {
    readSubmission: (_, accountId) => open().readSubmission(accountId),
    readAttempts: (_, query) => open().readAttempts(query),
    verifyBooks: (_, query) => open().verify(query),
    exportRecords: (_, query) => open().exportRecords(query),
    exportInvoices: (_, query) => open().exportInvoices(query),
  };
}

/** The caller sends the verification back, so only chains and series of this connection are read. */
function ofConnection(verified: Verification, { connectionId, accountId }: BooksToWalk): Verification {
  const owner = { connectionId, accountId };
  return {
    ...verified,
    chains: verified.chains.map((chain) => ({ ...chain, ...owner })),
    series: verified.series.map((series) => ({ ...series, ...owner })),
  };
}

const encoder = new TextEncoder();

/** Bytes per chunk for a reader without its own buffer. */
const CHUNK_BYTES = 65_536;

/**
 * Texts as a stream of bytes that makes the next one on demand, so that a slow reader slows the reads. A text
 * that cannot be read breaks the stream: a partial file never looks complete.
 */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const source: UnderlyingByteSource = {
    type: "bytes",
    autoAllocateChunkSize: CHUNK_BYTES,
    async pull(controller) {
      for (;;) {
        const { done, value } = await texts.next();
        if (done) {
          controller.close();
          // A reader with its own buffer waits until the buffer is given back.
          controller.byobRequest?.respond(0);
          return;
        }
        if (value === "") continue;
        controller.enqueue(encoder.encode(value));
        return;
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
