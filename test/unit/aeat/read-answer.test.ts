import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAttempt } from "../../../src/aeat/read-answer.ts";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { aSandbox } from "../../support/authority/authority.ts";

const AEAT =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";
const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

function answered(body: string | Uint8Array, change: { status?: number; contentType?: string } = {}) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const http = { status: 200, contentType: "text/xml; charset=utf-8", ...change };
  return readAttempt({ outcome: "answered", bytes, ...http });
}

const LINE = `<r:RespuestaLinea><r:IDFactura><i:IDEmisorFactura>89890001K</i:IDEmisorFactura>
  <i:NumSerieFactura>A&amp;B-1</i:NumSerieFactura><i:FechaExpedicionFactura>27-11-2026</i:FechaExpedicionFactura>
  </r:IDFactura><r:Operacion><i:TipoOperacion>Anulacion</i:TipoOperacion><i:RechazoPrevio>S</i:RechazoPrevio>
  <i:SinRegistroPrevio>S</i:SinRegistroPrevio></r:Operacion><r:EstadoRegistro>Correcto</r:EstadoRegistro>
  </r:RespuestaLinea>`;

function answerXml(
  lines = LINE,
  rest = "<r:TiempoEsperaEnvio/><r:EstadoEnvio>Correcto</r:EstadoEnvio>",
): string {
  return `<x:Envelope xmlns:x="${SOAP}"><x:Body><r:RespuestaRegFactuSistemaFacturacion
    xmlns:r="${AEAT}RespuestaSuministro.xsd" xmlns:i="${AEAT}SuministroInformacion.xsd">${rest}${lines}
    </r:RespuestaRegFactuSistemaFacturacion></x:Body></x:Envelope>`;
}

function faultXml(side: string, text: string): string {
  return (
    `<e:Envelope xmlns:e="${SOAP}"><e:Body><e:Fault><faultcode>${side}</faultcode>` +
    `<faultstring>${text}</faultstring></e:Fault></e:Body></e:Envelope>`
  );
}

describe.skipIf(aeatFolder === undefined)("the AEAT folder's samples", () => {
  const sample = (name: string) => readFileSync(`${aeatFolder}/samples/${name}`);
  const names = aeatFolder === undefined ? [] : readdirSync(`${aeatFolder}/samples`);

  test("the answer, line by line", () => {
    const key = (number: string, date = "27-11-2026") => ({ issuerNif: "89890001K", number, date });
    const operation = { kind: "ALTA", amends: false, previousRejection: "N", withoutPreviousRecord: false };
    expect(answered(sample("response-parcial.soap.xml"))).toEqual({
      result: "answered",
      answer: {
        csv: "A-PRUEBA0000000000",
        presentedAt: "2026-11-27T10:29:02+01:00",
        waitSeconds: 60,
        state: "partly_accepted",
        lines: [
          { reference: "rec_0001", key: key("A-2026/0001"), operation, state: "accepted" },
          {
            ...{ reference: "rec_0004", key: key("A-2026/0002"), operation },
            ...{ state: "accepted_with_errors", code: 2004, text: "Texto de ejemplo" },
          },
          {
            ...{ reference: "rec_0005", key: key("A-2026/0003"), operation },
            ...{ state: "rejected", code: 3000, text: "Registro de facturación duplicado." },
            duplicate: { petition: "20261127000000000001", state: "accepted" },
          },
          {
            ...{ reference: "rec_0009", key: key("A-2026/0004", "26-11-2026"), state: "accepted" },
            operation: { ...operation, amends: true, previousRejection: "X" },
          },
        ],
      },
    });
  });

  test.each(names.filter((name) => !name.startsWith("response")))(
    "%s is a request, and no answer",
    (name) => {
      expect(answered(sample(name))).toEqual({ result: "no_answer", cause: "unexpected_xml", status: 200 });
    },
  );

  test.each(names.filter((name) => !name.startsWith("response")))(
    "the response for %s is read",
    async (name) => {
      const { body, status, contentType, isBroken } = await aSandbox().send(sample(name), {
        echoesBadValues: true,
      });
      expect(isBroken).toBe(false);
      const { result } = answered(body, { status, contentType });
      expect(result).toBe(status === 200 ? "answered" : "fault");
    },
  );

  test("every error of the AEAT's table, as the text of a fault", () => {
    const table = readFileSync(`${aeatFolder}/errores.properties`, "latin1");
    const errors = [...table.matchAll(/^(\d{4}) = (.*?)\r?$/gm)];
    expect(errors).toHaveLength(247);
    for (const [, code, text = ""] of errors) {
      const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
      const reading = answered(faultXml("env:Client", `Codigo[${code}].${escaped}`), { status: 500 });
      const fault = { side: "client", code: Number(code), text: text.trim() };
      expect(reading).toEqual({ result: "fault", fault });
    }
  });
});

