/** The results of a query, or that the response is no answer to one. */
import { describe, expect, test } from "vitest";
import { readFound } from "../../../src/aeat/read-answer.ts";
import { queryXml } from "../../../src/domain/verifactu/xml/message-xml.ts";
import { aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import { alta, annulledKey, anulacion, chained, invoiceKey } from "../../support/authority/messages.ts";

const AEAT =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";
const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
const ISSUER = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };
const HASH = "AB".repeat(32);

const RECORD = `<c:RegistroRespuestaConsultaFactuSistemaFacturacion><c:IDFactura>
  <i:IDEmisorFactura>89890001K</i:IDEmisorFactura><i:NumSerieFactura>A&amp;B-1</i:NumSerieFactura>
  <i:FechaExpedicionFactura>27-11-2026</i:FechaExpedicionFactura></c:IDFactura><c:DatosRegistroFacturacion>
  <c:Huella>${HASH}</c:Huella></c:DatosRegistroFacturacion><c:EstadoRegistro>
  <c:EstadoRegistro>Anulado</c:EstadoRegistro></c:EstadoRegistro>
  </c:RegistroRespuestaConsultaFactuSistemaFacturacion>`;
const WITH_DATA = "<c:ResultadoConsulta>ConDatos</c:ResultadoConsulta>";

function answerXml(content = WITH_DATA + RECORD): string {
  return `<x:Envelope xmlns:x="${SOAP}"><x:Body><c:RespuestaConsultaFactuSistemaFacturacion
    xmlns:c="${AEAT}RespuestaConsultaLR.xsd" xmlns:i="${AEAT}SuministroInformacion.xsd">${content}
    </c:RespuestaConsultaFactuSistemaFacturacion></x:Body></x:Envelope>`;
}

function read(body: string, change: { status?: number; contentType?: string } = {}) {
  const http = { status: 200, contentType: "text/xml; charset=utf-8", ...change };
  return readFound({ outcome: "answered", bytes: new TextEncoder().encode(body), ...http });
}

describe("the sandbox answers", () => {
  const ask = async (sandbox: Sandbox, number: string, month = "11", date = "27-11-2026") => {
    const key = { issuerNif: ISSUER.issuerNif, number, date };
    const { body, fault } = await sandbox.send(queryXml({ ...ISSUER, key, period: { year: "2026", month } }));
    expect(fault).toBeUndefined();
    return read(body);
  };

  test("with hash and state, or with nothing", async () => {
    const sandbox = aSandbox();
    const records = chained(
      alta({ IDFactura: invoiceKey("A&B-1") }),
      alta({ IDFactura: invoiceKey("A-2"), ImporteTotal: "500.50" }),
      alta({ IDFactura: invoiceKey("A-3"), FechaOperacion: "31-10-2026" }),
      anulacion({ IDFactura: annulledKey("A&B-1") }),
    );
    await sandbox.submit(...records);
    const found = (number: string, index: number, state: string) => [
      {
        key: { issuerNif: ISSUER.issuerNif, number, date: "27-11-2026" },
        ...{ hash: records[index]?.fields.Huella, state },
      },
    ];
    expect(await ask(sandbox, "A&B-1")).toEqual(found("A&B-1", 3, "annulled"));
    expect(await ask(sandbox, "A-2")).toEqual(found("A-2", 1, "accepted_with_errors"));
    expect(await ask(sandbox, "A-3")).toEqual([]);
    expect(await ask(sandbox, "A-3", "10")).toEqual(found("A-3", 2, "accepted"));
    expect(await ask(sandbox, "A-2", "11", "26-11-2026")).toEqual([]);
    expect(await ask(sandbox, "A-9")).toEqual([]);
  });

  test("another issuer's name is not known: its fault is no answer", async () => {
    const sandbox = aSandbox({ not_in_census: [ISSUER.issuerNif] });
    const key = { issuerNif: ISSUER.issuerNif, number: "A-1", date: "27-11-2026" };
    const { body } = await sandbox.send(queryXml({ ...ISSUER, key, period: { year: "2026", month: "11" } }));
    expect(body).toContain("Codigo[4104]");
    expect(read(body)).toBeUndefined();
  });
});

test("additions are passed over, a missing hash is missing", () => {
  const added = "<c:Nuevo><c:EstadoRegistro>Otro</c:EstadoRegistro></c:Nuevo>";
  expect(read(answerXml(`${added}${WITH_DATA}${RECORD}`))).toEqual([
    {
      key: { issuerNif: "89890001K", number: "A&B-1", date: "27-11-2026" },
      ...{ hash: HASH, state: "annulled" },
    },
  ]);
  const [record] = read(answerXml(WITH_DATA + RECORD.replace(/<c:Huella>.*<\/c:Huella>/, ""))) ?? [];
  expect(record).not.toHaveProperty("hash");
});

test.each([
  ["data that are not there", WITH_DATA],
  ["no data that are there", WITH_DATA.replace("ConDatos", "SinDatos") + RECORD],
  ["neither word", WITH_DATA.replace("ConDatos", "Quizas") + RECORD],
  ["no word", RECORD],
  ["two words", WITH_DATA + WITH_DATA + RECORD],
  ["an unknown state", WITH_DATA + RECORD.replace("Anulado", "Anulada")],
  ["a record without its key", WITH_DATA + RECORD.replace(/IDFactura>/g, "Otro>")],
  ["two hashes", WITH_DATA + RECORD.replace(/(<c:Huella>.*<\/c:Huella>)/, "$1$1")],
  ["a hash with elements inside", WITH_DATA + RECORD.replace(HASH, "<c:b/>")],
  ["another namespace", WITH_DATA.replaceAll("c:", "i:") + RECORD],
  ["a document type", `<!DOCTYPE a>${WITH_DATA}`],
])("%s: no answer", (_, content) => {
  expect(read(answerXml(content))).toBeUndefined();
});

test.each([
  ["a page", () => read("<html/>", { contentType: "text/html" })],
  ["XML that is no envelope", () => read(RECORD)],
  ["an answer to a submission", () => read(answerXml().replaceAll("RespuestaConsultaF", "RespuestaRegF"))],
  ["half of it", () => read(answerXml().slice(0, 600))],
  ["an entity from outside", () => read(`<!DOCTYPE a [<!ENTITY e SYSTEM "file:///x">]>${answerXml()}`)],
  ["an answer with status 500", () => read(answerXml(), { status: 500 })],
  ["an answer after a redirect", () => read(answerXml(), { status: 302 })],
  ["no time", () => readFound({ outcome: "timeout" })],
  ["no line", () => readFound({ outcome: "no_connection" })],
  ["a line that broke", () => readFound({ outcome: "interrupted", status: 200 })],
])("%s is no answer", (_, outcome) => {
  expect(outcome()).toBeUndefined();
});
