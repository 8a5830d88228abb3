/** ConsultaFactuSistemaFacturacion: one snapshot an invoice. */
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import { aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import * as make from "../../support/authority/messages.ts";

const { alta, anulacion, chained, CUSTOMER, element, envelope, invoiceKey, ISSUER, SYSTEM } = make;
const PERIOD = { "q:PeriodoImputacion": { Ejercicio: "2026", Periodo: "11" } };
const OF_SYSTEM = { NombreRazon: "P", NIF: "B12345674", IdSistemaInformatico: "01" };

const RECORDS = chained(
  alta({ IDFactura: invoiceKey("A-1"), RefExterna: "r1" }),
  alta({ IDFactura: invoiceKey("A-2", "20-11-2026"), RefExterna: "r2" }),
  alta({ IDFactura: invoiceKey("A-3"), RefExterna: "r3", FechaOperacion: "31-10-2026" }),
  alta({
    IDFactura: invoiceKey("A-4"),
    RefExterna: "r4",
    Destinatarios: { IDDestinatario: { NombreRazon: "ACME", IDOtro: { IDType: "02", ID: "DE123456789" } } },
  }),
  alta({ IDFactura: invoiceKey("A-5"), RefExterna: "r5", ImporteTotal: "500.50" }),
  anulacion({ IDFactura: make.annulledKey("A-2", "20-11-2026"), RefExterna: "r6" }),
);

describe("a query finds", () => {
  test.each<[string, make.Change, make.Change, readonly string[]]>([
    ["all of a month, by operation else by issue", {}, {}, ["A-1", "A-4", "A-5", "A-2"]],
    ["those of another month", { "q:PeriodoImputacion": { Ejercicio: "2026", Periodo: "10" } }, {}, ["A-3"]],
    ["one by its number", { "q:NumSerieFactura": "A-4" }, {}, ["A-4"]],
    ["one by our reference", { "q:RefExterna": "r5" }, {}, ["A-5"]],
    ["those of a recipient", { "q:Contraparte": CUSTOMER }, {}, ["A-1", "A-5"]],
    ["those of a day", { "q:FechaExpedicionFactura": { FechaExpedicionFactura: "20-11-2026" } }, {}, ["A-2"]],
    [
      "those of some days",
      { "q:FechaExpedicionFactura": { RangoFechaExpedicion: { Desde: "21-11-2026", Hasta: "30-11-2026" } } },
      {},
      ["A-1", "A-4", "A-5"],
    ],
    ["those of an installation", ofInstallation("instalacion-1"), {}, ["A-1", "A-4", "A-5", "A-2"]],
    ["none of another", ofInstallation("instalacion-2"), {}, []],
    [
      "those of who asks as a recipient",
      {},
      { ObligadoEmision: undefined, Destinatario: CUSTOMER },
      ["A-1", "A-5"],
    ],
    ["none of another issuer", {}, { ObligadoEmision: CUSTOMER }, []],
  ])("%s", async (_, filter, header, numbers) => {
    const sandbox = await filled();
    const body = await ask(sandbox, filter, header);
    expect(texts(body, "IDFactura/*[local-name()='NumSerieFactura']").sort()).toEqual([...numbers].sort());
    expect(texts(body, "ResultadoConsulta")).toEqual([numbers.length > 0 ? "ConDatos" : "SinDatos"]);
  });
});

test("it reports the state of each, and the number of further ones", async () => {
  const body = await ask(await filled(), {});
  expect(texts(body, "EstadoRegistro/*[local-name()='EstadoRegistro']")).toEqual([
    ...["Correcto", "Correcto", "AceptadoConErrores", "Anulado"],
  ]);
  expect(texts(body, "CodigoErrorRegistro")).toEqual(["2005"]);
  expect(texts(body, "IndicadorPaginacion")).toEqual(["N"]);
});

test("amounts come back without zeros, hashes as they were", async () => {
  const body = await ask(await filled(), { "q:NumSerieFactura": "A-5" });
  expect(texts(body, "ImporteTotal")).toEqual(["500.5"]);
  expect(texts(body, "CuotaTotal")).toEqual(["21"]);
  expect(texts(body, "TipoImpositivo")).toEqual(["21"]);
  expect(texts(body, "Huella").at(-1)).toBe(RECORDS[4]?.fields.Huella);
  expect(texts(body, "NombreSistemaInformatico")).toEqual([]);
  expect(texts(body, "NombreRazonEmisor")).toEqual([]);
});

test("the system and the name of the issuer only where they are asked for", async () => {
  const shown = { "q:MostrarNombreRazonEmisor": "S", "q:MostrarSistemaInformatico": "S" };
  const body = await ask(await filled(), { "q:NumSerieFactura": "A-1" }, {}, shown);
  expect(texts(body, "NombreSistemaInformatico")).toEqual([SYSTEM.NombreSistemaInformatico]);
  expect(texts(body, "NombreRazonEmisor")).toEqual([ISSUER.NombreRazon]);
});

test("a replaced record is gone", async () => {
  const sandbox = await filled();
  await sandbox.submit(alta({ Subsanacion: "S", DescripcionOperacion: "Corregida" }));
  const body = await ask(sandbox, { "q:NumSerieFactura": "A-1" });
  expect(texts(body, "DescripcionOperacion")).toEqual(["Corregida"]);
});

test("pages follow each other by the last key", async () => {
  const sandbox = await filled({ query_page_size: 3 });
  const first = await ask(sandbox, {});
  expect(texts(first, "IndicadorPaginacion")).toEqual(["S"]);
  const key = texts(first, "ClavePaginacion/*");
  const [nif = "", number = "", date = ""] = key;
  const second = await ask(sandbox, { "q:ClavePaginacion": invoiceKey(number, date, nif) });
  expect(texts(second, "IndicadorPaginacion")).toEqual(["N"]);
  const numbers = [first, second].flatMap((body) =>
    texts(body, "IDFactura/*[local-name()='NumSerieFactura']"),
  );
  expect(numbers.sort()).toEqual(["A-1", "A-2", "A-4", "A-5"]);
});

async function filled(control: object = {}): Promise<Sandbox> {
  const sandbox = aSandbox(control);
  await sandbox.submit(...RECORDS);
  return sandbox;
}

function ofInstallation(NumeroInstalacion: string): make.Change {
  return { "q:SistemaInformatico": { ...OF_SYSTEM, NumeroInstalacion } };
}

/** The answer, which the support has checked against its schema. Filters are in the order of the schema. */
async function ask(
  sandbox: Sandbox,
  filter: make.Change,
  header: make.Change = {},
  shown?: make.Change,
): Promise<string> {
  const query = element("q:ConsultaFactuSistemaFacturacion", {
    "q:Cabecera": { IDVersion: "1.0", ObligadoEmision: ISSUER, ...header },
    "q:FiltroConsulta": { ...PERIOD, ...filter },
    "q:DatosAdicionalesRespuesta": shown,
  });
  const { body, fault } = await sandbox.send(envelope(query));
  expect(fault).toBeUndefined();
  return body;
}

function texts(xml: string, path: string): string[] {
  const [first = "", ...rest] = path.split("/");
  const document = XmlDocument.fromString(xml);
  try {
    const steps = [`//*[local-name()='${first}']`, ...rest].join("/");
    return document.find(steps).map((node) => node.content);
  } finally {
    document.dispose();
  }
}
