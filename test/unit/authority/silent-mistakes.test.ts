/**
 * The AEAT's answers to records of wrong invoices: mostly none, because the record alone does not show the
 * mistake. The product itself has to refuse or hold these.
 */
import { describe, expect, test } from "vitest";
import { aSandbox } from "../../support/authority/authority.ts";
import * as make from "../../support/authority/messages.ts";

const { alta, breakdown, chained, invoiceKey, ticket } = make;

type Judged = readonly [sentence: string, ...records: make.TestRecord[]];
type Told = readonly [sentence: string, code: number, ...records: make.TestRecord[]];

const WITHOUT_TAX = { TipoImpositivo: undefined, CuotaRepercutida: undefined };
const of = (base: string, tax: string, change: make.Change = {}): make.Change => ({
  ...{ BaseImponibleOimporteNoSujeto: base, CuotaRepercutida: tax },
  ...change,
});
const untaxed = (base: string, change: make.Change): make.Change => ({
  ...of(base, "0"),
  ...WITHOUT_TAX,
  ...change,
});
const N2 = (regime: string, base = "100.00"): make.Change =>
  untaxed(base, { ClaveRegimen: regime, CalificacionOperacion: "N2" });
const exempt = (exemption: string, regime: string): make.Change =>
  untaxed("100.00", {
    ...{ ClaveRegimen: regime, CalificacionOperacion: undefined },
    OperacionExenta: exemption,
  });
const to = (IDType: string, ID: string, CodigoPais?: string): make.Change => ({
  Destinatarios: { IDDestinatario: { NombreRazon: "ACME", IDOtro: { CodigoPais, IDType, ID } } },
});
const GERMAN = to("02", "DE282741168");
const WITHOUT_RECIPIENT = { FacturaSinIdentifDestinatarioArt61d: "S" };

/** A rectification of an invoice of the issuer, whether it exists or not. */
const rectifying = (type: string, method: "I" | "S", ...changes: readonly make.Change[]): make.TestRecord =>
  alta({
    ...{ TipoFactura: type, TipoRectificativa: method },
    FacturasRectificadas: { IDFacturaRectificada: invoiceKey("PED-1S-2026-000001") },
    ...(method === "S" && {
      ImporteRectificacion: { BaseRectificada: "100.00", CuotaRectificada: "21.00" },
    }),
    ...(type === "R5" && { Destinatarios: undefined }),
    ...Object.assign({}, ...changes),
  });
const replacing = (...changes: readonly make.Change[]): make.TestRecord =>
  alta({
    TipoFactura: "F3",
    FacturasSustituidas: { IDFacturaSustituida: invoiceKey("API-1S-2026-000001") },
    ...Object.assign({}, ...changes),
  });
const amending = (change: make.Change): readonly make.TestRecord[] =>
  chained(alta(), alta({ Subsanacion: "S", ...change }));

