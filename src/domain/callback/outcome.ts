import type { Instant } from "../shared/instant.ts";

/** The outcome of a call; nothing else of the response is kept. */
export type CallOutcome =
  | { readonly outcome: "delivered"; readonly status: number }
  /** Tried no more: the receiver wants no calls (410), or its address is none that may be called. */
  | { readonly outcome: "stopped"; readonly cause: "gone"; readonly status: number }
  | { readonly outcome: "stopped"; readonly cause: "url_not_allowed" }
  /** The subscription of the receiver has ended. */
  | { readonly outcome: "stopped"; readonly cause: "endpoint_ended" }
  | { readonly outcome: "failed"; readonly cause: AnsweredCause; readonly status: number }
  | { readonly outcome: "failed"; readonly cause: UnansweredCause };

type AnsweredCause = "redirect" | "client_error" | "server_error";
/** `interrupted`: begun, with an unknown end. */
type UnansweredCause = "no_connection" | "timeout" | "interrupted";

export interface CallResult {
  readonly outcome: CallOutcome;
  /** The receiver's Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** Any 2xx is a success. Redirects are not followed: the signed body could go to an unknown server. */
export function resultOfAnswer(status: number, retryAfter: string | null, at: Instant): CallResult {
  if (status >= 200 && status < 300) return { outcome: { outcome: "delivered", status } };
  if (status === 410) return { outcome: { outcome: "stopped", cause: "gone", status } };
  const seconds = retryAfter === null ? undefined : retryAfterSeconds(retryAfter, at);
  return {
    outcome: { outcome: "failed", cause: causeOf(status), status },
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

function causeOf(status: number): AnsweredCause {
  if (status < 400) return "redirect";
  return status < 500 ? "client_error" : "server_error";
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds or a date, as in HTTP; undefined for anything else and for a past date. */
function retryAfterSeconds(header: string, at: Instant): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return undefined;
  const seconds = Math.ceil((Date.parse(header) - at) / 1_000);
  return seconds > 0 ? seconds : undefined;
}
