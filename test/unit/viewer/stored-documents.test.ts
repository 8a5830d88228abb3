import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentFromJson } from "../../../src/db/database.ts";
import type { InvoiceDocument } from "../../../src/domain/invoice/document.ts";
import { documentaryOf } from "../../../src/domain/invoice/documentary.ts";
import { registrationOf } from "../../../src/domain/invoice/invoice-record.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { taxIdentifierFrom } from "../../../src/domain/shared/tax-identifier.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";
import { presentInvoice } from "../../../src/viewer/presentation/invoice-presentation.ts";
import { A_SYSTEM } from "../../support/builders/records.ts";
import { readOut } from "../../support/rules/read-out.ts";
import { REPOSITORY } from "../../support/rules/sources.ts";

/** Documents as earlier releases stored them can still be shown. */

const FOLDER = join(REPOSITORY, "test/golden/documents");

const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  "v1-disbursed.json": [
    "Factura",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 1.800,00 | 21 % | 1.800,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 1.800,00 | 378,00",
    "Base imponible: 1.800,00 €",
    "Cuota de IVA: 378,00 €",
    "Total: 2.178,00 €",
    "Retención IRPF 15 %: −270,00 €",
    "Suplido: Tasa registral: 100,00 €",
    "Total a pagar: 2.008,00 €",
  ],
  "v1-margin.json": [
    "Factura",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 10,00 | REBU | 10,00",
    "2 | 30,50 | REAV | 61,00",
    "1 | 10,00 | 10 % | 10,00",
    "Impuesto | Base | Cuota",
    "IVA 10 % | 10,00 | 1,00",
    "Base imponible: 10,00 €",
    "Cuota de IVA: 1,00 €",
    "Precios en REBU: 10,00 €",
    "Precios en REAV: 61,00 €",
    "Total: 82,00 €",
    "REBU: Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección; precios finales",
    "REAV: Régimen especial de las agencias de viajes; precios finales",
  ],
  "v1-corrected.json": [
    "Factura rectificativa",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Rectifica la factura API-1-2026-000001, de 27/11/2026, por sustitución",
    "Causa: Precio equivocado",
    "Importe de la rectificación: base −10,00 €, cuota −1,00 €, precio −1,00 €",
    "Importe rectificado: base 20,00 €, cuota 2,00 €, precio 10,00 €",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 9,00 | REBU | 9,00",
    "1 | 10,00 | 10 % | 10,00",
    "Impuesto | Base | Cuota",
    "IVA 10 % | 10,00 | 1,00",
    "Base imponible: 10,00 €",
    "Cuota de IVA: 1,00 €",
    "Precios en REBU: 9,00 €",
    "Total: 20,00 €",
    "REBU: Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección; precios finales",
  ],
  "v1-f3.json": [
    "Factura",
    "Fecha de operación: 01/03/2025",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Concepto: Servicios de consultoría",
    "Factura en sustitución de la factura simplificada VIEJA/7, de 01/03/2025",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 3.818,98 | 21 % | 3.818,98",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 3.818,98 | 801,99",
    "Base imponible: 3.818,98 €",
    "Cuota de IVA: 801,99 €",
    "Total: 4.620,97 €",
  ],
  "v1-full.json": [
    "Factura",
    "Fecha de operación: 20/11/2026",
    "Moneda: USD, dólar estadounidense",
    "Cliente: Cliente Ejemplo SL, N.º de IVA BE0477472701, Gran Vía 1, 28013 Madrid, Bélgica",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio sin impuestos | Dto. | Impuesto | Importe USD",
    "3 | 19,99 | 10 % | IVA 21 % + 5,2 % | 53,97",
    "1 | 50,00 |  | Exenta | 50,00",
    "0,5 | 12,345678 |  | Otro impuesto 4,75 % | 6,17",
    "Impuesto | Base USD | Cuota USD | Base EUR | Cuota EUR",
    "IVA 21 % | 53,97 | 11,33 | 49,73 | 10,44",
    "Recargo de equivalencia 5,2 % |  | 2,81 |  | 2,59",
    "Otro impuesto 4,75 % | 6,17 | 0,29 | 5,69 | 0,27",
    "Operación exenta (Artículo 25 de la Ley 37/1992 del IVA (entrega intracomunitaria)) | 50,00 |  | 46,07 | ",
    "Suma | 110,14 | 14,43 | 101,49 | 13,30",
    "Base imponible: 110,14 USD",
    "Cuota de IVA: 11,33 USD",
    "Cuota de otro impuesto: 0,29 USD",
    "Recargo de equivalencia: 2,81 USD",
    "Total: 124,57 USD",
    "Total en euros: 114,79 €",
    "Retención IRPF 15 %: −16,52 USD",
    "Total a pagar: 108,05 USD",
    "Tipo de cambio del 26/11/2026: 1 EUR = 1,0852 USD. El importe que figura en la AEAT, y en el código QR, es el total en euros.",
  ],
  "v1-oss.json": [
    "Factura",
    "Concepto: Servicios de consultoría",
    "Factura sin identificación del destinatario, artículo 6.1.d) del Real Decreto 1619/2012",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 100,00 | 20 % | 100,00",
    "1 | 10,00 | 21 % | 10,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 10,00 | 2,10",
    "IVA del país de consumo 20 % (Régimen especial de la Unión (ventanilla única)) | 100,00 | 20,00",
    "Suma | 110,00 | 22,10",
    "Base imponible: 110,00 €",
    "Cuota de IVA: 22,10 €",
    "Total: 132,10 €",
    "Régimen especial de la Unión (ventanilla única): IVA del país de consumo al 20 %. Importe que figura en el código QR: 112,10 €",
    "Importe en el código QR: 112,10 €",
  ],
  "v1-refund.json": [
    "Factura rectificativa",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Rectifica la factura API-1-2026-000003, de 27/11/2026, por diferencias",
    "Causa: Devolución parcial",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "−1 | 33,33 | 21 % | −33,33",
    "Impuesto | Base | Cuota",
    "IVA 21 % | −33,33 | −7,00",
    "Base imponible: −33,33 €",
    "Cuota de IVA: −7,00 €",
    "Total: −40,33 €",
  ],
  "v1-sale.json": [
    "Factura",
    "Cliente: Peña & Hijos 😀 SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 100,00 | 21 % | 100,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 100,00 | 21,00",
    "Base imponible: 100,00 €",
    "Cuota de IVA: 21,00 €",
    "Total: 121,00 €",
  ],
  "v1-substitute.json": [
    "Factura rectificativa",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid",
    "Rectifica las facturas API-1-2026-000003, de 27/11/2026, y API-1R-2026-000001, de 27/11/2026, por sustitución",
    "Causa: Precio equivocado",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 80,00 | 21 % | 80,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 80,00 | 16,80",
    "Base imponible: 80,00 €",
    "Cuota de IVA: 16,80 €",
    "Total: 96,80 €",
  ],
  "v1-ticket.json": [
    "Factura simplificada",
    "Cliente: María",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio | IVA | Importe, IVA incluido",
    "1 | 4.500,00 | 21 % | 4.500,00",
    "1 | 500,00 | 10 % | 500,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 3.719,01 | 780,99",
    "IVA 10 % | 454,55 | 45,45",
    "Suma | 4.173,56 | 826,44",
    "Total, IVA incluido: 5.000,00 €",
  ],
  "v1-trade.json": [
    "Factura",
    "Vencimiento: 27/12/2026",
    "Periodo facturado: 01/11/2026 a 30/11/2026",
    "Fecha de entrega: 30/11/2026",
    "Lugar de entrega: Calle 1, 28001 Madrid",
    "Su referencia: B-1",
    "Su pedido: O-1",
    "Contrato: C-1",
    "Expediente: F-1",
    "Cliente: Cliente Ejemplo SL, NIF B12345674, Gran Vía 1, 28013 Madrid, Órgano gestor: L01280796",
    "Concepto: Servicios de consultoría",
    "Cantidad | Precio sin IVA | IVA | Importe",
    "1 | 100,00 | 21 % | 100,00",
    "Impuesto | Base | Cuota",
    "IVA 21 % | 100,00 | 21,00",
    "Base imponible: 100,00 €",
    "Cuota de IVA: 21,00 €",
    "Total: 121,00 €",
    "Forma de pago: transferencia a ES91 2100 0418 4502 0005 1332 (BIC CAIXESBB). Referencia del pago: RF18.",
  ],
};