/** Wrong, and accepted without a word. */
const ACCEPTED: readonly Judged[] = [
  [
    "a sale to a company with a German VAT number in the one-stop shop",
    alta({ ...breakdown(N2("17")), ...GERMAN }),
  ],
  ["the same without a recipient", ticket({ ...breakdown(N2("17")), ...WITHOUT_RECIPIENT })],
  ["a sale to Åland in the one-stop shop", ticket({ ...breakdown(N2("17")), ...WITHOUT_RECIPIENT })],
  [
    "an intra-community supply to Büsingen, outside of the Union's VAT territory",
    alta({ ...breakdown(exempt("E5", "01")), ...GERMAN }),
  ],
  ["an export to Monaco", alta({ ...breakdown(exempt("E2", "02")), ...to("04", "1234", "MC") })],
  [
    "an export of goods to Northern Ireland",
    alta({ ...breakdown(exempt("E2", "02")), ...to("04", "1234", "GB") }),
  ],
  [
    "shipping at 0 % together with goods in the one-stop shop",
    ticket(breakdown(N2("17", "100.00"), N2("17", "10.00"))),
  ],
  [
    "a rate unknown in the country of the consumer, since the record has no rate of it",
    ticket({ ...breakdown(N2("17")), ...WITHOUT_RECIPIENT }),
  ],
  [
    "N2 to a Belgian company without the reverse charge on the page",
    alta({ ...breakdown(N2("01")), ...to("02", "BE0477472701") }),
  ],
  [
    "E5 to a company of the United States",
    alta({ ...breakdown(exempt("E5", "01")), ...to("04", "98-7654321", "US") }),
  ],
  ["an R1 of an F3 by difference", rectifying("R1", "I", breakdown(of("-2.48", "-0.52")))],
  ["an R5 of a return that also sells more", rectifying("R5", "I", breakdown(of("-50.00", "-10.50")))],
  ["an R5 of -1,210.00 of a ticket of 121.00", rectifying("R5", "I", breakdown(of("-1000.00", "-210.00")))],
  [
    "an R5 of an invoice of another day than its number has",
    rectifying("R5", "I", breakdown(of("-10.00", "-2.10")), {
      FacturasRectificadas: { IDFacturaRectificada: invoiceKey("PED-1S-2026-000001", "01-01-2026") },
    }),
  ],
  ["an R1 by substitution below zero", rectifying("R1", "S", breakdown(of("-20.00", "-4.20")))],
  ["an R5 by substitution below zero", rectifying("R5", "S", breakdown(of("-20.00", "-4.20")))],
  [
    "an R1 of more than an invoice from elsewhere came to",
    rectifying("R1", "I", breakdown(of("-500.00", "-105.00"))),
  ],
  [
    "an R1 by difference to another recipient than the invoice's",
    rectifying("R1", "I", breakdown(of("-10.00", "-2.10")), GERMAN),
  ],
  ["an R5 by substitution of 6,050.00", rectifying("R5", "S", breakdown(of("5000.00", "1050.00")))],
  ["an amendment that names another company", ...amending(GERMAN)],
  [
    "used goods with the margin as total, not the price",
    alta(breakdown(of("0.83", "0.17", { ClaveRegimen: "03" }))),
  ],
  [
    "a disbursement that was made a line not subject to tax",
    alta(breakdown(of("1800.00", "378.00"), untaxed("100.00", { CalificacionOperacion: "N1" }))),
  ],
  [
    "an R5 of all, made of a payload that was stale",
    rectifying("R5", "I", breakdown(of("-100.00", "-21.00"))),
  ],
  ["an invoice that was asked for as a preview", alta()],
  ["an invoice of a test order", ticket()],
];

/** 1,000.00 at 10 % issued before at 21 %: 0.00 and -110.00. */
const RATE_CHANGED = [of("-1000.00", "-210.00"), of("1000.00", "100.00", { TipoImpositivo: "10" })];

/** Right, and once refused or held by the product. */
const RIGHT: readonly Judged[] = [
  [
    "a company in Monaco by its French VAT number",
    alta({ ...breakdown(N2("01")), ...to("02", "FR40303265045") }),
  ],
  [
    "the same with the country of its prefix",
    alta({ ...breakdown(N2("01")), ...to("02", "FR40303265045", "FR") }),
  ],
  ["an F3 of an R5", replacing(breakdown(of("-2.48", "-0.52")))],
  ["an R5 of a ticket that had the wrong rate", rectifying("R5", "I", breakdown(...RATE_CHANGED))],
  ["the F3 of that R5", replacing(breakdown(...RATE_CHANGED))],
  ["an F3 that takes another F3 back", replacing(breakdown(of("-10.00", "-2.10")))],
  [
    "a rebate of a period, which cites no invoice",
    rectifying("R4", "I", breakdown(of("-500.00", "-105.00")), { FacturasRectificadas: undefined }),
  ],
  [
    "used goods with the price as total",
    alta({ ...breakdown(of("0.83", "0.17", { ClaveRegimen: "03" })), ImporteTotal: "10.00" }),
  ],
  [
    "used goods of a price far from the margin",
    alta({ ...breakdown(of("826.45", "173.55", { ClaveRegimen: "03" })), ImporteTotal: "9000.00" }),
  ],
  [
    "travel agencies likewise",
    alta({ ...breakdown(of("826.45", "173.55", { ClaveRegimen: "05" })), ImporteTotal: "9000.00" }),
  ],
  ["tax that is a cent off its base, as the customer paid it", ticket(breakdown(of("2.49", "0.52")))],
  ["an R1 by substitution to nothing", rectifying("R1", "S", breakdown(of("0.00", "0.00")))],
];

