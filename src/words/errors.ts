import { type ErrorBody, type ErrorDetail, jsonResponse } from "../api/json-response.ts";
import type { OwnerRefusal } from "../domain/connection/owner-refusal.ts";
import type { ShopRefusalCode } from "../domain/connection/shop-gate.ts";
import type { OwnerRectificationRefusalCode } from "../domain/invoice/owner-rectification.ts";
import type { RecordRefusalCode } from "../domain/invoice/record-refusal.ts";
import type { CancellationRefusalCode, IssueRefusalCode } from "../domain/invoice/refusal.ts";
import type { AnswerRefusalCode } from "../domain/order/answers/refusals.ts";
import type { AccessRefusalCode } from "../domain/viewer/access.ts";
import { ANSWER_ERRORS } from "./errors/answer-errors.ts";
import { CALLBACK_ERRORS } from "./errors/callback-errors.ts";
import { CONSOLE_ERRORS } from "./errors/console-errors.ts";
import { CORRECTION_ERRORS } from "./errors/correction-errors.ts";
import { DECLARATION_ERRORS } from "./errors/declaration-errors.ts";
import { DOCUMENT_ERRORS } from "./errors/document-errors.ts";
import type { ErrorEntry, ErrorStatus } from "./errors/entry.ts";
import { ERASURE_ERRORS, GONE_ERRORS } from "./errors/erasure-errors.ts";
import { IDENTITY_ERRORS } from "./errors/identity-errors.ts";
import { OWNER_ERRORS } from "./errors/owner-errors.ts";
import { PROBLEMS, type Problem } from "./errors/problems.ts";
import { RECORD_ERRORS } from "./errors/record-errors.ts";
import { RECTIFICATION_ERRORS } from "./errors/rectification-errors.ts";
import { REQUEST_ERRORS } from "./errors/request-errors.ts";
import { type Facts, sentence } from "./errors/sentence.ts";
import { SETTINGS_ERRORS } from "./errors/settings-errors.ts";
import { SIMPLIFIED_ERRORS } from "./errors/simplified-errors.ts";
import { WEBHOOK_ERRORS } from "./errors/webhook-errors.ts";
import type { Language } from "./language.ts";

/** Every `error_code` that a connection can meet. The published documentation is made from it. */
export const API_ERRORS = {
  ...REQUEST_ERRORS,
  ...DOCUMENT_ERRORS,
  ...CORRECTION_ERRORS,
  ...SIMPLIFIED_ERRORS,
  ...GONE_ERRORS,
} as const satisfies Record<
  IssueRefusalCode | CancellationRefusalCode | ShopRefusalCode | AccessRefusalCode,
  ErrorEntry
>;

/** Every `error_code` of the service with status, `retryable` and sentences. */
export const ERRORS = {
  ...API_ERRORS,
  ...OWNER_ERRORS,
  ...CALLBACK_ERRORS,
  ...WEBHOOK_ERRORS,
  ...DECLARATION_ERRORS,
  ...ANSWER_ERRORS,
  ...RECORD_ERRORS,
  ...RECTIFICATION_ERRORS,
  ...CONSOLE_ERRORS,
  ...IDENTITY_ERRORS,
  ...SETTINGS_ERRORS,
  ...ERASURE_ERRORS,
} as const satisfies Record<
  OwnerRefusal["code"] | AnswerRefusalCode | RecordRefusalCode | OwnerRectificationRefusalCode,
  ErrorEntry
>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorContext {
  readonly language: Language;
  readonly requestId: string;
}

export interface ErrorParticulars {
  readonly facts?: Facts;
  readonly details?: readonly ErrorDetail[];
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
  const entry: ErrorEntry = ERRORS[code];
  const { retryAfterSeconds } = particulars;
  const waiting = retryAfterSeconds === undefined ? undefined : entry.statusOfWaiting;
  const status = waiting ?? entry.status;
  const retryAfter = retryAfterOf(status, retryAfterSeconds);
  const known = { ...facts, ...(retryAfter ? { seconds: retryAfter } : {}) };
  const body: ErrorBody = {
    success: false,
    error: sentence(entry, known, context.language),
    error_code: code,
    retryable: entry.retryable || waiting !== undefined,
    request_id: context.requestId,
    ...(details.length > 0 ? { details } : {}),
  };
  return jsonResponse(status, body, {
    ...(retryAfter ? { "Retry-After": retryAfter } : {}),
    ...(particulars.allow ? { Allow: particulars.allow } : {}),
  });
}

/** A problem at one place of the request, in words. */
export function errorDetail(path: string, problem: Problem, language: Language): ErrorDetail {
  const entry = PROBLEMS[problem.kind];
  return { path, code: entry.code, message: sentence(entry, { ...problem.facts, path }, language) };
}

/** The sentence of a code, for a `details` entry that repeats the refusal at its place. */
export function errorSentence(code: ErrorCode, facts: Facts, language: Language): string {
  return sentence(ERRORS[code], facts, language);
}

function retryAfterOf(status: ErrorStatus, seconds: number | undefined): string | undefined {
  if (status !== 429 && status !== 503) return undefined;
  return String(Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS)));
}
