import { setupOf } from "../../db/books.ts";
import { type ProfileRow, profileFrom, salesFrom } from "../../db/selling.ts";
import { shownStore } from "../../domain/connection/shown-store.ts";
import type { OwnerAnswers, TagRule } from "../../domain/order/context.ts";
import { type HeadRow, headsFrom, present } from "../connections/connection-rows.ts";
import type { OrderMatched, SellingReading } from "./selling-ports.ts";
import type { SellingRow } from "./selling-reads.ts";

interface Beside {
  readonly stores: readonly { readonly id: string; readonly name: string | null }[];
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
  readonly heads: readonly HeadRow[];
}

export function sellingFrom(row: SellingRow, beside: Beside): SellingReading {
  const { connectionId, kind, name, ordinal, installationOrdinal, sales, orderStem } = row;
  return {
    connectionId,
    kind,
    name: name ?? "",
    ordinal: ordinal ?? 0,
    installationOrdinal: installationOrdinal ?? 1,
    trial: row.trial === true,
    setup: setupOf(row),
    stores: beside.stores.map(({ id, name: called }) => shownStore({ id, ...present({ name: called }) })),
    sales: salesFrom(sales),
    ...present({ orderStem }),
    profiles: beside.profiles.map((one) => profileFrom(one)),
    // The schema checks the values of this column.
    tagRules: beside.tagRules.map(({ tag, action }) => ({ tag, action: action as TagRule["action"] })),
    series: headsFrom(beside.heads),
  };
}

export function matchedFrom(row: {
  readonly channel: string | null;
  readonly storeId: string | null;
  readonly answers: OwnerAnswers;
}): OrderMatched {
  const { channel: sourceChannel, storeId, answers } = row;
  const assigned = answers.profileId === undefined ? {} : { profileId: answers.profileId };
  return { ...present({ sourceChannel, storeId }), ...assigned };
}
