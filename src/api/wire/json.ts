import {
  type ErrorCode,
  type ErrorStatus,
  errorRow,
  type Facts,
  type Language,
  sentence,
} from "../../words/words.ts";

export { exactNumber, type RawNumber } from "../../domain/shared/decimal.ts";
export { JsonNumber, parseExactly } from "../../domain/shared/exact-json.ts";
export { present } from "../../domain/shared/present.ts";

export interface ErrorDetail {
  /** `lines.2.tax_rate`; lines are counted from 0. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly success: false;
  readonly error: string;
  readonly error_code: string;
  readonly retryable: boolean;
  readonly request_id: string;
  readonly details?: readonly ErrorDetail[];
  /** The state that a request has to start from again. */
  readonly data?: object;
}

interface SuccessBody {
  readonly success: true;
  readonly data: object;
  readonly replayed?: boolean;
}

export function jsonResponse(
  status: number,
  body: ErrorBody | SuccessBody,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}

interface ErrorContext {
  readonly language: Language;
  readonly requestId: string;
}

export interface ErrorParticulars {
  readonly facts?: Facts;
  readonly details?: readonly ErrorDetail[];
  readonly data?: object;
  /** Whole seconds; 429 and 503 always carry them. */
  readonly retryAfterSeconds?: number;
  /** The methods that the path accepts, for 405. */
  readonly allow?: string;
}

const DEFAULT_RETRY_SECONDS = 5;

/** The one shape of every error of the service. */
export function errorResponse(
  context: ErrorContext,
  code: ErrorCode,
  particulars: ErrorParticulars = {},
): Response {
  const { facts = {}, details = [] } = particulars;
  const row = errorRow(code);
  const { retryAfterSeconds } = particulars;
  const waiting = retryAfterSeconds === undefined ? undefined : row.statusOfWaiting;
  const status = waiting ?? row.status;
  const retryAfter = retryAfterOf(status, retryAfterSeconds);
  const known = { ...facts, ...(retryAfter ? { seconds: retryAfter } : {}) };
  const body: ErrorBody = {
    success: false,
    error: sentence(row.sentence, known, context.language),
    error_code: code,
    retryable: row.retryable || waiting !== undefined,
    request_id: context.requestId,
    ...(details.length > 0 ? { details } : {}),
    ...(particulars.data === undefined ? {} : { data: particulars.data }),
  };
  return jsonResponse(status, body, {
    ...(retryAfter ? { "Retry-After": retryAfter } : {}),
    ...(particulars.allow ? { Allow: particulars.allow } : {}),
  });
}

function retryAfterOf(status: ErrorStatus, seconds: number | undefined): string | undefined {
  if (status !== 429 && status !== 503) return undefined;
  return String(Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS)));
}
