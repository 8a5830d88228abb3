import type { SentLine } from "../../order/sent-order.ts";
import type { Instant } from "../../shared/instant.ts";
import { Findings } from "../mapped.ts";
import type { Native } from "../native.ts";
import type { NativeLine } from "../rates.ts";
import type { ShopTables } from "../tables.ts";
import { localInstant, utcInstant } from "../times.ts";

/** A line of the order with what its refunds need of it. */
export interface WooLine extends NativeLine {
  readonly native: Native;
  readonly sent: SentLine;
}

/** WooCommerce leaves the amount of a tax that does not apply blank. */
export function taxesOf(line: Native): NativeLine["taxes"] {
  return line
    .at("taxes")
    .items()
    .flatMap((tax) => {
      const [id, amount] = [tax.at("id").id(), tax.at("total").amount()];
      return id === undefined || amount === undefined ? [] : [{ id, amount }];
    });
}

/** The values that plugins have stored under a key. */
export function metaOf(native: Native, key: string): readonly Native[] {
  return native
    .at("meta_data")
    .items()
    .filter((entry) => entry.at("key").value === key)
    .map((entry) => entry.at("value"));
}

/** A local time without the shop's zone does not say which of two documents is newer. */
export function timeOf(native: Native, name: string, { timeZone }: ShopTables): Instant | undefined {
  const instant = utcInstant(native.at(`${name}_gmt`));
  return instant ?? localInstant(native.at(name), timeZone, new Findings());
}
