/**
 * What the log may repeat of a caller's X-Request-Id: forms in which nobody writes a name, an address or a
 * key. UUID, ULID, and the 32 hexadecimal digits of a trace.
 */
const FORMS = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
  /^[0-9a-f]{32}$/i,
];

/** Any other id is the caller's alone: it comes back in the answer, and the log has one of ours. */
export function loggedRequestId(id: string, randomId: () => string): string {
  return FORMS.some((form) => form.test(id)) ? id : randomId();
}
