/** The origin of an invoice or record: its purpose, unique in its connection. */
export function directOrigin(externalId: string): string {
  return `direct:${externalId}`;
}

export function cancelOrigin(invoiceId: string, attempt: number): string {
  return `cancel:${invoiceId}:${attempt}`;
}

export function amendOrigin(invoiceId: string, attempt: number): string {
  return `amend:${invoiceId}:${attempt}`;
}

export function isCancelOriginOf(invoiceId: string, origin: string): boolean {
  return origin.startsWith(`cancel:${invoiceId}:`);
}

/** The external_id of a direct invoice; empty for an invoice of an order. */
export function externalIdOf(origin: string): string {
  return origin.startsWith("direct:") ? origin.slice("direct:".length) : "";
}
