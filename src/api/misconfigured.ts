import type { Misconfigured } from "../platform/config.ts";
import { guardData } from "../platform/security-headers.ts";
import { type Language, preferredLanguage } from "../words/words.ts";
import { errorResponse } from "./wire/json.ts";

/** Long enough for an operator's next deploy; retried calls are idempotent. */
const RETRY_SECONDS = 60;

/** The answer to every request while a variable of the deployment is missing or wrong. */
export function misconfigured(
  request: Request,
  byDefault: Language,
  fault: Misconfigured,
  log: (fault: Misconfigured, facts: object) => void,
): Response {
  const requestId = crypto.randomUUID();
  log(fault, { request_id: requestId });
  const language = preferredLanguage(request.headers.get("Accept-Language") ?? undefined, byDefault);
  const answer = errorResponse({ language, requestId }, "temporarily_unavailable", {
    retryAfterSeconds: RETRY_SECONDS,
  });
  guardData(answer.headers);
  answer.headers.set("X-Request-Id", requestId);
  return answer;
}
