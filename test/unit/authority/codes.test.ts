/** Every code of the sandbox, with what earns it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "../../../src/sandbox/soap/error-texts.ts";
import texts from "../../../src/sandbox/soap/errors.json" with { type: "json" };
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import * as make from "../../support/authority/messages.ts";
import { MESSAGES } from "./rows/messages.ts";
import { PARTIES } from "./rows/parties.ts";
import { GOOD, TAXES } from "./rows/taxes.ts";
import { TYPES } from "./rows/types.ts";
import { DATES, VALUES } from "./rows/values.ts";

const { alta, breakdown, invoiceKey, message } = make;
const RECORDS = [...VALUES, ...DATES, ...PARTIES, ...TYPES, ...TAXES].map(
  ([code, why, record, control = {}]) => [code, why, record, control] as const,
);
const WHOLE = MESSAGES.map(([code, why, xml, options = {}]) => [code, why, xml, options] as const);

/** Accepted all the same, in the order of the report. */
const ADMISSIBLE = [
  [2001, "a recipient who is not in the census", alta(toUncensused())],
  [2008, "a hash before that is its own", itsOwnPrevious()],
  [2000, "a hash of something else", alta({ Huella: "A".repeat(64) })],
  [2005, "a total that is EUR 10.01 off", alta({ ImporteTotal: "131.01" })],
  [2006, "a tax total that is EUR 10.01 off", alta({ CuotaTotal: "31.01" })],
  [2002, "a hash before that is too short", behind("A".repeat(63))],
  [2003, "a hash before in lower case", behind("a".repeat(64))],
  [2009, "IPSI without regime", alta(breakdown({ Impuesto: "02", ClaveRegimen: undefined }))],
  [2004, "241 seconds late", alta({ FechaHoraHusoGenRegistro: "2026-11-27T11:55:59+01:00" })],
  [2004, "241 seconds early", alta({ FechaHoraHusoGenRegistro: "2026-11-27T12:04:01+01:00" })],
] as const;

/** Codes that only the service could know, or that only its own faults cause: reported on request. */
const ON_REQUEST = [
  ...[1129, 1241, 1242, 1243, 1256, 1288, 3001, 3003, 3004],
  ...[3500, 3501, 4108, 4110, 4111, 4112, 4128, 4134, 4139, 4141],
];

describe("a record is refused", () => {
  test.each(RECORDS)("with %i for %s", async (code, _, record, control) => {
    const sandbox = aSandbox(control);
    const [line] = (await sandbox.send(message([record]), { echoesBadValues: true })).lines;
    expect(line).toMatchObject({ state: "Incorrecto", code });
    expect(line?.description).not.toBe("");
  });
});

describe("a record is accepted with errors", () => {
  test.each(ADMISSIBLE)("with %i for %s", async (code, _, record) => {
    const [line] = (await aSandbox().submit(record)).lines;
    expect(line).toMatchObject({ state: "AceptadoConErrores", code });
  });

  test("with 2007 where its chain has another first", async () => {
    const sandbox = aSandbox();
    const second = alta({ IDFactura: invoiceKey("A-2") });
    expect(await sandbox.judge(alta(), second)).toEqual(["Correcto", 2007]);
    const elsewhere = alta({
      IDFactura: invoiceKey("A-3"),
      SistemaInformatico: { ...make.SYSTEM, NumeroInstalacion: "instalacion-2" },
    });
    expect(await sandbox.judge(elsewhere)).toEqual(["Correcto"]);
  });

  test("with the first of several errors only", async () => {
    const all = [
      { ...toUncensused(), Huella: "A".repeat(64), ImporteTotal: "500.00", CuotaTotal: "400.00" },
      { Huella: "A".repeat(64), ImporteTotal: "500.00", CuotaTotal: "400.00" },
      { ImporteTotal: "500.00", CuotaTotal: "400.00" },
      { CuotaTotal: "400.00", FechaHoraHusoGenRegistro: "2026-11-27T10:00:00+01:00" },
    ];
    const records = all.map((change, index) => alta({ ...change, IDFactura: invoiceKey(`A-${index}`) }));
    expect(await aSandbox().judge(...records)).toEqual([2001, 2000, 2005, 2006]);
  });

  test("but not for its time in an incident", async () => {
    const late = alta({ FechaHoraHusoGenRegistro: "2026-11-27T09:00:00+01:00" });
    const answer = await aSandbox().send(message([late], make.INCIDENT));
    expect(answer.state).toBe("Correcto");
  });

  test("until IPSI needs its regime", async () => {
    const sandbox = aSandbox();
    sandbox.setTime(Date.parse("2027-01-01T00:00:30+01:00"));
    const record = alta({
      ...breakdown({ Impuesto: "02", ClaveRegimen: undefined }),
      FechaHoraHusoGenRegistro: "2027-01-01T00:00:10+01:00",
    });
    expect(await sandbox.judge(record)).toEqual([1245]);
  });
});

