import {
  type AccessOutcome,
  type AdmissionOutcome,
  type AvailabilityOutcome,
  isViewable,
  type Viewing,
  type ViewingOutcome,
} from "../../db/access/viewer-ports.ts";
import type { Gate } from "../../db/ledger-state.ts";
import type { OrdersWanted } from "../../db/order-state.ts";
import type { Caller, ConnectionCalls } from "../calls.ts";
import type { BookKeeper } from "../core/book-keeper.ts";
import { customerDoorFor, type DoorDeps, shopDoorFor } from "../core/door.ts";
import type { OrderReading } from "../core/loaded.ts";
import type { GateRefusal, Spent } from "../core/outcomes.ts";
import type { Tally } from "../core/store-calls.ts";
import { decideAccess, viewingOf } from "./customer-access.ts";

export interface CustomerCallsDeps {
  readonly keeper: BookKeeper;
  readonly door: DoorDeps;
  readonly beside: <Reading extends { readonly gate: Gate }, Out extends object>(
    refusedBy: (gate: Gate) => Out | undefined,
    read: (tally: Tally) => Promise<Reading>,
    tell: (reading: Reading) => Out,
  ) => Promise<(Out | GateRefusal) & Spent>;
  /** What breaks becomes an outcome. */
  readonly guarded: <Out>(read: () => Promise<Out>) => Promise<Out | Broken>;
}

type Broken = Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;
type CustomerCalls = Pick<
  ConnectionCalls,
  "findAvailable" | "admitCustomers" | "openAccess" | "viewInvoices"
>;

const CLOSED: ViewingOutcome = { outcome: "closed" };

/** What connectors and browsers ask for the customers of a shop: all of it reads beside the queue. */
export function customerCalls({ keeper, door, beside, guarded }: CustomerCallsDeps): CustomerCalls {
  async function view(viewing: Viewing, tally: Tally): Promise<ViewingOutcome> {
    const { gate: known } = keeper;
    if (known && !isViewable(known, viewing.epoch)) return CLOSED;
    if (known && !viewing.withDocuments) return { outcome: "open" };
    const { gate, found } = await keeper.readOrders(shown(viewing.idExternal), tally);
    // What was taken away while the documents were read counts already.
    return isViewable(keeper.gate ?? gate, viewing.epoch) ? viewingOf(viewing, found) : CLOSED;
  }
  return {
    findAvailable: (caller, ids) =>
      beside<OrderReading, AvailabilityOutcome>(
        shopDoorFor(caller, "order_reading", door),
        (tally) => keeper.readOrders({ ids: [], rates: [], statuses: [], issuedOf: ids }, tally),
        // A link that would lead nowhere is not to be shown.
        ({ gate, found }) => ({ outcome: "found", available: gate.access.isOn ? found.issued : [] }),
      ),
    admitCustomers: (caller) =>
      beside<{ readonly gate: Gate }, AdmissionOutcome>(
        customerDoorFor(caller, door),
        async (tally) => ({ gate: await keeper.readGate(tally) }),
        () => ({ outcome: "admitted" }),
      ),
    openAccess: (caller: Caller, asked) =>
      beside<OrderReading, AccessOutcome>(
        customerDoorFor(caller, door),
        (tally) => keeper.readOrders(shown(asked.idExternal), tally),
        (reading) => decideAccess(asked, reading),
      ),
    async viewInvoices(viewing) {
      const tally: Tally = { trips: 0 };
      const outcome = await guarded(() => view(viewing, tally));
      return { ...outcome, d1Trips: tally.trips };
    },
  };
}

function shown(idExternal: string): OrdersWanted {
  return { ids: [idExternal], rates: [], statuses: [], shopfront: true };
}
