/** Desglose. */
import * as make from "../../../support/authority/messages.ts";
import type { RecordRow } from "./row.ts";

const { alta, breakdown, CUSTOMER, invoiceKey, ticket } = make;

const line = (change: make.Change, record: make.Change = {}) => alta({ ...breakdown(change), ...record });

/** A line of a rate, with the tax that follows from EUR 100. */
const atRate = (rate: string, change: make.Change = {}): make.Change => ({
  TipoImpositivo: rate,
  CuotaRepercutida: rate,
  ...change,
});
const surcharged = (rate: string, surcharge: string) =>
  atRate(rate, { TipoRecargoEquivalencia: surcharge, CuotaRecargoEquivalencia: surcharge });
const onDay = (day: string, change: make.Change) => line(change, { FechaOperacion: day });

const WITHOUT_TAX: make.Change = { TipoImpositivo: undefined, CuotaRepercutida: undefined };
const notSubject = (qualification: string, change: make.Change = {}): make.Change => ({
  CalificacionOperacion: qualification,
  ...WITHOUT_TAX,
  ...change,
});
const exempt = (exemption: string, change: make.Change = {}): make.Change => ({
  CalificacionOperacion: undefined,
  OperacionExenta: exemption,
  ...WITHOUT_TAX,
  ...change,
});
const SURCHARGE: make.Change = { TipoRecargoEquivalencia: "5.2", CuotaRecargoEquivalencia: "5.20" };
const reverse: make.Change = { CalificacionOperacion: "S2", ...atRate("0") };
const atCost = (change: make.Change = {}): make.Change => ({
  ClaveRegimen: "06",
  BaseImponibleACoste: "100.00",
  ...change,
});

