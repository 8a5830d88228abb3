import type { AdmissionFacts, StoredOrder } from "../../db/ledger-state.ts";
import { storeCalls, type TripCounter } from "../../db/store-calls.ts";
import { formatRefusals } from "../../domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import { invariant } from "../../domain/shared/result.ts";
import { admissionOf, refusedKey } from "../core/admission.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { InvoiceReading, LedgerCache } from "../core/ledger-cache.ts";
import type {
  FacturaeOutcome,
  GateRefusal,
  InvoiceListOutcome,
  IssuedOutcome,
  KeyOutcome,
  ReadOutcome,
  TripCount,
} from "../core/outcomes.ts";
import { admitted, type QueuedCall } from "../core/settle.ts";
import { printedOrder } from "../orders/view-order.ts";
import type { LedgerCalls } from "../rpc.ts";
import type { DecidedInstruction, InstructionOutcomes } from "./decide-group.ts";
import type { Instruction } from "./instruction.ts";

type IssueCalls = Pick<
  LedgerCalls,
  | "admit"
  | "issueInvoice"
  | "previewInvoice"
  | "cancelInvoice"
  | "readInvoice"
  | "readIssued"
  | "listInvoices"
  | "makeFacturae"
  | "issueByHand"
>;

/** Direct invoices. */
export function issueCalls(core: LedgerCore): IssueCalls {
  const { cache, admission } = core;
  return {
    admit: (caller) =>
      core.outsideQueue<{ readonly admission: AdmissionFacts }, KeyOutcome>({
        refusedBy: (facts) => refusedKey(caller, facts),
        read: async (trips) => ({ admission: await cache.readAdmission(trips) }),
        outcome: () => ({ outcome: "admitted" }),
      }),
    issueInvoice(caller, invoice) {
      const item = { kind: "issue", invoice, requestId: caller.requestId } as const;
      const sizeBytes = sizeOf(invoice);
      const call = { item, refusedBy: admissionOf(caller, admission, sizeBytes) };
      return settled("issue", core, call, sizeBytes);
    },
    previewInvoice(caller, invoice) {
      const item = { kind: "preview", invoice, requestId: caller.requestId } as const;
      return settled("preview", core, { item, refusedBy: admissionOf(caller, admission) }, sizeOf(invoice));
    },
    cancelInvoice(caller, cancellation) {
      const item = { kind: "cancel", ...cancellation, requestId: caller.requestId } as const;
      const sizeBytes = sizeOf(cancellation);
      const call = { item, refusedBy: admissionOf(caller, admission, sizeBytes) };
      return settled("cancel", core, call, sizeBytes);
    },
    readInvoice: (caller, externalId) =>
      core.outsideQueue<InvoiceReading, ReadOutcome>({
        refusedBy: admissionOf(caller, admission),
        read: (trips) => cache.read({ origins: [directOrigin(externalId)] }, trips),
        outcome: ({ invoices: [invoice] }) =>
          invoice ? { outcome: "found", invoice: invoice.view } : { outcome: "unknown" },
      }),
    readIssued: (caller, invoiceId, also) =>
      core.outsideQueue<IssuedReading, IssuedOutcome>({
        refusedBy: admissionOf(caller, admission),
        async read(trips) {
          const reading = await readWithOrder(cache, invoiceId, trips);
          if (!also?.deliveries || reading.invoices.length === 0) return reading;
          const read = () => core.deps.store.mailing.readOf(invoiceId);
          return { ...reading, deliveries: await storeCalls(core.deps).read(read, trips) };
        },
        outcome: ({ invoices: [invoice], order, look, deliveries }) =>
          invoice
            ? {
                outcome: "found",
                invoice: invoice.view,
                ...(order ? { order: printedOrder(order) } : {}),
                ...(look ? { look } : {}),
                ...(deliveries ? { deliveries } : {}),
              }
            : { outcome: "unknown" },
      }),
    listInvoices: (caller, query) =>
      core.outsideQueue<Awaited<ReturnType<typeof cache.listInvoices>>, InvoiceListOutcome>({
        refusedBy: admissionOf(caller, admission),
        read: (trips) => cache.listInvoices(query, trips),
        outcome: ({ invoices, next }) => ({ outcome: "found", invoices, ...(next ? { next } : {}) }),
      }),
    issueByHand(_, request) {
      const item = { kind: "by_hand", ...request } as const;
      return settled("by_hand", core, admitted(item), sizeOf(item));
    },
    async makeFacturae(_, invoiceId) {
      const trips: TripCounter = { trips: 0 };
      const made = await core.guarded(() => facturaeOf(core, invoiceId, trips));
      return { ...made, d1Trips: trips.trips };
    },
  };
}

async function facturaeOf(
  { cache, deps }: LedgerCore,
  invoiceId: string,
  trips: TripCounter,
): Promise<FacturaeOutcome> {
  const [found] = (await cache.read({ origins: [], invoiceIds: [invoiceId] }, trips)).invoices;
  if (!found) return { outcome: "unknown" };
  const invoice = electronicInvoiceOf(found.view);
  if (formatRefusals(invoice, "facturae").length > 0) return { outcome: "unsayable" };
  return { outcome: "made", ...(await deps.facturae({ invoiceId, invoice })) };
}

interface IssuedReading extends InvoiceReading {
  readonly order?: StoredOrder;
  readonly deliveries?: readonly InvoiceDelivery[];
}

/** An invoice of an order takes a second read, of the order that its PDF names. */
export async function readWithOrder(
  cache: LedgerCache,
  invoiceId: string,
  trips: TripCounter,
): Promise<IssuedReading> {
  const reading = await cache.read({ origins: [], invoiceIds: [invoiceId] }, trips);
  const idExternal = orderIdOf(reading.invoices[0]?.view.origin ?? "");
  if (idExternal === undefined) return reading;
  const { found } = await cache.readOrders({ ids: [idExternal], rates: [], statuses: [] }, trips);
  const order = found.orders.find((one) => one.idExternal === idExternal);
  return { ...reading, ...(order ? { order } : {}) };
}

type Kind = keyof InstructionOutcomes;

/** Waits in the queue of direct invoices; the outcome has the kind of the instruction. */
export async function settled<Of extends Kind>(
  kind: Of,
  core: LedgerCore,
  call: QueuedCall<Extract<Instruction, { readonly kind: Of }>, DecidedInstruction>,
  sizeBytes: number,
): Promise<(InstructionOutcomes[Of] | GateRefusal) & TripCount> {
  const reply = await core.settleInvoice(call, sizeBytes);
  if (!("kind" in reply)) return reply;
  const { d1Trips, ...decided } = reply;
  const outcome: object = decided.outcome;
  invariant(isOf(kind, decided.kind, outcome), "an instruction has an outcome of its own kind");
  return { ...outcome, d1Trips };
}

/** The kind says what the outcome is; the compiler cannot tell the one of a kind that it does not know. */
function isOf<Of extends Kind>(kind: Of, its: Kind, outcome: object): outcome is InstructionOutcomes[Of] {
  return its === kind && "outcome" in outcome;
}
