import type { OwnerRefusal } from "../domain/connection/owner-verbs.ts";
import type { ShopRefusalCode } from "../domain/connection/setup.ts";
import type { OwnerRectificationRefusalCode } from "../domain/invoice/owner-rectification.ts";
import type { RectifyRefusal } from "../domain/invoice/rectified-lines.ts";
import type {
  CancellationRefusalCode,
  IssueRefusalCode,
  RecordRefusalCode,
} from "../domain/invoice/refusal.ts";
import type { MailingRefusalCode } from "../domain/mailing/decide-mailing.ts";
import type { AnswerRefusalCode } from "../domain/order/answers/answer.ts";
import type { AccessRefusalCode } from "../domain/viewer/access.ts";
import { ANSWER_ERRORS } from "./errors/answer-errors.ts";
import { DECLARATION_ERRORS } from "./errors/declaration-errors.ts";
import { DOCUMENT_ERRORS } from "./errors/document-errors.ts";
import { DRAFT_ERRORS } from "./errors/draft-errors.ts";
import { ERASURE_ERRORS, GONE_ERRORS } from "./errors/erasure-errors.ts";
import { IDENTITY_ERRORS } from "./errors/identity-errors.ts";
import { OWNER_ERRORS } from "./errors/owner-errors.ts";
import { RECORD_ERRORS } from "./errors/record-errors.ts";
import { RECTIFY_ERRORS } from "./errors/rectify-errors.ts";
import { REQUEST_ERRORS } from "./errors/request-errors.ts";
import { SHOP_ERRORS } from "./errors/shop-errors.ts";
import type { Language } from "./language.ts";
import type { ErrorRow } from "./rows.ts";
import { type Facts, sentence } from "./sentence.ts";

/** Every `error_code` that a connection can receive. The published documentation is made from it. */
export const API_ERRORS = {
  ...REQUEST_ERRORS,
  ...DOCUMENT_ERRORS,
  ...GONE_ERRORS,
} as const satisfies Record<
  IssueRefusalCode | CancellationRefusalCode | ShopRefusalCode | AccessRefusalCode | MailingRefusalCode,
  ErrorRow
>;

/** Every `error_code` of the service. A code of the domain without a row does not compile. */
export const ERRORS = {
  ...API_ERRORS,
  ...OWNER_ERRORS,
  ...DECLARATION_ERRORS,
  ...ANSWER_ERRORS,
  ...RECORD_ERRORS,
  ...RECTIFY_ERRORS,
  ...DRAFT_ERRORS,
  ...IDENTITY_ERRORS,
  ...ERASURE_ERRORS,
  ...SHOP_ERRORS,
} as const satisfies Record<
  | OwnerRefusal["code"]
  | AnswerRefusalCode
  | RecordRefusalCode
  | OwnerRectificationRefusalCode
  | RectifyRefusal["code"],
  ErrorRow
>;

export type ApiErrorCode = keyof typeof API_ERRORS;
export type ErrorCode = keyof typeof ERRORS;

export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

export function errorSentence(code: ErrorCode, facts: Facts, language: Language): string {
  return sentence(ERRORS[code].sentence, facts, language);
}