export const TAXES: readonly RecordRow[] = [
  [1124, "a rate that IVA does not have", line(atRate("3"))],
  [1127, "a surcharge that does not exist", line(surcharged("21", "3"))],
  [1140, "tax and base at cost of different sign", line(atCost({ CuotaRepercutida: "-21.00" }))],
  [1142, "tax that is EUR 10.01 off", line({ CuotaRepercutida: "31.01" })],
  [1143, "tax and base of different sign", line({ CuotaRepercutida: "-1.00" })],
  [1144, "tax that is off its base at cost", line(atCost({ CuotaRepercutida: "31.01" }))],
  [1147, "regime 14 without operation date", line({ ClaveRegimen: "14" })],
  [
    1148,
    "regime 14 in F3",
    line({ ClaveRegimen: "14" }, { TipoFactura: "F3", FechaOperacion: "28-11-2026" }),
  ],
  [1149, "regime 14 to a company", line({ ClaveRegimen: "14" }, { FechaOperacion: "28-11-2026" })],
  [1160, "5 % with a surcharge of 1.4", onDay("01-02-2023", surcharged("5", "1.4"))],
  [1162, "21 % with a surcharge of 1.4", line(surcharged("21", "1.4"))],
  [1163, "10 % with a surcharge of 5.2", line(surcharged("10", "5.2"))],
  [1164, "4 % with a surcharge of 5.2", line(surcharged("4", "5.2"))],
  [1165, "0 % with a surcharge of 0.5", onDay("01-02-2023", surcharged("0", "0.5"))],
  [1166, "2 % with a surcharge of 0.5", onDay("01-11-2024", surcharged("2", "0.5"))],
  [1167, "5 % with a surcharge of 0.5 in 2023", onDay("01-01-2023", surcharged("5", "0.5"))],
  [1168, "5 % with a surcharge of 0.62 in 2022", onDay("31-12-2022", surcharged("5", "0.62"))],
  [1169, "7.5 % with a surcharge of 1.4", onDay("01-11-2024", surcharged("7.5", "1.4"))],
  [1182, "E7 outside of IGIC", line(exempt("E7"))],
  [1194, "5 % in October 2024", onDay("01-10-2024", atRate("5"))],
  [1195, "neither qualified nor exempt", line({ CalificacionOperacion: undefined })],
  [1196, "qualified and exempt", line({ OperacionExenta: "E1" })],
  [1197, "reverse charge in F2", ticket(breakdown(reverse))],
  [1198, "reverse charge with tax", line({ ...reverse, CuotaRepercutida: "21.00" })],
  [1198, "reverse charge without rate", line({ ...reverse, TipoImpositivo: undefined })],
  [1199, "E2 in regime 01", line(exempt("E2"))],
  [1200, "regime 03 with reverse charge", line({ ...reverse, ClaveRegimen: "03" })],
  [1201, "regime 04 with S1", line({ ClaveRegimen: "04" })],
  [1202, "regime 06 without base at cost", line({ ClaveRegimen: "06" })],
  [1202, "regime 06 in F2", ticket(breakdown(atCost()))],
  [1203, "regime 07 not subject", line(notSubject("N1", { ClaveRegimen: "07" }))],
  [1203, "regime 07 with E2", line(exempt("E2", { ClaveRegimen: "07" }))],
  [1205, "regime 10 with S1", line({ ClaveRegimen: "10" })],
  [1206, "regime 11 at 10 %", line(atRate("10", { ClaveRegimen: "11" }))],
  [1207, "IGIC not subject with tax", line({ Impuesto: "03", CalificacionOperacion: "N1" })],
  [1208, "S1 without tax", line({ CuotaRepercutida: undefined })],
  [1209, "regime 06 without tax", line(atCost(WITHOUT_TAX))],
  [1235, "2 % in 2025", onDay("01-01-2025", atRate("2"))],
  [1236, "7.5 % in 2025", onDay("01-01-2025", atRate("7.5"))],
  [1237, "IVA not subject with a rate", line(notSubject("N2", { TipoImpositivo: "21.00" }))],
  [1238, "exempt with a rate", line(exempt("E1", { TipoImpositivo: "0" }))],
  [1245, "IVA without regime", line({ ClaveRegimen: undefined })],
  [1246, "regime 21 in IVA", line({ ClaveRegimen: "21" })],
  [1246, "regime 02 in IPSI", line({ Impuesto: "02", ClaveRegimen: "02" })],
  [1252, "regime 08 with N1", line(notSubject("N1", { ClaveRegimen: "08" }))],
  [1257, "a base at cost in regime 01", line({ BaseImponibleACoste: "100.00" })],
  [1260, "another tax with a regime", line({ Impuesto: "05" })],
  [1277, "0 % with a surcharge of 0 in 2026", line(surcharged("0", "0"))],
  [
    1281,
    "reverse charge with a surcharge",
    line({ ...reverse, ...surcharged("0", "0"), CalificacionOperacion: "S2" }),
  ],
  ...(["02", "03", "05"] as const).flatMap((Impuesto): RecordRow[] =>
    ["N1", "N2"].map((qualification) => [
      1281,
      `tax ${Impuesto} that is ${qualification} with a surcharge`,
      line(
        notSubject(qualification, {
          ...{ Impuesto, ClaveRegimen: Impuesto === "05" ? undefined : "01" },
          ...SURCHARGE,
        }),
      ),
    ]),
  ),
  [1237, "IVA that is N2 with a surcharge", line({ ...notSubject("N2"), ...SURCHARGE })],
  [1238, "exempt IGIC with a surcharge", line({ ...exempt("E1", { Impuesto: "03" }), ...SURCHARGE })],
  [1284, "a surcharge rate without its amount", line({ TipoRecargoEquivalencia: "5.2" })],
  [1286, "regime 02 with S1", line({ ClaveRegimen: "02" })],
  [1289, "E5 to a NIF", line(exempt("E5"))],
  [1293, "IGIC in regime 20 with S1", line({ Impuesto: "03", ClaveRegimen: "20" })],
];

