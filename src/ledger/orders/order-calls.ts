import { invariant } from "../../domain/shared/result.ts";
import { shopAdmissionOf } from "../core/admission.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { OrderReading } from "../core/ledger-cache.ts";
import type { GateRefusal, TripCount } from "../core/outcomes.ts";
import { admitted, type QueuedCall } from "../core/settle.ts";
import type { Caller, LedgerCalls } from "../rpc.ts";
import type {
  DecidedOrder,
  EventSubmission,
  OrderInstruction,
  OrderListOutcome,
  OrderOutcomes,
  OrderSubmission,
  ReadOrderOutcome,
} from "./order-outcomes.ts";
import { viewAll, viewRead } from "./view-order.ts";

type OrderCalls = Pick<
  LedgerCalls,
  | "submitOrder"
  | "submitEvents"
  | "readOrder"
  | "listOrders"
  | "answerOrder"
  | "answerTogether"
  | "previewOrder"
  | "decideAgain"
>;

/** Calls about orders. Calls of owners wait in the same queue as those of connectors. */
export function orderCalls(core: LedgerCore): OrderCalls {
  const { cache, admission } = core;
  const admissionFor = (caller: Caller, submission: OrderSubmission | EventSubmission) => {
    const sizeBytes = sizeOf(submission);
    // A preview stores nothing, so it counts as no test.
    const testBytes = submission.preview ? 0 : sizeBytes;
    return { sizeBytes, refusedBy: shopAdmissionOf(caller, "order", admission, testBytes) };
  };
  return {
    submitOrder(caller, submission) {
      const item = { kind: "submit", submission, requestId: caller.requestId } as const;
      const { refusedBy, sizeBytes } = admissionFor(caller, submission);
      const call: QueuedCall<typeof item, DecidedOrder> = {
        item,
        refusedBy(facts) {
          const refusal = refusedBy(facts);
          return refusal && { kind: "submit", outcome: refusal };
        },
      };
      return orderSettled("submit", core, call, sizeBytes);
    },
    submitEvents(caller, submission) {
      const item = { kind: "events", submission, requestId: caller.requestId } as const;
      const { refusedBy, sizeBytes } = admissionFor(caller, submission);
      const call: QueuedCall<typeof item, DecidedOrder> = {
        item,
        refusedBy(facts) {
          const refusal = refusedBy(facts);
          return refusal && { kind: "events", outcome: refusal };
        },
      };
      return orderSettled("events", core, call, sizeBytes);
    },
    readOrder: (caller, idExternal) =>
      core.outsideQueue<OrderReading, ReadOrderOutcome>({
        refusedBy: shopAdmissionOf(caller, "order_reading", admission),
        read: (trips) => cache.readOrders({ ids: [idExternal], rates: [], statuses: [] }, trips),
        outcome: ({ found }) => viewRead(found, idExternal),
      }),
    listOrders: (caller, query) =>
      core.outsideQueue<Awaited<ReturnType<typeof cache.listOrders>>, OrderListOutcome>({
        refusedBy: shopAdmissionOf(caller, "order_reading", admission),
        read: (trips) => cache.listOrders(query, trips),
        outcome: ({ ids, found, next }) => ({
          outcome: "found",
          orders: found ? viewAll(found, ids) : [],
          ...(next ? { next } : {}),
        }),
      }),
    answerOrder: (_, answering) =>
      orderSettled("answer", core, admitted({ kind: "answer", ...answering }), sizeOf(answering)),
    answerTogether(_, answering) {
      const item = { kind: "together", ...answering } as const;
      return orderSettled("together", core, admitted(item), sizeOf(item));
    },
    previewOrder(_, asking) {
      const item = { kind: "preview", ...asking } as const;
      return orderSettled("preview", core, admitted(item), sizeOf(item));
    },
    decideAgain: (_, asking) => orderSettled("again", core, admitted({ kind: "again", ...asking }), 0),
  };
}

type Kind = keyof OrderOutcomes;

/** Waits in the queue of orders; the outcome has the kind of the instruction. */
export async function orderSettled<Of extends Kind>(
  kind: Of,
  core: LedgerCore,
  call: QueuedCall<Extract<OrderInstruction, { readonly kind: Of }>, DecidedOrder>,
  sizeBytes: number,
): Promise<(OrderOutcomes[Of] | GateRefusal) & TripCount> {
  const reply = await core.settleOrder(call, sizeBytes);
  if (!("kind" in reply)) return reply;
  const { d1Trips, ...decided } = reply;
  invariant(isOf(kind, decided), "an instruction has an outcome of its own kind");
  const outcome: OrderOutcomes[Of] = decided.outcome;
  return { ...outcome, d1Trips };
}

function isOf<Of extends Kind>(
  kind: Of,
  decided: DecidedOrder,
): decided is DecidedOrder & { readonly outcome: OrderOutcomes[Of] } {
  return decided.kind === kind;
}
