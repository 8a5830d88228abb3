import type { SentOrder } from "./normalize-sent.ts";

export const FIRST_CONTRACT_VERSION = "1.0";
/** The newest version with known fields; newer ones are accepted too. */
export const LATEST_CONTRACT_VERSION = "1.9";

/** A field that was read although the version that the order declares does not have it. */
export interface FieldBeyondContract {
  readonly code: "field_beyond_contract";
  readonly field: string;
  readonly since: string;
  readonly declared: string;
}

type WasSent = (order: SentOrder) => boolean;

/** A field that a version after the first one brought. */
export interface ContractField {
  readonly since: string;
  readonly field: string;
}

/** Fields added after the first version. A connector without any sends an empty list. */
const FIELDS_BY_VERSION: readonly (readonly [since: string, field: string, wasSent: WasSent])[] = [
  ["1.2", "refunds", (order) => order.refunds.length > 0],
  ["1.3", "correction_events", (order) => order.events.length > 0],
  ["1.3", "source_channel", (order) => order.sourceChannel !== undefined],
  ["1.3", "source_channel_evidence", (order) => order.sourceChannelEvidence !== undefined],
  ["1.4", "tags", (order) => order.tags.length > 0],
  ["1.5", "paid_at", (order) => order.paidAt !== undefined],
  ["1.5", "unmapped_totals", (order) => order.unmappedTotals.length > 0],
  ["1.5", "breakdown[].line_kind", (order) => order.breakdown.some((line) => line.kind !== undefined)],
  ["1.8", "discounts[].kind", (order) => order.discounts.some(({ kind }) => kind !== undefined)],
  ["1.8", "unmapped_totals[].kind", (order) => order.unmappedTotals.some(({ kind }) => kind !== undefined)],
  ["1.9", "tax_totals", (order) => order.taxTotals.length > 0],
  ["1.9", "test", (order) => order.test !== undefined],
];

/** The versions as the published contract lists them. */
export const CONTRACT_FIELDS: readonly ContractField[] = FIELDS_BY_VERSION.map(([since, field]) => ({
  since,
  field,
}));

/** `1.5`, or `1`, which is how some languages print 1.0. */
export function contractVersionFrom(text: string): string | undefined {
  const [match, major, minor = "0"] = /^(\d{1,4})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  return match === undefined ? undefined : `${Number(major)}.${Number(minor)}`;
}

export function fieldsBeyondContract(order: SentOrder): FieldBeyondContract[] {
  const declared = order.contractVersion ?? FIRST_CONTRACT_VERSION;
  return FIELDS_BY_VERSION.filter(([since, , wasSent]) => isNewer(since, declared) && wasSent(order)).map(
    ([since, field]) => ({ code: "field_beyond_contract", field, since, declared }),
  );
}

/** By number, not as text: 1.10 comes after 1.8. */
function isNewer(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split(".").map(Number);
  return major === otherMajor ? minor > otherMinor : major > otherMajor;
}
