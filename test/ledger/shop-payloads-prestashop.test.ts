/** Orders of real PrestaShop shops, from their documents to the invoice, to the cent. */
import { describe, expect, test } from "vitest";
import type { SentOrder } from "../../src/domain/order/sent-order.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { readDelivered } from "../../src/domain/shop/documents.ts";
import { mapOrder, type PrestashopDocuments } from "../../src/domain/shop/prestashop/prestashop.ts";
import { hasPayloads, payload, payloadText } from "../support/builders/shop-payloads.ts";
import {
  AS_SENT,
  decidedIn,
  documentsIn,
  type Mode,
  OSS,
  outcomeIn,
  type PayloadRow,
  payloadShop,
  sentOf,
} from "../support/worlds/shop-invoices.ts";

/** The shop of the examples: 2 is a paid state, 6 is cancelled. */
const STATUSES = { "0": "nothing", "2": "invoice", "6": "cancelled", "10": "nothing" } as const;
const TABLES = {
  timeZone: "Europe/Madrid",
  currencies: { "1": "EUR", "3": "XOF" },
  countries: { "6": "ES", "10": "IT" },
  taxRates: { "1": decimal("22") },
};

function prestashop(documents: PrestashopDocuments, tables = TABLES): SentOrder {
  return sentOf(mapOrder(documents, tables), STATUSES);
}

const documentsOf = (name: string) => payload(name).value as PrestashopDocuments;

/** As a module delivers it: XML, or JSON under `documents`. */
function delivered(text: string): PrestashopDocuments | undefined {
  return readDelivered("prestashop", "order", new TextEncoder().encode(text))?.documents;
}

function deliveredOrder(text: string): SentOrder {
  const documents = delivered(text);
  if (documents === undefined) throw new Error("unreadable");
  return prestashop(documents);
}

/** The module's export in the form of the webservice, to a buyer in Italy. */
function exportAsOrder(): SentOrder {
  const text = payloadText("prestashop_02");
  const [amount = "", quantity = ""] = ["fees>\\s*<amount", "qty"].map(
    (name) => new RegExp(`<${name}>([^<]*)`).exec(text)?.[1] ?? "",
  );
  return prestashop({
    order: {
      id: "1256",
      id_currency: "1",
      current_state: "2",
      date_add: "2026-11-20 10:00:00",
      total_paid_tax_incl: "274.63",
      total_shipping_tax_excl: "8.200000",
      total_shipping_tax_incl: "10.004000",
      carrier_tax_rate: "22.000",
      fees: { amount, tax_rate: "22.000000" },
      associations: {},
    },
    order_details: {
      order_details: [
        {
          id: "1",
          product_name: "ISA009026",
          product_quantity: quantity,
          total_price_tax_excl: "209.016390",
          total_price_tax_incl: "254.999996",
          associations: { taxes: { tax: { id: "1" } } },
        },
      ],
    },
    address_invoice: { firstname: "Nombre", lastname: "Apellido", id_country: "10" },
  });
}

const OSS_SHOP: Mode = OSS;

const PRESTASHOP: readonly PayloadRow[] = [
  {
    what: "01: XML, not paid yet",
    order: () => deliveredOrder(payloadText("prestashop_01")),
    mode: AS_SENT,
    outcome: "stored not_a_candidate",
  },
  {
    what: "02: a payment fee with a rate of its own and six decimals, to Italy in the one-stop shop",
    order: exportAsOrder,
    mode: OSS_SHOP,
    outcome: "invoiced",
    documents: ["F2 225.11 / 49.52 / 274.63 EUR [22: 225.11 / 49.52]"],
  },
  {
    what: "03: a currency without decimals, not paid yet",
    order: () => prestashop(documentsOf("prestashop_03")),
    mode: AS_SENT,
    outcome: "stored not_a_candidate",
  },
  {
    what: "es: a voucher over two rates, shipping, rates that the amounts prove",
    order: () => prestashop(documentsOf("prestashop_es")),
    mode: AS_SENT,
    outcome: "invoiced",
    documents: ["F1 26.50 / 5.07 / 31.57 EUR [21: 22.00 / 4.62, 10: 4.50 / 0.45]"],
  },
];

const SLIP = {
  id: "80",
  id_order: "9004",
  date_add: "2026-11-25 10:00:00",
  amount: "10.89",
  associations: {
    order_slip_details: [
      { id_order_detail: "1", product_quantity: "1", amount_tax_excl: "9.00", amount_tax_incl: "10.89" },
    ],
  },
};
const { associations: _, ...BARE_SLIP } = SLIP;

describe.runIf(hasPayloads)("PrestaShop", () => {
  test.each(PRESTASHOP)("$what", async ({ order, mode, outcome, documents = [] }) => {
    const view = await decidedIn(mode, order());
    expect([outcomeIn(view), documentsIn(view)]).toEqual([outcome, documents]);
  });

  test("02: the export itself is unreadable", () => {
    expect(delivered(payloadText("prestashop_02"))).toBeUndefined();
  });

  test("03: the rows make the total of a currency without decimals", () => {
    const { total, breakdown, currency } = prestashop(documentsOf("prestashop_03"));
    const gross = breakdown.map(({ base, tax }) => Number(base) + Number(tax)).reduce((a, b) => a + b);
    expect([currency, total, Math.round(gross)]).toEqual(["XOF", "42340", 42340]);
  });

  test.each([
    ["a list", [SLIP]],
    ["a single document", SLIP],
    ["the answer of the webservice", { order_slips: [SLIP] }],
    ["an envelope with a list", { order_slip: [SLIP] }],
    ["envelopes as XML has them", { order_slips: { order_slip: SLIP } }],
    ["a list of envelopes", [{ order_slip: SLIP }]],
    ["PHP's numbered members", { "0": SLIP }],
    ["its details in an envelope", [{ ...SLIP, associations: { order_slip_details: detailsAlone() } }]],
  ])("es: then one piece goes back, by slips that come as %s", async (_name, order_slips) => {
    const documents = documentsOf("prestashop_es");
    const shop = await payloadShop(AS_SENT);
    await shop.send(prestashop(documents));
    const view = await shop.send(prestashop({ ...documents, order_slips }));
    expect([outcomeIn(view), documentsIn(view)]).toEqual([
      "partially_rectified",
      [
        "F1 26.50 / 5.07 / 31.57 EUR [21: 22.00 / 4.62, 10: 4.50 / 0.45]",
        "R1 -9.00 / -1.89 / -10.89 EUR [21: -9.00 / -1.89]",
      ],
    ]);
  });

  test("es: a slip without its products waits, and acts once when they come", async () => {
    const documents = documentsOf("prestashop_es");
    const shop = await payloadShop(AS_SENT);
    const slipped = (slip: object) => prestashop({ ...documents, order_slips: [slip] });
    await shop.send(prestashop(documents));
    expect(outcomeIn(await shop.send(slipped(BARE_SLIP)))).toBe("held refund_lines_needed");
    const acted = await shop.send(slipped(SLIP));
    const again = await shop.send(slipped(BARE_SLIP));
    expect([outcomeIn(acted), outcomeIn(again)]).toEqual(["partially_rectified", "partially_rectified"]);
    expect(documentsIn(again)).toHaveLength(2);
  });
});

function detailsAlone(): object {
  const [detail] = SLIP.associations.order_slip_details;
  return { order_slip_detail: detail };
}
