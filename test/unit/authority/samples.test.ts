/** The AEAT folder's samples, as the sandbox answers them. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { type Answered, aSandbox, type Sandbox } from "../../support/authority/authority.ts";

const MINUTES = 60_000;

describe.skipIf(aeatFolder === undefined)("the samples", () => {
  test("are one chain, accepted in order", async () => {
    const sandbox = aSandbox();
    sandbox.setTime(Date.parse("2026-11-27T10:16:00+01:00"));
    const first = await send(sandbox, "valid-alta-f1");
    sandbox.setTime(Date.parse("2026-11-27T10:21:00+01:00"));
    const second = await send(sandbox, "valid-anulacion");
    sandbox.setTime(Date.parse("2026-11-27T10:29:02+01:00"));
    const third = await send(sandbox, "valid-batch-mixed");
    expect([first, second, third].map(({ state }) => state)).toEqual(["Correcto", "Correcto", "Correcto"]);
    expect(third.lines).toHaveLength(8);
    const [chain] = await sandbox.chains();
    expect(chain?.records.map(({ reference }) => reference)).toEqual(
      Array.from({ length: 10 }, (_, index) => `rec_${String(index + 1).padStart(4, "0")}`),
    );
    expect(chain?.broken_links).toBe(0);
  });

  test("the answer has the parts of the sample answer, in its order", async () => {
    const sandbox = aSandbox();
    sandbox.setTime(Date.parse("2026-11-27T10:29:02+01:00"));
    const { body } = await send(sandbox, "valid-batch-mixed");
    const namesOf = (xml: string) => [...new Set([...xml.matchAll(/<\w+:(\w+)/g)].map(([, name]) => name))];
    const ofErrors = ["CodigoErrorRegistro", "DescripcionErrorRegistro", "RegistroDuplicado"];
    const ofDuplicates = ["IdPeticionRegistroDuplicado", "EstadoRegistroDuplicado"];
    const notHere = [...ofErrors, ...ofDuplicates];
    const ofTheRequest = ["RemisionVoluntaria", "Incidencia", "SinRegistroPrevio"];
    expect(namesOf(body).filter((name) => !ofTheRequest.includes(name ?? ""))).toEqual(
      namesOf(readSample("response-parcial")).filter((name) => !notHere.includes(name ?? "")),
    );
  });

  test.each([
    [
      "invalid-xsd-order",
      4102,
      "El XML no cumple el esquema. Falta informar campo obligatorio.: NombreRazonEmisor",
    ],
    [
      "invalid-xsd-namespace",
      4102,
      "El XML no cumple el esquema. Falta informar campo obligatorio.: Cabecera",
    ],
  ])("%s refuses the whole message", async (file, code, text) => {
    const answer = await send(aSandbox(), file);
    expect(answer.fault).toEqual({ side: "env:Client", code, text });
    expect(answer.status).toBe(500);
    expect(answer.contentType).toBe("text/xml; charset=utf-8");
  });

  test.each([
    ["invalid-xsd-decimals", "Incorrecto", 1100, "Valor o tipo incorrecto del campo.: ImporteTotal"],
    ["invalid-xsd-anulacion-rechazoprevio-x", "Incorrecto", 1275, "Valor incorrecto campo RechazoPrevio"],
    [
      "xsdok-business-1189-f1-sin-destinatario",
      "Incorrecto",
      1189,
      "Si TipoFactura es F1 o F3 o R1 o R2 o R3 o R4 el bloque Destinatarios tiene que estar cumplimentado.",
    ],
    [
      "xsdok-business-2000-huella-erronea",
      "AceptadoConErrores",
      2000,
      "El cálculo de la huella suministrada es incorrecta.",
    ],
  ])("%s lists its record", async (file, state, code, description) => {
    const sandbox = aSandbox();
    sandbox.setTime(Date.parse("2026-11-27T10:15:30+01:00") + 2 * MINUTES);
    const [line] = (await send(sandbox, file)).lines;
    expect(line).toMatchObject({ state, code, description });
  });
});

function send(sandbox: Sandbox, file: string): Promise<Answered> {
  return sandbox.send(readSample(file));
}

function readSample(file: string): string {
  return readFileSync(`${aeatFolder}/samples/${file}.soap.xml`, "utf8");
}
