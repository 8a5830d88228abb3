import type { Recipient } from "../invoice/request.ts";
import type { Instant } from "../shared/instant.ts";

/**
 * The owner has invoices mailed when they are issued. Without the declaration only customers get one who have
 * accepted electronic invoices themselves (article 9.2 RD 1619/2012).
 */
export interface MailSwitch {
  readonly declared?: MailDeclaration;
}

/** The owner declares that the customers have accepted electronic invoices. */
export interface MailDeclaration {
  readonly textVersion: string;
  /** The id of the person. */
  readonly by: string;
  readonly at: Instant;
}

/** The address that an invoice goes to when it is issued; undefined for none. */
export function mailedWhenIssued(
  recipient: Pick<Recipient, "email" | "acceptsElectronic"> | undefined,
  mailSwitch: MailSwitch | undefined,
): string | undefined {
  const { email, acceptsElectronic } = recipient ?? {};
  // A customer who has refused is never mailed, whatever the owner declares.
  if (!mailSwitch || acceptsElectronic === false) return undefined;
  return mailSwitch.declared || acceptsElectronic ? email : undefined;
}
