/** The public interface of this folder: every sentence of the server, in both languages. */
export { dateText, numberText } from "../domain/shared/typography.ts";
export { ADVICE, type Advised, adviceText } from "./advice.ts";
export { clausesOf, DECLARATION_TITLE } from "./declaracion-clauses.ts";
export {
  API_ERRORS,
  type ApiErrorCode,
  ERRORS,
  type ErrorCode,
  errorRow,
  errorSentence,
} from "./errors.ts";
export { formatAdvice } from "./format-advice.ts";
export { formatReasonSentence } from "./format-reasons.ts";
export { type Bilingual, LANGUAGES, type Language, preferredLanguage } from "./language.ts";
export { isNoticeKind, type MailFacts, type NoticeKind, noticeMail, noticeTime } from "./notice-mails.ts";
export { DETAIL_CODES, PROBLEMS, type Problem, problemSentence } from "./problems.ts";
export { reasonMessage, reasonText, type WarningCode, warningSentence } from "./reasons.ts";
export type { ErrorStatus } from "./rows.ts";
export { amountText, countryText, type Facts, sentence } from "./sentence.ts";
export { submissionNotice } from "./submission-notice.ts";