test("every stored sample has its row", () => {
  expect(Object.keys(DOCUMENTS).sort()).toEqual(readdirSync(FOLDER).sort());
});

test.each(Object.entries(DOCUMENTS))("%s", (file, expected) => {
  const document = documentFromJson(readFileSync(join(FOLDER, file), "utf8"));
  expect(readOut(presentInvoice(storedView(document), { language: "es" }))).toEqual(expected);
});

/** A stored document as its invoice, with the record of its own request. */

const NUMBER = "API-1-2026-000007";
const DAY = civilDate("2026-11-27");

function storedView(document: InvoiceDocument): InvoiceView {
  const { request } = document;
  const documentary = documentaryOf(request);
  if (!documentary.ok) throw new Error("a stored document is one of the combinations that exist");
  const { vatNumber } = request.recipient ?? {};
  const identifier =
    vatNumber === undefined ? undefined : taxIdentifierFrom({ ...request.recipient, vatNumber });
  const content = registrationOf(
    {
      document,
      documentary: documentary.value,
      links: [],
      ...(identifier?.ok ? { identifier: identifier.value } : {}),
    },
    { fullNumber: NUMBER, issueDate: DAY },
    {
      reference: "is00000000000000000001-1",
      chain: { first: true },
      system: A_SYSTEM,
      generatedAt: `${DAY}T12:00:00+01:00`,
    },
  );
  return {
    invoiceId: "in00000000000000000007",
    origin: `direct:${request.externalId}`,
    externalId: request.externalId,
    series: "API-1-2026",
    number: 7,
    fullNumber: NUMBER,
    issueDate: DAY,
    requestId: "the-first-request",
    environment: "test",
    document,
    alta: { recordId: content.reference, record: seal(content, 1), state: "accepted", requestId: "r" },
    corrections: [],
    rectifiedBy: [],
  };
}