/** The mistake next to it, which the record does show. */
const TOLD: readonly Told[] = [
  [
    "the rate of the country of the consumer as a rate of IVA",
    1124,
    ticket(breakdown(of("100.00", "19.00", { TipoImpositivo: "19" }))),
  ],
  [
    "the rate of the country of the consumer in the record",
    1237,
    ticket(breakdown({ ...N2("17"), TipoImpositivo: "19" })),
  ],
  [
    "a one-stop-shop ticket to a VAT number",
    1156,
    alta({ TipoFactura: "F2", ...breakdown(N2("17")), ...GERMAN }),
  ],
  ["an export in the general regime", 1199, alta(breakdown(exempt("E2", "01")))],
  [
    "a VAT number of France with the country of Monaco",
    1122,
    alta({ ...breakdown(N2("01")), ...to("02", "FR40303265045", "MC") }),
  ],
  ["E5 to a NIF", 1289, alta(breakdown(exempt("E5", "01")))],
  [
    "E5 to a number of no member state by its form",
    1103,
    alta({ ...breakdown(exempt("E5", "01")), ...to("02", "US987654321") }),
  ],
  [
    "an R5 with the recipient of the F3",
    1190,
    rectifying("R5", "I", { Destinatarios: { IDDestinatario: make.CUSTOMER } }),
  ],
  ["a tax that does not turn with its base", 1143, rectifying("R1", "S", breakdown(of("-20.00", "4.20")))],
  [
    "a substitution without what it replaces",
    1118,
    rectifying("R1", "S", { ImporteRectificacion: undefined }),
  ],
  ["an F3 that lowers a tax and leaves its base", 1142, replacing(breakdown(of("0.00", "-110.00")))],
  ["an F3 that rectifies", 1115, replacing({ TipoRectificativa: "I" })],
  ["a ticket of 6,050.00", 1150, ticket(breakdown(of("5000.00", "1050.00")))],
  [
    "an amendment under another number",
    3002,
    alta(),
    alta({ Subsanacion: "S", IDFactura: invoiceKey("A-2") }),
  ],
  [
    "margin scheme with reverse charge",
    1200,
    alta(breakdown(of("0.83", "0", { ...reverse(), ClaveRegimen: "03" }))),
  ],
  [
    "a disbursement in the total alone",
    2005,
    alta({ ...breakdown(of("1800.00", "378.00")), ImporteTotal: "2278.00" }),
  ],
  [
    "a total of prices outside of the margin scheme",
    2005,
    alta({ ...breakdown(of("826.45", "173.55")), ImporteTotal: "9000.00" }),
  ],
  ["a preview that took a number, issued again", 3000, alta(), alta()],
];

describe("a wrong record that the AEAT accepts: nothing in it shows the mistake", () => {
  test.each(rowsOf(ACCEPTED))("%s", async (_, records) => {
    expect(await lastOf(records)).toBe("Correcto");
  });
});

describe("a right record is accepted", () => {
  test.each(rowsOf(RIGHT))("%s", async (_, records) => {
    expect(await lastOf(records)).toBe("Correcto");
  });
});

describe("a similar mistake that the AEAT reports", () => {
  test.each(TOLD.map(([sentence, code, ...records]) => [sentence, code, records] as const))(
    "%s: %i",
    async (_, code, records) => {
      expect(await lastOf(records)).toBe(code);
    },
  );
});

function rowsOf(judged: readonly Judged[]) {
  return judged.map(([sentence, ...records]) => [sentence, records] as const);
}

async function lastOf(records: readonly make.TestRecord[]): Promise<string | number | undefined> {
  return (await aSandbox().judge(...records)).at(-1);
}

function reverse(): make.Change {
  return { CalificacionOperacion: "S2", TipoImpositivo: "0" };
}
