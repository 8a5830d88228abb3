/** One line of the log. It holds no key, no token, no external_id and no personal data. */
export interface RequestLogLine {
  readonly request_id: string;
  readonly connection_id?: string;
  /** The pattern of the route, never the requested path. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly error_code?: string;
  readonly error_name?: string;
  readonly cause?: string;
  /** The places in our code that an uncaught error passed through. */
  readonly frames?: string;
  readonly duration_ms: number;
  readonly d1_trips: number;
}

/**
 * Forms of a caller's X-Request-Id that the log may repeat, because they hold no name, address or key. UUID,
 * ULID, and the 32 hexadecimal digits of a trace.
 */
const FORMS = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
  /^[0-9a-f]{32}$/i,
];

/** Any other id is only echoed in the answer; the log gets a generated one. */
export function loggedRequestId(id: string, randomId: () => string): string {
  return FORMS.some((form) => form.test(id)) ? id : randomId();
}
