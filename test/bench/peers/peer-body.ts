/** The body for every contender: a full invoice of three lines, the same for the same index. */
import { chanceOf } from "../books/chance.ts";
import { saleBody } from "../books/invoices.ts";

export interface PeerLine {
  readonly line_id: string;
  readonly description: string;
  readonly quantity: number;
  readonly price_unit: number;
  readonly tax_rate: number;
}

export interface PeerBody {
  readonly external_id: string;
  readonly invoice_type: "F1";
  readonly description: string;
  readonly currency: string;
  readonly recipient: object;
  readonly lines: readonly PeerLine[];
}

const RECIPIENT = {
  company: "Cliente Ejemplo SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Gran Vía 1",
  postcode: "28013",
  city: "Madrid",
};

export function peerBody(externalId: string, index: number): PeerBody {
  const { lines } = saleBody(externalId, chanceOf(index));
  return {
    external_id: externalId,
    invoice_type: "F1",
    description: "Venta de mercancía",
    currency: "EUR",
    recipient: RECIPIENT,
    lines: lines as readonly PeerLine[],
  };
}

/** By whole cents, apart from anything that a contender reckons with: prices have two decimals, quantities none. */
export function expectedCents({ lines }: PeerBody): number {
  const byRate = Map.groupBy(lines, ({ tax_rate: rate }) => rate);
  return [...byRate].reduce((sum, [rate, ofRate]) => {
    const base = ofRate.reduce((cents, line) => cents + line.quantity * Math.round(line.price_unit * 100), 0);
    return sum + base + Math.floor((base * rate + 50) / 100);
  }, 0);
}
