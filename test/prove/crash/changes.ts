/** The forbidden differences between an earlier answer and the current one. */
import { isSameValue } from "../../../src/domain/shared/hash.ts";
import { memberOf } from "./call.ts";

/** The members of a record that the authority sets later. */
const OF_AUTHORITY = ["state", "aeat_code", "aeat_message"];

/** An invoice as the answer of issuing, cancelling or reading. */
export function invoiceChanges(told: unknown, now: unknown): string[] {
  const { verifactu, amendments, rectified_by, cancelled, cancellation, ...fixed } = membersOf(told);
  const wasCancelled = cancelled === true;
  return [
    ...Object.entries(fixed).flatMap(([name, value]) => unlessSame(name, value, memberOf(now, name))),
    ...unlessSame("verifactu", asRecord(verifactu), asRecord(memberOf(now, "verifactu"))),
    ...lost(
      "amendments",
      listOf(amendments).map(asRecord),
      listOf(memberOf(now, "amendments")).map(asRecord),
    ),
    ...lost("rectified_by", listOf(rectified_by), listOf(memberOf(now, "rectified_by"))),
    ...(wasCancelled ? unlessSame("cancelled", true, memberOf(now, "cancelled")) : []),
    ...(wasCancelled
      ? unlessSame("cancellation", asRecord(cancellation), asRecord(memberOf(now, "cancellation")))
      : []),
  ];
}

/** An order: its documents stay, in their order, and more may be added. */
export function orderChanges(told: unknown, now: unknown, options: { readonly isLast: boolean }): string[] {
  const { id_external: id, invoices, contract_version: contract, ...standing } = membersOf(told);
  const before = listOf(invoices);
  const after = listOf(memberOf(now, "invoices"));
  return [
    ...unlessSame("id_external", id, memberOf(now, "id_external")),
    ...before.flatMap((document, index) => {
      // An annulled record stays annulled; the authority may set any other state.
      const fixed = memberOf(document, "state") === "cancelled" ? membersOf : asRecord;
      return unlessSame(`invoices.${index}`, fixed(document), fixed(after[index]));
    }),
    ...(options.isLast
      ? [
          ...unlessSame("contract_version", contract, memberOf(now, "contract_version")),
          ...unlessSame("invoices.length", before.length, after.length),
          ...Object.entries(standing).flatMap(([name, value]) =>
            unlessSame(name, value, memberOf(now, name)),
          ),
        ]
      : []),
  ];
}

/** `invoice-availability`: an order with a document stays available. */
export function availabilityChanges(told: unknown, now: unknown): string[] {
  const stateNow = new Map(
    listOf(memberOf(now, "items")).map((item) => [memberOf(item, "order_id"), memberOf(item, "state")]),
  );
  return listOf(memberOf(told, "items")).flatMap((item) => {
    const id = memberOf(item, "order_id");
    if (memberOf(item, "state") !== "available") return [];
    return unlessSame(String(id), "available", stateNow.get(id));
  });
}

/** An owner's answer: the order has the documents that it named. */
export function answerChanges(told: unknown, now: unknown): string[] {
  const numbers = listOf(memberOf(now, "invoices")).map((one) => memberOf(one, "full_number"));
  return listOf(memberOf(told, "documents")).flatMap((document) => {
    const number = memberOf(document, "fullNumber");
    return numbers.includes(number) ? [] : [`${number} is not among its documents`];
  });
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function asRecord(record: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(membersOf(record)).filter(([name]) => !OF_AUTHORITY.includes(name)),
  );
}

function lost(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  return before.flatMap((one, index) => unlessSame(`${name}.${index}`, one, after[index]));
}

function unlessSame(name: string, before: unknown, now: unknown): string[] {
  if (isSameValue(before, now)) return [];
  return [`${name} was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`];
}
