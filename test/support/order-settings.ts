/** What an owner can change while orders are decided, and an order that it decides otherwise. */
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { aSentLine, type SentBody } from "./order-calls.ts";

const COD: SentBody = { total: 124, unmapped_totals: [{ code: "cod", value: 3 }] };
const ZERO_RATED: SentBody = { total: 100, breakdown: [aSentLine(100, 0, 0)] };
const TO_GERMANY: SentBody = {
  total: 119,
  breakdown: [aSentLine(100, 19, 19)],
  delivery: { country: "DE", postcode: "10115" },
};
const sales = (of: Extract<OwnerRequest, { verb: "declare_sales" }>["change"]): OwnerRequest => ({
  verb: "declare_sales",
  change: of,
});
export const WEB = { name: "Web", channel: "web", stem: "WEB" };

export interface SettingsChange {
  readonly name: string;
  readonly request: OwnerRequest;
  readonly body: SentBody;
  /** As `toldOf` tells the order. */
  readonly before: string;
  readonly after: string;
}

const INVOICED = "invoiced F2 PED-1S-2026-000001";

export const CHANGES: readonly SettingsChange[] = [
  {
    name: "consent is withdrawn",
    request: { verb: "withdraw_consent" },
    body: {},
    before: `${INVOICED} 121`,
    after: "deferred deferred",
  },
  {
    name: "the cutoff moves behind the order",
    request: { verb: "move_cutoff", cutoffDate: civilDate("2026-11-21") },
    body: {},
    before: `${INVOICED} 121`,
    after: "before_cutoff before_cutoff",
  },
  {
    name: "a profile takes its channel",
    request: { verb: "add_profile", profile: WEB },
    body: { source_channel: "web" },
    before: `${INVOICED} 121`,
    after: "invoiced F2 WEBS-2026-000001 121",
  },
  {
    name: "a profile takes another channel",
    request: { verb: "add_profile", profile: WEB },
    body: { source_channel: "counter" },
    before: `${INVOICED} 121`,
    after: "held profile_not_matched",
  },
  {
    name: "an amount gets its treatment",
    request: sales({ treatments: { cod: { as: "fee", rate: decimal("21") } } }),
    body: COD,
    before: "held untreated_total",
    after: `${INVOICED} 124`,
  },
  {
    name: "a ground for lines at 0 % is declared",
    request: sales({ zeroRateBasis: "E1" }),
    body: ZERO_RATED,
    before: "held zero_rate_basis_missing",
    after: `${INVOICED} 100`,
  },
  {
    name: "sales to consumers in the Union are of the one-stop shop",
    request: sales({ destinations: { euConsumer: "oss" } }),
    body: TO_GERMANY,
    before: "held foreign_customer",
    after: "invoiced F2 PED-1-2026-000001 119",
  },
  {
    name: "exports are declared by the shorthand",
    request: sales({ foreignSales: "export" }),
    body: { ...ZERO_RATED, delivery: { country: "US" } },
    before: "held foreign_customer",
    after: `${INVOICED} 100`,
  },
  {
    name: "orders are to be reviewed",
    request: sales({ issuingMode: "review" }),
    body: {},
    before: `${INVOICED} 121`,
    after: "held manual_issuing",
  },
  {
    name: "sales are invoiced elsewhere",
    request: sales({ issuingMode: "none" }),
    body: {},
    before: `${INVOICED} 121`,
    after: "stored invoiced_elsewhere",
  },
  {
    name: "a tag holds",
    request: { verb: "set_tag_rule", rule: { tag: "b2b", action: "hold" } },
    body: { tags: ["B2B"] },
    before: `${INVOICED} 121`,
    after: "held tag_hold",
  },
  {
    name: "another series is chosen",
    request: { verb: "choose_order_stem", stem: "WEB" },
    body: {},
    before: `${INVOICED} 121`,
    after: "invoiced F2 WEBS-2026-000001 121",
  },
  {
    name: "another store is selected",
    request: { verb: "complete_setup", storeIds: ["2"] },
    body: { shop: { id: "1" } },
    before: `${INVOICED} 121`,
    after: "store_not_selected store_not_selected",
  },
];