describe("a record is good", () => {
  test.each(GOOD)("%s", async (_, record) => {
    expect(await aSandbox().judge(record)).toEqual(["Correcto"]);
  });
});

describe("a whole message is refused", () => {
  test.each(WHOLE)("with %i for %s", async (code, _, xml, { control = {}, ...options }) => {
    const sandbox = aSandbox(control);
    const { fault, status } = await sandbox.send(xml, options);
    expect(fault?.code).toBe(code);
    expect(status).toBe(500);
    expect(await sandbox.chains()).toEqual([]);
  });

  test("also in a year that need not end VERI*FACTU with it", async () => {
    const leaving = (day: string) => message([alta()], { RemisionVoluntaria: { FechaFinVeriFactu: day } });
    const sandbox = aSandbox();
    expect((await sandbox.send(leaving("30-06-2026"))).state).toBe("Correcto");
    sandbox.setTime(Date.parse("2027-01-02T12:00:00+01:00"));
    expect((await sandbox.send(leaving("30-06-2026"))).fault?.code).toBe(4120);
    expect((await sandbox.send(leaving("31-12-2026"))).fault).toBeUndefined();
  });
});

test("every code has a row", () => {
  const shown = [...RECORDS, ...ADMISSIBLE, ...WHOLE].map(([code]) => code);
  const inText = [1109, 1123];
  const elsewhere = [2007, 3000, 3002];
  expect(
    ERROR_CODES.filter((code) => ![...shown, ...inText, ...elsewhere, ...ON_REQUEST].includes(code)),
  ).toEqual([]);
  expect(shown.filter((code) => !ERROR_CODES.includes(code))).toEqual([]);
});

test.skipIf(aeatFolder === undefined)("every text is the one of the AEAT's table", () => {
  const table = readFileSync(`${aeatFolder}/errores.properties`, "latin1");
  const real = new Map(
    [...table.matchAll(/^(\d{4})\s*=\s*(.*)$/gm)].map(([, code = "", text = ""]) => [code, plain(text)]),
  );
  expect(Object.entries(texts).filter(([code, text]) => real.get(code) !== text)).toEqual([]);
});

test("an unknown person is named after the text", async () => {
  const wrong = alta({ Destinatarios: { IDDestinatario: { NombreRazon: "Cliente", NIF: "00000000T" } } });
  const [line] = (await aSandbox().submit(wrong)).lines;
  expect(line?.description).toBe(
    "Error en el bloque Destinatario.. El formato del NIF es incorrecto.. " +
      "NIF:00000000T. NOMBRE_RAZON:Cliente.",
  );
  const { fault } = await aSandbox({ not_in_census: [make.ISSUER.NIF] }).submit(alta());
  expect(fault?.text).toBe(
    "Error en la cabecera: el valor del campo NIF del bloque ObligadoEmision no está identificado.. " +
      "NIF:89890001K. NOMBRE_RAZON:EMPRESA DE PRUEBA SL.",
  );
});

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function toUncensused(): make.Change {
  const other = { CodigoPais: "ES", IDType: "07", ID: "X1234567L" };
  return { Destinatarios: { IDDestinatario: { NombreRazon: "ANA", IDOtro: other } } };
}

function behind(hash: string): make.TestRecord {
  return alta({ Encadenamiento: { RegistroAnterior: { ...invoiceKey("A-0"), Huella: hash } } });
}

function itsOwnPrevious(): make.TestRecord {
  return alta({
    Encadenamiento: { RegistroAnterior: { ...invoiceKey("A-0"), Huella: "A".repeat(64) } },
    Huella: "A".repeat(64),
  });
}
