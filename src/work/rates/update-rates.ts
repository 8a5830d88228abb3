import type { GappyLedger, RateLedger } from "../../db/rates/rate-store.ts";
import { lastTargetDayUpTo, type ReferenceRate, referenceDay } from "../../domain/exchange/reference-rate.ts";
import { type CivilDate, previousDay } from "../../domain/shared/civil-date.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { type After, readAtMost, within } from "../../platform/limits.ts";
import type { Fault } from "../../platform/log.ts";
import { readEcbFile } from "./ecb-file.ts";
import {
  type FailedLedger,
  findRateGaps,
  type ImportRatesDeps,
  importRates,
  type RateFile,
  type RateSource,
  type RateSourceFailure,
} from "./import-rates.ts";

/**
 * From the ECB's hour of publication in summer (UTC) to well after that of winter. The days have names
 * because Cloudflare counts Sunday as 1, and cron elsewhere Monday.
 */
export const RATES_CRON = "*/15 14-20 * * MON-FRI";

export interface UpdateRatesDeps extends ImportRatesDeps {
  readonly ledgers: readonly (RateLedger & GappyLedger)[];
  readonly source: RateSource;
  readonly log: (line: RatesLine) => void;
  readonly faultOf: (error: unknown) => Fault;
}

/** A line of the operator's log. An alarm needs an operator; a warning resolves itself at the next run. */
type RatesLine = Readonly<Record<string, unknown>> &
  (
    | { readonly level: "info"; readonly event: "rates_added" }
    | { readonly level: "warning"; readonly event: "rates_unavailable" | "rates_not_published" }
    | {
        readonly level: "alarm";
        readonly alarm: "rates_late" | "rates_refused" | "rates_conflict" | "rates_not_stored";
      }
  );

/** The ECB is minutes late at most: two hours after its time an old file is a fault. */
const LATE_AFTER_MS = 2 * 60 * 60 * 1000;

/** Long lists are logged as their beginning and their number. */
const SHOWN = 5;

/**
 * Takes the daily file, and the history when a day before it is missing in some ledger. Answers how many days
 * are missing still.
 */
export async function updateRates(deps: UpdateRatesDeps): Promise<number> {
  const [newest] = (await take("daily", deps)) ?? [];
  if (newest === undefined) return 1;
  if (newest.day < referenceDay(deps.now() - LATE_AFTER_MS)) {
    deps.log({ level: "alarm", alarm: "rates_late", newest: newest.day });
  }
  const { days, failed } = await findRateGaps(lastTargetDayUpTo(previousDay(newest.day)), deps);
  logFailed(failed, deps);
  return days.length > 0 ? await fillGaps(days, deps) : 0;
}

/** Only of the missing days: the rest of 25 years need not be compared again. */
async function fillGaps(missing: readonly CivilDate[], deps: UpdateRatesDeps): Promise<number> {
  const onlyDays: ReadonlySet<CivilDate> = new Set(missing);
  const history = await take("history", deps, onlyDays);
  if (history === undefined) return missing.length;
  const found = new Set(history.map(({ day }) => day));
  const days = missing.filter((day) => !found.has(day));
  if (days.length === 0) return 0;
  deps.log({ level: "warning", event: "rates_not_published", ...someOf(days) });
  return days.length;
}

/** The rows of the file; undefined when it did not come or was refused. */
async function take(
  file: RateFile,
  deps: UpdateRatesDeps,
  onlyDays?: ReadonlySet<CivilDate>,
): Promise<readonly ReferenceRate[] | undefined> {
  const fetched = await deps.source.fetch(file);
  if (!fetched.ok) {
    deps.log({ level: "warning", event: "rates_unavailable", file, ...fetched.error });
    return undefined;
  }
  const rows = fetched.value;
  const imported = await importRates({ rows, ...(onlyDays ? { onlyDays } : {}) }, deps);
  if (!imported.ok) {
    deps.log({ level: "alarm", alarm: "rates_refused", file, ...imported.error });
    return undefined;
  }
  for (const { ledger, added, conflicts } of imported.value.written) {
    if (added > 0) deps.log({ level: "info", event: "rates_added", file, ledger, added });
    if (conflicts.length === 0) continue;
    deps.log({ level: "alarm", alarm: "rates_conflict", file, ledger, ...someOf(conflicts) });
  }
  logFailed(imported.value.failed, deps);
  return rows;
}

