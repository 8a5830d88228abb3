/** Every invoice and record has an origin, unique in its connection: what it was made for. */
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
