/** The table of admissible operations, and the report about a duplicate. */
import { describe, expect, test } from "vitest";
import { aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import {
  alta,
  anulacion,
  type Change,
  CUSTOMER,
  chained,
  series,
  type TestRecord,
} from "../../support/authority/messages.ts";

const OK = "Correcto";
const AMENDED = { Subsanacion: "S" };

/** The operation, and the answer when the service has nothing, a registration, an annulment. */
type Verdict = string | number;
const TABLE: readonly (readonly [string, TestRecord, Verdict, Verdict, Verdict])[] = [
  ["a registration", alta(), OK, 3000, 3000],
  ["the same with N twice", alta({ Subsanacion: "N", RechazoPrevio: "N" }), OK, 3000, 3000],
  ["an amendment", alta(AMENDED), 3002, OK, OK],
  ["the same with N", alta({ ...AMENDED, RechazoPrevio: "N" }), 3002, OK, OK],
  ["an amendment after a rejected registration", alta({ ...AMENDED, RechazoPrevio: "X" }), OK, 3000, 3000],
  ["an amendment after a rejected amendment", alta({ ...AMENDED, RechazoPrevio: "S" }), 3002, OK, OK],
  ["an annulment", anulacion(), 3002, OK, OK],
  ["the same with N twice", anulacion({ SinRegistroPrevio: "N", RechazoPrevio: "N" }), 3002, OK, OK],
  ["an annulment after a rejected one", anulacion({ RechazoPrevio: "S" }), 3002, OK, OK],
  ["an annulment without previous record", anulacion({ SinRegistroPrevio: "S" }), OK, 3000, 3000],
  ["the same after a rejection", anulacion({ SinRegistroPrevio: "S", RechazoPrevio: "S" }), OK, 3000, 3000],
];

describe.each(TABLE)("%s", (_, record, onNothing, onRegistration, onAnnulment) => {
  test.each([
    ["nothing", [], onNothing],
    ["a registration", [alta()], onRegistration],
    ["an annulment", chained(alta(), anulacion()), onAnnulment],
  ])("where there is %s", async (_, before, expected) => {
    const sandbox = aSandbox();
    if (before.length > 0) await sandbox.submit(...before);
    expect(await sandbox.judge(asNext(record, before))).toEqual([expected]);
  });
});

describe("a duplicate", () => {
  test("gets the stored record's state and its petition", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(alta());
    const [line] = (await sandbox.submit(alta())).lines;
    expect(line?.description).toBe("Registro de facturación duplicado.");
    expect(line?.duplicate).toEqual({
      IdPeticionRegistroDuplicado: "20261127120000000001",
      EstadoRegistroDuplicado: "Correcta",
    });
  });

  test("of a record accepted with errors gets its code", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(alta({ ImporteTotal: "500.00" }));
    const [line] = (await sandbox.submit(alta({ ImporteTotal: "500.00" }))).lines;
    expect(line?.duplicate).toMatchObject({
      EstadoRegistroDuplicado: "AceptadaConErrores",
      CodigoErrorRegistro: "2005",
    });
  });

  test("of an annulled record", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(...chained(alta(), anulacion()));
    const [line] = (await sandbox.submit(alta({ RefExterna: "again" }))).lines;
    expect(line?.duplicate).toMatchObject({ EstadoRegistroDuplicado: "Anulada" });
  });

  test("is not one when only the number is the same, nor under another writing", async () => {
    const sandbox = aSandbox();
    const numbered = (number: string, date = "27-11-2026") =>
      alta({
        IDFactura: { IDEmisorFactura: "89890001K", NumSerieFactura: number, FechaExpedicionFactura: date },
      });
    const again = [numbered("A-1"), numbered("A-1", "26-11-2026"), numbered("a-1"), numbered(" A-1 ")];
    const [first = alta(), ...others] = again;
    expect(await sandbox.judge(...chained(first, ...others))).toEqual([OK, OK, OK, 3000]);
  });
});

describe("the courses of the correction table", () => {
  test("a recipient who is not in the census, and the amendment that names her so", async () => {
    const sandbox = aSandbox({ not_in_census: ["12345678Z"] });
    const rejected = alta(to({ NIF: "12345678Z" }));
    const amended = alta({
      ...AMENDED,
      RechazoPrevio: "X",
      ...to({ IDOtro: { CodigoPais: "ES", IDType: "07", ID: "12345678Z" } }),
    });
    expect(await sandbox.judge(...chained(rejected, amended))).toEqual([1239, 2001]);
    const known = alta({ ...AMENDED, ...to({ NIF: CUSTOMER.NIF }) });
    expect(await sandbox.judge(asNext(known, chained(rejected, amended)))).toEqual([OK]);
  });

  test("an amendment that is rejected, and the one after it", async () => {
    const sandbox = aSandbox();
    const wrong = alta({ ...AMENDED, Destinatarios: undefined });
    const right = alta({ ...AMENDED, RechazoPrevio: "S" });
    expect(await sandbox.judge(...chained(alta(), wrong, right))).toEqual([OK, 1189, OK]);
  });

  test("a registration that is rejected and its annulment in one message", async () => {
    const sandbox = aSandbox();
    const wrong = alta({ Destinatarios: undefined });
    const annulled = anulacion({ SinRegistroPrevio: "S", RechazoPrevio: "S" });
    expect(await sandbox.judge(...chained(wrong, anulacion(), annulled))).toEqual([1189, 3002, OK]);
  });

  test("an annulled invoice comes back by an amendment", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(...chained(alta(), anulacion(), alta(AMENDED)));
    expect(await stateOf(sandbox)).toEqual({ Correcta: 1 });
  });
});

test("one message is judged in order, each record seeing those before it", async () => {
  const sandbox = aSandbox();
  const records = chained(alta(), alta({ RefExterna: "again" }), anulacion(), alta(AMENDED));
  expect(await sandbox.judge(...records)).toEqual([OK, 3000, OK, OK]);
});

test.each([
  ["Correcto", series(2)],
  ["ParcialmenteCorrecto", series(2, (index) => (index === 1 ? { Destinatarios: undefined } : {}))],
  ["ParcialmenteCorrecto", [alta({ ImporteTotal: "500.00" })]],
  ["Incorrecto", series(2, () => ({ Destinatarios: undefined }))],
])("the whole is %s", async (state, records) => {
  const answer = await aSandbox().submit(...records);
  expect(answer.state).toBe(state);
  expect(answer.csv === undefined).toBe(state === "Incorrecto");
  expect(answer.body.includes("TimestampPresentacion")).toBe(state !== "Incorrecto");
  expect(answer.wait).toBe("60");
});

test("a thousand records are a message", async () => {
  const answer = await aSandbox().submit(...series(1000));
  expect(answer.state).toBe("Correcto");
  expect(answer.lines).toHaveLength(1000);
});

/** After the earlier records, so that only the operation counts. */
function asNext(record: TestRecord, before: readonly TestRecord[]): TestRecord {
  const last = before.at(-1);
  return last === undefined ? record : (chained(last, record)[1] ?? record);
}

function to(party: Change): Change {
  return { Destinatarios: { IDDestinatario: { NombreRazon: "ANA", ...party } } };
}

async function stateOf(sandbox: Sandbox): Promise<unknown> {
  const summary: unknown = await (await sandbox.get("/summary")).json();
  return typeof summary === "object" && summary !== null && "invoices" in summary
    ? summary.invoices
    : undefined;
}
