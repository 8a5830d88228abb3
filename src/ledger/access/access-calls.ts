import type { AdmissionFacts, OrdersQuery } from "../../db/ledger-state.ts";
import type { TripCounter } from "../../db/store-calls.ts";
import { customerAdmissionOf, shopAdmissionOf } from "../core/admission.ts";
import type { LedgerCore } from "../core/core.ts";
import type { LedgerCache, OrderReading } from "../core/ledger-cache.ts";
import type { LedgerCalls } from "../rpc.ts";
import {
  type AccessOutcome,
  type AdmissionOutcome,
  type AvailabilityOutcome,
  decideAccess,
  isViewable,
  type Viewing,
  type ViewingOutcome,
  viewingOf,
} from "./customer-access.ts";

type AccessCalls = Pick<LedgerCalls, "findAvailable" | "admitCustomers" | "openAccess" | "viewInvoices">;

/** Calls for the customers of a shop. All of them are reads outside the queue. */
export function accessCalls(core: LedgerCore): AccessCalls {
  const { cache, admission } = core;
  return {
    findAvailable: (caller, ids) =>
      core.outsideQueue<OrderReading, AvailabilityOutcome>({
        refusedBy: shopAdmissionOf(caller, "order_reading", admission),
        read: (trips) => cache.readOrders({ ids: [], rates: [], statuses: [], issuedOf: ids }, trips),
        // While access is off no link is shown, because it would open nothing.
        outcome: ({ admission, found }) => ({
          outcome: "found",
          available: admission.access.isOn ? found.issued : [],
        }),
      }),
    admitCustomers: (caller) =>
      core.outsideQueue<{ readonly admission: AdmissionFacts }, AdmissionOutcome>({
        refusedBy: customerAdmissionOf(caller, admission),
        read: async (trips) => ({ admission: await cache.readAdmission(trips) }),
        outcome: () => ({ outcome: "admitted" }),
      }),
    openAccess: (caller, request) =>
      core.outsideQueue<OrderReading, AccessOutcome>({
        refusedBy: customerAdmissionOf(caller, admission),
        read: (trips) => cache.readOrders(documentsOf(request.idExternal), trips),
        outcome: (reading) => decideAccess(request, reading),
      }),
    async viewInvoices(viewing) {
      const trips: TripCounter = { trips: 0 };
      const outcome = await core.guarded(() => view(viewing, cache, trips));
      return { ...outcome, d1Trips: trips.trips };
    },
  };
}

const CLOSED: ViewingOutcome = { outcome: "closed" };

async function view(viewing: Viewing, cache: LedgerCache, trips: TripCounter): Promise<ViewingOutcome> {
  const { admission: known } = cache;
  if (known && !isViewable(known, viewing.epoch)) return CLOSED;
  if (known && !viewing.withDocuments) return { outcome: "open" };
  const { admission, found } = await cache.readOrders(documentsOf(viewing.idExternal), trips);
  // A revocation during the read already counts.
  return isViewable(cache.admission ?? admission, viewing.epoch) ? viewingOf(viewing, found) : CLOSED;
}

function documentsOf(idExternal: string): OrdersQuery {
  return { ids: [idExternal], rates: [], statuses: [], shopfront: true };
}
