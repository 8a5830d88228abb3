/** Bodies of `POST /api/v1/invoice`, as a program sends them. */
import type { Chance } from "./chance.ts";
import { type Buyer, buyerOf } from "./people.ts";

export type Body = Readonly<Record<string, unknown>>;

export const BUYERS = 40_000;

const ARTICLES = [
  ["Café en grano, 1 kg", 18.5, 10],
  ["Molinillo manual", 41.32, 21],
  ["Taza de cerámica", 7.44, 21],
  ["Filtros de papel, 100 unidades", 3.9, 21],
  ["Té verde ecológico, 250 g", 9.15, 10],
  ["Horas de formación", 45, 21],
  ["Revisión de máquina", 62.5, 21],
  ["Transporte urgente", 12.25, 21],
  ["Pan de masa madre", 2.88, 4],
] as const;

/** Three lines: a full invoice to two buyers of three, a simplified one to the rest. */
export function saleBody(externalId: string, chance: Chance): Body {
  const isFull = chance.below(3) > 0;
  return {
    external_id: externalId,
    invoice_type: isFull ? "F1" : "F2",
    description: isFull ? "Venta de mercancía y servicios" : "Venta en tienda",
    currency: "EUR",
    ...(isFull ? { recipient: recipientOf(buyerOf(chance, BUYERS)) } : {}),
    lines: [1, 2, 3].map((line) => lineBody(`${line}`, isFull ? 5 : 1, chance)),
  };
}

function lineBody(lineId: string, most: number, chance: Chance): Body {
  const [description, price_unit, tax_rate] = chance.pick(ARTICLES);
  return { line_id: lineId, description, quantity: 1 + chance.below(most), price_unit, tax_rate };
}

function recipientOf({ name, taxNumber, address, postcode, city }: Buyer): Body {
  return { company: name, vat_number: taxNumber, country: "ES", address1: address, postcode, city };
}

/** Takes one euro of base back from an invoice of ours. */
export function rectificationBody(externalId: string, sold: Body): Body {
  const isSimplified = sold.invoice_type === "F2";
  const [line] = Array.isArray(sold.lines) ? sold.lines : [];
  return {
    ...sold,
    external_id: externalId,
    invoice_type: isSimplified ? "R5" : "R1",
    description: "Devolución de mercancía",
    rectification_method: "difference",
    rectifies: [{ external_id: sold.external_id }],
    lines: [{ ...line, quantity: -1, price_unit: 1 }],
  };
}
