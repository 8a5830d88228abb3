import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RecordContent } from "../../src/domain/verifactu/record.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import { submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { recordXml } from "../../src/domain/verifactu/xml/record-xml.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import {
  aCancellation,
  aChain,
  anAnonymousRegistration,
  aRegistration,
} from "../support/builders/records.ts";

const ISSUER = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };
const [REGISTERED, CANCELLED] = aChain([
  aRegistration(),
  aCancellation({ reference: "rec_0002", generatedAt: "2026-11-27T10:20:05+01:00" }),
]);

describe.skipIf(aeatFolder === undefined)("a message equals the sample of the same records", () => {
  test.each([
    ["valid-alta-f1", REGISTERED],
    ["valid-anulacion", CANCELLED],
  ])("%s", (file, record) => {
    const sample = readFileSync(`${aeatFolder}/samples/${file}.soap.xml`, "utf8");
    const written = submissionXml({ ...ISSUER, incident: false, records: record ? [record] : [] });
    expect(written).toBe(sample.replace(/>\s+</g, "><").trim());
  });
});

test.each<[string, RecordContent, string]>([
  ["a registration", aRegistration(), "RegistroAlta"],
  ["a cancellation", aCancellation(), "RegistroAnulacion"],
])("%s alone declares its namespace and no other", (_, content, name) => {
  const xml = recordXml(seal(content, 1));
  expect(xml).toMatch(
    new RegExp(`^<sf:${name} xmlns:sf="https://www2\\.[^"]+/SuministroInformacion\\.xsd">`),
  );
  expect(xml.match(/xmlns/g)).toHaveLength(1);
});

test("a registration with everything writes each element in the order of the XSD", () => {
  const written = recordXml(seal(EVERYTHING, 2)).matchAll(/<sf:(\w+)/g);
  expect([...written].map((match) => match[1]).join(" ")).toBe(
    "RegistroAlta IDVersion IDFactura IDEmisorFactura NumSerieFactura FechaExpedicionFactura RefExterna " +
      "NombreRazonEmisor Subsanacion RechazoPrevio TipoFactura TipoRectificativa " +
      "FacturasRectificadas IDFacturaRectificada IDEmisorFactura NumSerieFactura FechaExpedicionFactura " +
      "FacturasSustituidas IDFacturaSustituida IDEmisorFactura NumSerieFactura FechaExpedicionFactura " +
      "ImporteRectificacion BaseRectificada CuotaRectificada CuotaRecargoRectificado FechaOperacion " +
      "DescripcionOperacion FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato " +
      "Destinatarios IDDestinatario NombreRazon IDOtro CodigoPais IDType ID Desglose DetalleDesglose " +
      "Impuesto ClaveRegimen CalificacionOperacion TipoImpositivo BaseImponibleOimporteNoSujeto " +
      "CuotaRepercutida TipoRecargoEquivalencia CuotaRecargoEquivalencia CuotaTotal ImporteTotal " +
      "Encadenamiento RegistroAnterior IDEmisorFactura NumSerieFactura FechaExpedicionFactura Huella " +
      "SistemaInformatico NombreRazon NIF NombreSistemaInformatico IdSistemaInformatico Version " +
      "NumeroInstalacion TipoUsoPosibleSoloVerifactu TipoUsoPosibleMultiOT IndicadorMultiplesOT " +
      "FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion TipoHuella Huella",
  );
});

test("text is escaped in the XML", () => {
  const xml = recordXml(seal(aRegistration({ description: `A & B <b> ]]> "c" 'd' &amp;` }), 1));
  expect(xml).toContain(
    `<sf:DescripcionOperacion>A &amp; B &lt;b&gt; ]]&gt; "c" 'd' &amp;amp;</sf:DescripcionOperacion>`,
  );
});

test.each([
  ["a message without incident has no RemisionVoluntaria", false, 0],
  ["one with an incident says so once", true, 1],
])("%s", (_, incident, times) => {
  const xml = submissionXml({ ...ISSUER, incident, records: [seal(aRegistration(), 1)] });
  const voluntary =
    "<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria></sfLR:Cab";
  expect(xml.split(voluntary).length - 1).toBe(times);
  expect(xml.split("<sf:RemisionVoluntaria").length - 1).toBe(times);
});

test("a message has one XML declaration and declares each namespace once", () => {
  const records = aChain([aRegistration(), anAnonymousRegistration({ invoiceType: "F2" }), aCancellation()]);
  const xml = submissionXml({ ...ISSUER, incident: true, records });
  expect(xml.match(/<\?xml/g)).toHaveLength(1);
  expect(xml.match(/xmlns:\w+/g)).toEqual(["xmlns:soapenv", "xmlns:sfLR", "xmlns:sf"]);
});

test.each([0, 1001])("a message of %i records is a bug", (count) => {
  const records = Array.from({ length: count }, () => seal(aRegistration(), 1));
  expect(() => submissionXml({ ...ISSUER, incident: false, records })).toThrow("1 to 1000");
});

/** No invoice may have all of these at once: only their order is looked at. */
const EVERYTHING = aRegistration({
  chain: { first: false, hash: "0".repeat(64), issuerNif: "89890001K", number: "A-1", date: "26-11-2026" },
  amendment: { previousRejection: "X" },
  rectificationMethod: "S",
  rectified: [{ issuerNif: "89890001K", number: "A-2", date: "26-11-2026" }],
  replaced: [{ issuerNif: "89890001K", number: "T-1", date: "26-11-2026" }],
  rectifiedAmounts: { base: "1.00", tax: "0.21", surcharge: "0.05" },
  operationDate: "26-11-2026",
  qualifiedSimplified: true,
  withoutRecipient: true,
  macrodata: true,
  recipients: [{ name: "BUYER INC", idType: "04", country: "US", id: "98-7654321" }],
  breakdown: [
    {
      tax: "01",
      regime: "01",
      qualification: "S1",
      rate: "21.00",
      base: "100.00",
      taxAmount: "21.00",
      surchargeRate: "5.20",
      surchargeAmount: "5.20",
    },
  ],
  agreementNumber: "AC-1",
});
