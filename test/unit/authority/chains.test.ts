/** The sandbox's notes about chains, which the real service does not check. */
import { describe, expect, test } from "vitest";
import { aSandbox, readJson } from "../../support/authority/authority.ts";
import {
  alta,
  anulacion,
  behind,
  invoiceKey,
  message,
  SYSTEM,
  series,
  type TestRecord,
} from "../../support/authority/messages.ts";

const [ONE, TWO, THREE, FOUR] = series(4) as [TestRecord, TestRecord, TestRecord, TestRecord];

describe("a record is", () => {
  test.each<[string, readonly TestRecord[], readonly string[]]>([
    ["linked", [ONE, TWO, THREE], ["first", "linked", "linked"]],
    ["a fork, after an older one", [ONE, TWO, behind(ONE, THREE)], ["first", "linked", "fork"]],
    ["after a record that never arrived", [ONE, THREE], ["first", "unknown_previous"]],
    ["first again", [ONE, alta({ IDFactura: invoiceKey("B-1") })], ["first", "second_first"]],
    ["known, when it comes again", [ONE, TWO, ONE, TWO, THREE], ["first", "linked", "linked"]],
  ])("%s", async (_, records, links) => {
    const sandbox = aSandbox();
    for (const record of records) await sandbox.submit(record);
    const [chain] = await sandbox.chains();
    expect(chain?.records.map(({ link }) => link)).toEqual(links);
    expect(chain?.broken_links).toBe(links.filter((link) => link !== "first" && link !== "linked").length);
  });
});

test("a link that names the hash with another number leads nowhere", async () => {
  const sandbox = aSandbox();
  const link = { ...invoiceKey("S-9"), Huella: ONE.fields.Huella };
  await sandbox.submit(
    ONE,
    alta({ IDFactura: invoiceKey("S-2"), Encadenamiento: { RegistroAnterior: link } }),
  );
  const [chain] = await sandbox.chains();
  expect(chain?.records[1]?.link).toBe("unknown_previous");
});

test("it accepts a broken chain as the real service does, unless it is set to be strict", async () => {
  expect(await aSandbox().judge(ONE, THREE, behind(ONE, FOUR))).toEqual(["Correcto", "Correcto", "Correcto"]);
  const strict = aSandbox({ strict_chain: true });
  expect(await strict.judge(ONE, THREE, behind(ONE, FOUR))).toEqual(["Correcto", 2003, 2003]);
});

test("records are shown in chain order, whenever they came", async () => {
  const sandbox = aSandbox();
  for (const record of [ONE, THREE, FOUR, TWO]) await sandbox.submit(record);
  const [chain] = await sandbox.chains();
  expect(chain?.records.map(({ number }) => number)).toEqual(["S-1", "S-2", "S-3", "S-4"]);
});

test("each issuer, software and installation has a chain of its own", async () => {
  const sandbox = aSandbox();
  const installed = (number: string, change: object) =>
    alta({ IDFactura: invoiceKey(number), SistemaInformatico: { ...SYSTEM, ...change } });
  await sandbox.submit(
    ONE,
    installed("B-1", { NumeroInstalacion: "instalacion-2" }),
    installed("B-2", { IdSistemaInformatico: "02" }),
    installed("B-3", { NIF: "B70000005" }),
    behind(ONE, installed("S-2", { Version: "2.0.0" })),
  );
  expect((await sandbox.chains()).map(({ records }) => records.length)).toEqual([2, 1, 1, 1]);
  const answer = await sandbox.get("/records?nif=89890001K&installation=instalacion-2");
  const { chains } = await readJson<{ chains: { records: { number: string }[] }[] }>(answer);
  expect(chains.map(({ records }) => records.map(({ number }) => number))).toEqual([["B-1"]]);
  expect(await readJson(await sandbox.get("/records?nif=B00000000"))).toEqual({ chains: [] });
});

describe("a record that comes again", () => {
  test("is one record, stored once, with every verdict", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(ONE);
    await sandbox.submit(ONE);
    const [chain] = await sandbox.chains();
    expect(chain?.records).toMatchObject([{ received: 2, changed: false, state: "Correcto" }]);
    expect(await readJson(await sandbox.get("/records/1"))).toMatchObject({
      verdicts: [
        { message: 1, state: "Correcto" },
        { message: 2, state: "Incorrecto", code: 3000 },
      ],
    });
  });

  test("with another content under the same hash is found out", async () => {
    const sandbox = aSandbox();
    const { Huella } = ONE.fields;
    await sandbox.submit(ONE);
    await sandbox.submit({ ...ONE, fields: { ...ONE.fields, DescripcionOperacion: "Otra", Huella } });
    expect((await sandbox.chains())[0]?.records[0]?.changed).toBe(true);
  });

  test("takes the verdict of the time when it was accepted", async () => {
    const sandbox = aSandbox({ records: [{ code: 1239, times: 1 }] });
    await sandbox.submit(ONE);
    expect((await sandbox.chains())[0]?.records[0]).toMatchObject({ state: "Incorrecto", code: 1239 });
    await sandbox.submit(ONE);
    await sandbox.submit(ONE);
    expect((await sandbox.chains())[0]?.records[0]).toMatchObject({ state: "Correcto", received: 3 });
  });

  test("and was the first of its chain is not reported to have a successor", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(alta());
    const moved = anulacion({ SistemaInformatico: { ...SYSTEM, NumeroInstalacion: "instalacion-2" } });
    expect(await sandbox.judge(moved)).toEqual(["Correcto"]);
    expect(await sandbox.judge(moved)).toEqual(["Correcto"]);
  });
});

test("its clock and its calendar are those of Madrid", async () => {
  const sandbox = aSandbox();
  sandbox.setTime(Date.parse("2026-10-25T02:30:00+01:00"));
  const { body } = await sandbox.send(
    message([
      alta({
        IDFactura: invoiceKey("A-1", "25-10-2026"),
        FechaHoraHusoGenRegistro: "2026-10-25T02:30:00+01:00",
      }),
    ]),
  );
  expect(body).toContain("<tik:TimestampPresentacion>2026-10-25T02:30:00+01:00</tik:TimestampPresentacion>");
  sandbox.setTime(Date.parse("2026-06-30T23:59:59+02:00"));
  const tomorrow = alta({
    IDFactura: invoiceKey("A-2", "01-07-2026"),
    FechaHoraHusoGenRegistro: "2026-06-30T23:59:59+02:00",
  });
  expect(await sandbox.judge(tomorrow)).toEqual([1112]);
});