describe("the answer", () => {
  test("prefixes are of no account, nor is what surrounds the values", () => {
    expect(answered(answerXml())).toEqual({
      result: "answered",
      answer: {
        state: "accepted",
        lines: [
          {
            key: { issuerNif: "89890001K", number: "A&B-1", date: "27-11-2026" },
            operation: {
              kind: "ANULACION",
              amends: false,
              previousRejection: "S",
              withoutPreviousRecord: true,
            },
            state: "accepted",
          },
        ],
      },
    });
    const others = answerXml().replaceAll("r:", "tikR:").replace("xmlns:r=", "xmlns:tikR=");
    expect(answered(others)).toEqual(answered(answerXml()));
    const unprefixed = answerXml().replaceAll("x:", "").replace("xmlns:x=", "xmlns=");
    expect(answered(unprefixed)).toEqual(answered(answerXml()));
  });

  test.each([
    ["an unknown state of the message", answerXml("", "<r:EstadoEnvio>Aceptado</r:EstadoEnvio>")],
    ["a state twice", answerXml("", "<r:EstadoEnvio>Correcto</r:EstadoEnvio>".repeat(2))],
    ["no state", answerXml("", "")],
    ["the state in another namespace", answerXml("", "<i:EstadoEnvio>Correcto</i:EstadoEnvio>")],
    ["elements where a text is due", answerXml("", "<r:EstadoEnvio><r:a/>Correcto</r:EstadoEnvio>")],
    ["an unknown state of a record", answerXml(LINE.replace(">Correcto<", ">Correcta<"))],
    ["a state that objects have", answerXml(LINE.replace(">Correcto<", ">constructor<"))],
    ["a line without number", answerXml(LINE.replace(/<i:NumSerieFactura>.*<\/i:NumSerieFactura>/, ""))],
    [
      "a code that is no number",
      answerXml(
        LINE.replace(
          "</r:RespuestaLinea>",
          "<r:CodigoErrorRegistro>x</r:CodigoErrorRegistro></r:RespuestaLinea>",
        ),
      ),
    ],
    [
      "a wait that is no number",
      answerXml("", "<r:TiempoEsperaEnvio>-1</r:TiempoEsperaEnvio><r:EstadoEnvio>Correcto</r:EstadoEnvio>"),
    ],
    ["more lines than a message has records", answerXml(LINE.repeat(1_001))],
    ["another envelope", answerXml().replaceAll(SOAP, "http://www.w3.org/2003/05/soap-envelope")],
    ["two bodies", answerXml().replace("<x:Body>", "<x:Body/><x:Body>")],
    ["nothing in the body", `<x:Envelope xmlns:x="${SOAP}"><x:Body/></x:Envelope>`],
  ])("%s is no answer", (_, xml) => {
    expect(answered(xml)).toEqual({ result: "no_answer", cause: "unexpected_xml", status: 200 });
  });

  test("lines with a status that is none of success are not believed", () => {
    expect(answered(answerXml(), { status: 500 })).toEqual({
      result: "no_answer",
      cause: "http_status",
      status: 500,
    });
  });
});

describe("faults", () => {
  test.each([
    [
      "of the client",
      "env:Client",
      "Codigo[4104].Error en la cabecera",
      { side: "client", code: 4104, text: "Error en la cabecera" },
    ],
    [
      "of the server",
      "env:Server",
      "Codigo[3501].Error técnico",
      { side: "server", code: 3501, text: "Error técnico" },
    ],
    ["more exactly of the client", "s:Client.Authentication", "x", { side: "client", text: "x" }],
    ["without code", "soapenv:Server", "Internal error", { side: "server", text: "Internal error" }],
    ["an unknown fault code is the server's", "", "", { side: "server", text: "" }],
    [
      "with a text that is very long",
      "Client",
      `Codigo[102].${"a".repeat(9_000)}`,
      { side: "client", code: 102, text: "a".repeat(1_500) },
    ],
  ])("%s", (_, side, text, expected) => {
    for (const status of [200, 400, 500]) {
      expect(answered(faultXml(side, text), { status })).toEqual({ result: "fault", fault: expected });
    }
  });
});

describe("what says nothing about any record", () => {
  const html = { contentType: "text/html; charset=utf-8" };
  test.each([
    ["a page", "<!DOCTYPE html><html><body>Servicio</body></html>", html, "not_xml"],
    ["a page that says it were XML", "<html><body/></html>", {}, "unexpected_xml"],
    ["an answer that says it were a page", answerXml(), html, "not_xml"],
    ["no type", answerXml(), { contentType: "" }, "not_xml"],
    ["nothing", "", {}, "malformed"],
    ["half of it", answerXml().slice(0, 600), {}, "malformed"],
    ["something after it", `${answerXml()}<a/>`, {}, "malformed"],
    ["another encoding", new Uint8Array([0x3c, 0x61, 0x3e, 0xe9, 0x3c, 0x2f, 0x61, 0x3e]), {}, "malformed"],
    [
      "another encoding by its own word",
      `<?xml version="1.0" encoding="ISO-8859-1"?>${answerXml()}`,
      {},
      "malformed",
    ],
    ["an unbound prefix", "<a:b/>", {}, "malformed"],
    ["a redirect", "", { status: 302, ...html }, "certificate_refused"],
    ["a page that forbids", "<html/>", { status: 403, ...html }, "certificate_refused"],
    ["an error page", "<html/>", { status: 500, ...html }, "http_status"],
    ["no such service", "", { status: 404 }, "http_status"],
  ])("%s", (_, body, change, cause) => {
    expect(answered(body, change)).toMatchObject({ result: "no_answer", cause });
  });

  test("429 is the only answer that means not delivered", () => {
    const throttled = {
      outcome: "answered",
      status: 429,
      contentType: "text/html",
      bytes: new Uint8Array(),
    } as const;
    expect(readAttempt(throttled)).toEqual({ result: "not_delivered" });
    expect(readAttempt({ ...throttled, retryAfterSeconds: 90 })).toEqual({
      result: "not_delivered",
      retryAfterSeconds: 90,
    });
  });

  test.each(["no_connection", "timeout"] as const)("%s", (outcome) => {
    expect(readAttempt({ outcome })).toEqual({ result: "no_answer", cause: outcome });
  });

  test.each(["too_large", "interrupted"] as const)("%s", (outcome) => {
    expect(readAttempt({ outcome, status: 200 })).toEqual({
      result: "no_answer",
      cause: outcome,
      status: 200,
    });
  });
});
