const LONGEST_EMAIL = 254;
const LONGEST_LOCAL_PART = 64;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const ADDRESS = new RegExp(`^([a-z0-9!#$%&'*+/=?^_\`{|}~.-]+)@${LABEL}(?:\\.${LABEL})+$`);

/**
 * The address in lower case, if mail can be sent to it: RFC 5321 with dots, without quotes, comments or
 * literals; a domain beyond ASCII in its own form for mail (`xn--`).
 */
export function emailFrom(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  if (email.length > LONGEST_EMAIL) return undefined;
  const [, local] = ADDRESS.exec(email) ?? [];
  if (local === undefined || local.length > LONGEST_LOCAL_PART) return undefined;
  return /^\.|\.\.|\.$/.test(local) ? undefined : email;
}
