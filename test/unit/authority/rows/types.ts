/** The requirements of each type of invoice. */
import * as make from "../../../support/authority/messages.ts";
import type { RecordRow } from "./row.ts";

const { alta, breakdown, CUSTOMER, invoiceKey, ticket } = make;

const AMOUNTS = { BaseRectificada: "100.00", CuotaRectificada: "21.00" };
const RECTIFIED = { IDFacturaRectificada: invoiceKey("A-0") };
const HUGE = breakdown({ BaseImponibleOimporteNoSujeto: "100000000.00", CuotaRepercutida: "21000000.00" });
const CHAIN_OF_BOTH = {
  PrimerRegistro: "S",
  RegistroAnterior: { ...invoiceKey("A-0"), Huella: "0".repeat(64) },
};

export const TYPES: readonly RecordRow[] = [
  [1114, "R1 without method", alta({ TipoFactura: "R1" })],
  [1115, "F1 with a method", alta({ TipoRectificativa: "I" })],
  [
    1116,
    "F1 that replaces others",
    alta({ FacturasSustituidas: { IDFacturaSustituida: invoiceKey("T-1") } }),
  ],
  [1117, "F1 that rectifies", alta({ FacturasRectificadas: RECTIFIED })],
  [1118, "R1 by substitution without amounts", alta({ TipoFactura: "R1", TipoRectificativa: "S" })],
  [
    1119,
    "R1 by differences with amounts",
    alta({ TipoFactura: "R1", TipoRectificativa: "I", ImporteRectificacion: AMOUNTS }),
  ],
  [
    1128,
    "an agreement that does not exist",
    alta({ NumRegistroAcuerdoFacturacion: "A" }),
    { no_agreement: ["A"] },
  ],
  [1138, "macrodata that is none", alta({ Macrodato: "S" })],
  [1139, "macrodata that is not said", alta(HUGE)],
  [1150, "F2 of EUR 3,010.01", ticket(breakdown({ TipoImpositivo: "0", ...amounts("3010.01", "0") }))],
  [1153, "RechazoPrevio X without Subsanacion", alta({ RechazoPrevio: "X" })],
  [
    1154,
    "rectified without a recipient",
    alta({
      TipoFactura: "R1",
      TipoRectificativa: "I",
      FacturasRectificadas: { IDFacturaRectificada: invoiceKey("A-0", make.TODAY, "12345678A") },
    }),
  ],
  [1157, "a coupon of F1", alta({ Cupon: "S" })],
  [1161, "RechazoPrevio S without Subsanacion", alta({ RechazoPrevio: "S", Subsanacion: "N" })],
  [1180, "first, and after another", alta({ Encadenamiento: CHAIN_OF_BOTH })],
  [1183, "F2 qualified", ticket({ FacturaSimplificadaArt7273: "S" })],
  [1185, "F1 without recipient by article 6.1.d", alta({ FacturaSinIdentifDestinatarioArt61d: "S" })],
  [1239, "a recipient with two identifiers", alta({ Destinatarios: { IDDestinatario: withBoth() } })],
];

function withBoth(): make.Fields {
  return { ...CUSTOMER, IDOtro: { CodigoPais: "US", IDType: "04", ID: "1" } };
}

function amounts(base: string, tax: string): make.Change {
  return { BaseImponibleOimporteNoSujeto: base, CuotaRepercutida: tax };
}
