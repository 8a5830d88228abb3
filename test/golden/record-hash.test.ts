import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ChainLink, RecordContent } from "../../src/domain/verifactu/record.ts";
import { hashInput, recordHash, seal } from "../../src/domain/verifactu/record-hash.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { aCancellation, aRegistration } from "../support/builders/records.ts";

const HASH_1 = "3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60";
const HASH_2 = "F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97";
const HASH_3 = "177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68";
const PUBLISHED_PREVIOUS = "8C8DCEFB120522E0C71BC19902F44D5334FF6C98E74F0E3AC1D1E5A30C2EA836";

const FIRST_KEY = { issuerNif: "89890001K", number: "12345678/G33", date: "01-01-2024" };
const SECOND_KEY = { issuerNif: "89890001K", number: "12345679/G34", date: "01-01-2024" };
const FIRST = aRegistration({
  key: FIRST_KEY,
  taxTotal: "12.35",
  total: "123.45",
  generatedAt: "2024-01-01T19:20:30+01:00",
});
const SECOND = aRegistration({
  key: SECOND_KEY,
  chain: behind(HASH_1),
  taxTotal: "12.35",
  total: "123.45",
  generatedAt: "2024-01-01T19:20:35+01:00",
});
const CANCELLED = aCancellation({
  key: SECOND_KEY,
  chain: behind(HASH_2),
  generatedAt: "2024-01-01T19:20:40+01:00",
});
const PUBLISHED = aRegistration({
  key: { issuerNif: "B72877814", number: "GITHUB-EJ-003", date: "04-11-2024" },
  chain: behind(PUBLISHED_PREVIOUS),
  taxTotal: "21.4",
  total: "131.4",
  generatedAt: "2024-11-04T12:36:39+01:00",
});

test.each<[string, RecordContent, string]>([
  ["official 1: first registration", FIRST, HASH_1],
  ["official 2: chained registration", SECOND, HASH_2],
  ["official 3: cancellation", CANCELLED, HASH_3],
  [
    "one decimal is hashed as written",
    PUBLISHED,
    "4EECCE4DD48C0539665385D61D451BA921B7160CA6FEF46CD3C2E2BC5C778E14",
  ],
  [
    "123.10 is one hash",
    { ...FIRST, total: "123.10" },
    "D9796CC034A16661CF72734A21FFD7BD445136EAFB08E57C7DBAF22013551319",
  ],
  [
    "123.1 is another",
    { ...FIRST, total: "123.1" },
    "F9D320CAD1AF900BFCB56BD584CCBB15692A43026E5235A948317F708AEA9B93",
  ],
])("%s", (_, content, expected) => {
  expect(recordHash(content)).toBe(expected);
});

test("the first registration of a chain keeps an empty Huella", () => {
  expect(hashInput(FIRST)).toBe(
    "IDEmisorFactura=89890001K&NumSerieFactura=12345678/G33&FechaExpedicionFactura=01-01-2024" +
      "&TipoFactura=F1&CuotaTotal=12.35&ImporteTotal=123.45&Huella=" +
      "&FechaHoraHusoGenRegistro=2024-01-01T19:20:30+01:00",
  );
});

test("a cancellation hashes its own field names", () => {
  expect(hashInput(CANCELLED)).toBe(
    "IDEmisorFacturaAnulada=89890001K&NumSerieFacturaAnulada=12345679/G34" +
      `&FechaExpedicionFacturaAnulada=01-01-2024&Huella=${HASH_2}` +
      "&FechaHoraHusoGenRegistro=2024-01-01T19:20:40+01:00",
  );
});

test("an ampersand goes in raw, outer spaces stay out and inner ones stay in", () => {
  const content = aCancellation({ key: { ...FIRST_KEY, number: " A&B  1 " } });
  expect(hashInput(content)).toContain("&NumSerieFacturaAnulada=A&B  1&Fecha");
});

test("a sealed record carries its content, position and hash", () => {
  expect(seal(SECOND, 2)).toEqual({ content: SECOND, position: 2, hash: HASH_2 });
});

describe.skipIf(aeatFolder === undefined)("the records of the sample messages", () => {
  const files = ["valid-alta-f1", "valid-anulacion", "valid-batch-mixed"];
  const records = aeatFolder === undefined ? [] : files.flatMap((file) => recordsOf(file));

  test("are ten", () => {
    expect(records).toHaveLength(10);
  });

  test.each(records)("%s has the hash it says", (_, content, expected) => {
    expect(recordHash(content)).toBe(expected);
  });
});

function behind(hash: string): ChainLink {
  return { first: false, hash, ...FIRST_KEY };
}

function recordsOf(file: string): [string, RecordContent, string][] {
  const message = readFileSync(`${aeatFolder}/samples/${file}.soap.xml`, "utf8");
  const elements = message.match(/<sf:Registro(Alta|Anulacion)>.*?<\/sf:Registro\1>/gs) ?? [];
  return elements.map((xml) => {
    const content = contentOf(xml);
    return [content.reference, content, textsOf(xml, "Huella").at(-1) ?? ""];
  });
}

/** The parts of a sample record that its hash is made of. */
function contentOf(xml: string): RecordContent {
  const read = (name: string) => textsOf(xml, name)[0] ?? "";
  const suffix = xml.startsWith("<sf:RegistroAlta>") ? "" : "Anulada";
  const key = {
    issuerNif: read(`IDEmisorFactura${suffix}`),
    number: read(`NumSerieFactura${suffix}`),
    date: read(`FechaExpedicionFactura${suffix}`),
  };
  const shared = {
    reference: read("RefExterna"),
    key,
    chain: xml.includes("<sf:PrimerRegistro>") ? { first: true as const } : behind(read("Huella")),
    generatedAt: read("FechaHoraHusoGenRegistro"),
  };
  if (suffix) return aCancellation(shared);
  const totals = { taxTotal: read("CuotaTotal"), total: read("ImporteTotal") };
  return aRegistration({ ...shared, ...totals, invoiceType: read("TipoFactura") });
}

function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`, "g"))].map(
    (match) => match[1] ?? "",
  );
}