function logFailed(failed: readonly FailedLedger[], { log, faultOf }: UpdateRatesDeps): void {
  for (const { ledger, error } of failed) {
    log({ level: "alarm", alarm: "rates_not_stored", ledger, ...faultOf(error) });
  }
}

function someOf(all: readonly unknown[]): { readonly count: number; readonly first: readonly unknown[] } {
  return { count: all.length, first: all.slice(0, SHOWN) };
}

interface EcbSourceDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The folder of the files, https://www.ecb.europa.eu/stats/eurofxref unless configured otherwise. */
  readonly baseUrl: string;
  readonly after: After;
}

const ANSWER_WITHIN_MS = 10_000;

/**
 * The history is the zip linked from the ECB's page: the bare CSV of the same name is reportedly years old.
 * The limits allow decades of growth.
 */
const FILES: Readonly<Record<RateFile, { readonly name: string; readonly limitBytes: number }>> = {
  daily: { name: "eurofxref-daily.xml", limitBytes: 64 * 1024 },
  history: { name: "eurofxref-hist.zip", limitBytes: 2 * 1024 * 1024 },
};

type Downloaded = Result<Uint8Array, RateSourceFailure>;

/** The European Central Bank. A response that is not its file counts as a failed fetch. */
export function ecbSource(deps: EcbSourceDeps): RateSource {
  return {
    async fetch(file): Promise<Result<readonly ReferenceRate[], RateSourceFailure>> {
      const downloaded = await download(file, deps);
      if (!downloaded.ok) return downloaded;
      const read = await readEcbFile(downloaded.value);
      return read.ok ? read : err({ reason: "unreadable", detail: JSON.stringify(read.error) });
    },
  };
}

function download(file: RateFile, deps: EcbSourceDeps): Promise<Downloaded> {
  return within<Downloaded>(ANSWER_WITHIN_MS, deps.after, {
    ask: (signal) => ask(file, signal, deps),
    late: () => noAnswer("too late"),
  });
}

async function ask(
  file: RateFile,
  signal: AbortSignal,
  { fetch, baseUrl }: EcbSourceDeps,
): Promise<Downloaded> {
  const { name, limitBytes } = FILES[file];
  try {
    // A redirect is not followed: a rate comes from where it was asked for, or not at all.
    const url = `${baseUrl.replace(/\/+$/, "")}/${name}`;
    return await bodyOf(await fetch(url, { redirect: "manual", signal }), limitBytes);
  } catch {
    return noAnswer("no connection");
  }
}

async function bodyOf(response: Response, limitBytes: number): Promise<Downloaded> {
  const { status, body, headers } = response;
  const isPage = headers.get("Content-Type")?.includes("html") ?? false;
  if (status !== 200 || body === null || isPage) {
    await body?.cancel();
    return noAnswer(status === 200 ? "a page" : `status ${status}`);
  }
  const { bytes } = await readAtMost(body, { mostBytes: limitBytes });
  if (bytes === undefined) return noAnswer(`more than ${limitBytes} bytes`);
  return looksLikePage(bytes) ? noAnswer("a page") : ok(bytes);
}

/** Maintenance pages come with any status and any type. */
function looksLikePage(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().toLowerCase();
  return start.startsWith("<!doctype html") || start.startsWith("<html");
}

function noAnswer(detail: string): { readonly ok: false; readonly error: RateSourceFailure } {
  return err({ reason: "no_answer", detail });
}
