/** The export of records: every kind, well-formed as a whole, and record by record what a submission carries. */
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import type { ChainToWalk, SealedRow, Stretch } from "../../src/db/books/proof-reads.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { exportRecords } from "../../src/work/books/export-books.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { wrapRecord, xsdErrors } from "../support/authority/xsd.ts";
import { SAMPLES } from "../support/builders/issued-samples.ts";

const HEADER = {
  connectionId: "cn00000000000000000001",
  issuerName: 'Loza & Esparto, "S.L." <b>',
  issuerNif: "B12345674",
  exportedAt: "2026-11-28T10:00:00.000Z",
};

const RECORDS = Object.values(SAMPLES)
  .map((sample): InvoiceView => sample())
  .flatMap(({ alta, cancellation }) => [alta.record, ...(cancellation ? [cancellation.record] : [])]);

const STATES = ["accepted", "accepted_with_errors", "rejected", "submitted", "pending_submission"];

const ROWS: readonly SealedRow[] = RECORDS.map(({ content, hash }, index) => ({
  position: index + 1,
  hash,
  content: JSON.stringify(content),
  state: STATES[index % STATES.length] ?? "",
}));

function aChain(ordinal: number, change: Partial<ChainToWalk> = {}): ChainToWalk {
  return {
    connectionId: HEADER.connectionId,
    accountId: "ac00000000000000000001",
    installationId: `is0000000000000000000${ordinal}`,
    installationNumber: `${HEADER.connectionId} 2026-11-0${ordinal}T00:00:00Z`,
    environment: "test",
    openedAt: 0,
    last: ROWS.length,
    ...change,
  };
}

/** Pages of three. */
const store = {
  readSealed: async (_: ChainToWalk, { after, until }: Stretch) =>
    ROWS.filter(({ position }) => position > after && position <= until).slice(0, 3),
};

async function exported(...chains: readonly ChainToWalk[]): Promise<string> {
  const walks = chains.map((walk) => ({ walk, stretch: { after: 0, until: walk.last } }));
  return textOf(exportRecords(HEADER, walks, store));
}

async function textOf(parts: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

const elementsOf = (xml: string) =>
  xml.match(/<sf:Registro(Alta|Anulacion)>.*?<\/sf:Registro\1>/gs)?.map((element) => element) ?? [];

test("the export of every kind of record, as it is", async () => {
  const xml = await exported(aChain(1), aChain(2, { environment: "production", last: 0 }));
  await expect(xml).toMatchFileSnapshot("./exports/records.xml");
});

test("it is well-formed, with one chain after the other", async () => {
  const document = XmlDocument.fromString(await exported(aChain(1), aChain(2)));
  const own = { e: "urn:cuadre:registros-facturacion:1" };
  const count = (path: string) => document.find(path, own).length;
  expect(count("/e:RegistrosFacturacion/e:Cadena")).toBe(2);
  expect(count("/e:RegistrosFacturacion/e:Cadena[1]/e:Registro")).toBe(ROWS.length);
  expect(document.get("/e:RegistrosFacturacion/e:Cabecera/e:Obligado/e:NombreRazon", own)?.content).toBe(
    HEADER.issuerName,
  );
  document.dispose();
});

test("a connection without chains has an export without any", async () => {
  const document = XmlDocument.fromString(await exported());
  expect(document.root.name).toBe("RegistrosFacturacion");
  document.dispose();
});

test("each record is, byte by byte, what a submission carries", async () => {
  const message = submissionXml({
    issuerName: "X",
    issuerNif: "B12345674",
    incident: false,
    records: RECORDS,
  });
  expect(elementsOf(await exported(aChain(1)))).toEqual(elementsOf(message));
  expect(elementsOf(message)).toHaveLength(ROWS.length);
});

test("a record that cannot be read breaks the export", async () => {
  const broken = { readSealed: async () => [{ position: 7, hash: "", content: "{", state: "accepted" }] };
  const walks = [{ walk: aChain(1), stretch: { after: 0, until: 1 } }];
  await expect(textOf(exportRecords(HEADER, walks, broken))).rejects.toThrow("position 7");
});

describe.skipIf(aeatFolder === undefined)("against the AEAT's schemas", () => {
  test("each record is valid", async () => {
    const declared = `xmlns:sf="${/xmlns:sf="([^"]+)"/.exec(await exported())?.[1]}"`;
    for (const element of elementsOf(await exported(aChain(1)))) {
      expect(xsdErrors(wrapRecord(element.replace(/^<(sf:\w+)>/, `<$1 ${declared}>`)))).toEqual([]);
    }
  });
});
