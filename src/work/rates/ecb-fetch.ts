import type { ReferenceRate } from "../../domain/exchange/ecb-currencies.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { readAtMost } from "../../platform/read-at-most.ts";
import { type After, within } from "../../platform/time-limits.ts";
import { readEcbFile } from "./ecb-file.ts";
import type { RateFile, RateSource, RateSourceFailure } from "./import-rates.ts";

export interface EcbSourceDeps {
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
