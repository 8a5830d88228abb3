/** Documents of real shops, from the folder of `SHOP_ORDERS`, and the facts that mappers make of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SentDiscount, SentEvent, SentLine, SentOrder } from "../../../src/domain/order/sent-order.ts";
import type { MappedOrder, Missing } from "../../../src/domain/shop/mapped.ts";
import { type Native, readJson } from "../../../src/domain/shop/native.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const folder = resolve(REPOSITORY, process.env.SHOP_ORDERS ?? "../shared/orders");

/** False on a machine without the payloads. */
export const hasPayloads = existsSync(folder);

/** The text of a payload by the first letters of its file's name. */
export function payloadText(name: string): string {
  const file = readdirSync(folder).find((each) => each.startsWith(name));
  if (file === undefined) throw new Error(`no payload ${name} in SHOP_ORDERS`);
  return readFileSync(resolve(folder, file), "utf8");
}

export function payload(name: string): Native {
  return parsed(payloadText(name));
}

export function parsed(text: string): Native {
  const native = readJson(text);
  if (native === undefined) throw new Error("not a JSON document");
  return native;
}

/** A document without its envelope. */
export function bare(native: Native): Native {
  const inner = ["data", "order", "refund"].map((name) => native.at(name)).find((place) => !place.isEmpty);
  return native.isObject && native.at("id").isEmpty && inner ? inner : native;
}

export function orderOf({ order }: MappedOrder): SentOrder {
  if (order === undefined) throw new Error("the documents made no order");
  return order;
}

/** `921 18+0@0`, `fee 60 125.5+0@0`, `890 30+1.2@4 x2`, `7 10+2.1@21+0.52@5.2`. */
export function lineText({ lineId, kind, base, tax, taxRate, quantity, ...line }: SentLine): string {
  const surcharge = line.surchargeRate === undefined ? "" : `+${line.surcharge}@${line.surchargeRate}`;
  const pieces = quantity === undefined || quantity === "1" ? "" : ` x${quantity}`;
  return `${kind === "product" ? "" : `${kind} `}${lineId} ${base}+${tax}@${taxRate}${surcharge}${pieces}`;
}

export function linesText(mapped: MappedOrder): readonly string[] {
  return orderOf(mapped).breakdown.map(lineText);
}

/** `gift_card 20`, `diez 4.23 included`. */
export function discountText({ kind, code, name, amount, included }: SentDiscount): string {
  return [kind, code ?? name, amount, included ? "included" : undefined].filter(Boolean).join(" ");
}

/** `562 -27: 65 -27+0@0 x-1`. */
export function eventText({ id, amount, lines }: SentEvent): string {
  const deltas = lines.map(({ lineId, baseDelta, taxDelta, taxRate, quantityDelta }) => {
    const pieces = quantityDelta === undefined ? "" : ` x${quantityDelta}`;
    return `${lineId} ${baseDelta}+${taxDelta}@${taxRate}${pieces}`;
  });
  return `${id} ${amount}${deltas.length > 0 ? `: ${deltas.join(", ")}` : ""}`;
}

export function taxTotalTexts(mapped: MappedOrder): readonly string[] {
  return orderOf(mapped).taxTotals.map(({ rate, tax, surchargeRate, surcharge }) =>
    surchargeRate === undefined ? `${rate}: ${tax}` : `${rate}: ${tax}, ${surchargeRate}: ${surcharge}`,
  );
}

/** `tax_rate 7`, `discounts total_discounts 20 / 0`. */
export function missingText({ what, where, stated, computed }: Missing): string {
  const figures = [stated, computed].filter((figure) => figure !== undefined).join(" / ");
  return [what, where, figures].filter(Boolean).join(" ");
}
