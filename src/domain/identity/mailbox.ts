const DOTLESS = ["gmail.com", "googlemail.com"];

/**
 * The mailbox of an address, for counting only: its owner chooses the part after a plus, and Gmail
 * drops dots. Elsewhere the two may be two mailboxes; then they share what one may have.
 */
export function mailboxOf(address: string): string {
  const folded = address.trim().toLowerCase();
  const at = folded.lastIndexOf("@");
  if (at < 1) return folded;
  const [local, domain] = [folded.slice(0, at), folded.slice(at + 1)];
  const tag = local.indexOf("+");
  const whole = tag > 0 ? local.slice(0, tag) : local;
  if (!DOTLESS.includes(domain)) return `${whole}@${domain}`;
  return `${whole.replaceAll(".", "")}@gmail.com`;
}