/** Records that look wrong and are right. */
export const GOOD: readonly (readonly [why: string, record: make.TestRecord])[] = [
  ["tax that is EUR 10 off", line({ CuotaRepercutida: "31.00" })],
  ["totals that are EUR 10 off", alta({ CuotaTotal: "31.00", ImporteTotal: "131.00" })],
  [
    "a rectification by differences with tax that does not follow",
    line(
      { CuotaRepercutida: "-99.00" },
      {
        TipoFactura: "R1",
        TipoRectificativa: "I",
        FacturasRectificadas: { IDFacturaRectificada: invoiceKey("A-0") },
      },
    ),
  ],
  ["F2 of EUR 3,010.00", ticket(breakdown({ ...atRate("0"), BaseImponibleOimporteNoSujeto: "3010.00" }))],
  [
    "F2 of more under an agreement",
    ticket({
      ...breakdown({ ...atRate("0"), BaseImponibleOimporteNoSujeto: "9000.00" }),
      NumRegistroAcuerdoFacturacion: "ACUERDO-1",
    }),
  ],
  ["21 % with the surcharge of tobacco", line(surcharged("21", "1.75"))],
  ["0 % with a surcharge of 0 in 2023", onDay("01-02-2023", surcharged("0", "0"))],
  ["5 % with 0.5 in 2022", onDay("01-12-2022", surcharged("5", "0.5"))],
  ["IGIC at any rate", line({ Impuesto: "03", ...atRate("9.5") })],
  ["IPSI with a base at cost", line({ Impuesto: "02", BaseImponibleACoste: "100.00" })],
  ["another tax without regime", line({ Impuesto: "05", ClaveRegimen: undefined, ...atRate("4.5") })],
  ["no tax named, which is IVA", line({ Impuesto: undefined })],
  [
    "works for a public body that are still to be paid",
    line(
      { ClaveRegimen: "14" },
      {
        FechaOperacion: "01-03-2027",
        Destinatarios: { IDDestinatario: { NombreRazon: "AYUNTAMIENTO", NIF: "P2807900B" } },
      },
    ),
  ],
  ["fees collected for others", line(notSubject("N1", { ClaveRegimen: "10" }))],
  ["used goods, exempt", line(exempt("E1", { ClaveRegimen: "03" }))],
  ["an export", line(exempt("E2", { ClaveRegimen: "02" }))],
  [
    "a zero base with a zero tax of any sign",
    line({ ...atRate("21", { CuotaRepercutida: "-0.00" }), BaseImponibleOimporteNoSujeto: "0" }),
  ],
  ["a sign before an amount", alta({ ImporteTotal: "+121.00" })],
  ["one decimal", alta({ CuotaTotal: "21.0", ImporteTotal: "121." })],
  ["to oneself", alta({ Destinatarios: { IDDestinatario: make.ISSUER } })],
  ["to Greece", alta({ Destinatarios: { IDDestinatario: euParty("EL123456789", "GR") } })],
  ["to France without country", alta({ Destinatarios: { IDDestinatario: euParty("FR12345678901") } })],
  ["with a passport", alta({ Destinatarios: { IDDestinatario: spanishPassport() } })],
  ["an ampersand in the number", alta({ IDFactura: invoiceKey("A&B-1") })],
  ["through a third party", alta({ EmitidaPorTerceroODestinatario: "T", Tercero: CUSTOMER })],
  ["written in UTC", alta({ FechaHoraHusoGenRegistro: "2026-11-27T10:59:00Z" })],
];

function euParty(ID: string, CodigoPais?: string): make.Fields {
  return { NombreRazon: "ACME", IDOtro: { CodigoPais, IDType: "02", ID } };
}

function spanishPassport(): make.Fields {
  return { NombreRazon: "ANA", IDOtro: { CodigoPais: "ES", IDType: "03", ID: "AAA123456" } };
}
