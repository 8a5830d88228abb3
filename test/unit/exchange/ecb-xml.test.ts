import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEcbXml } from "../../../src/work/rates/ecb-file.ts";
import { cpuMsOf } from "../../support/rules/operations.ts";

const USD = "<Cube currency='USD' rate='1.1618'/>";
const HUF = "<Cube currency='HUF' rate='387.50'/>";
const DAILY = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" \
xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='2026-03-05'>
\t\t\t${USD}
\t\t\t${HUF}
\t\t\t<Cube currency='JPY' rate='183.03'/>
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`;

describe("the same rates, however they are written", () => {
  test.each([
    ["as the ECB does", DAILY],
    ["with CRLF", DAILY.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${DAILY}`],
    ["with double quotes", DAILY.replaceAll("'", '"')],
    ["on one line", DAILY.replaceAll(/[\t\n]/g, "").replace("Envelope", "Envelope ")],
    ["without XML declaration", DAILY.slice(DAILY.indexOf("<gesmes"))],
    ["with blanks inside the elements", DAILY.replaceAll("'/>", "' />").replaceAll("='", " = '")],
  ])("%s", (_, text) => {
    expect(parseEcbXml(text)).toEqual({
      ok: true,
      value: [
        { day: "2026-03-05", currency: "USD", rate: "1.1618" },
        { day: "2026-03-05", currency: "HUF", rate: "387.5" },
        { day: "2026-03-05", currency: "JPY", rate: "183.03" },
      ],
    });
  });
});

describe("refused whole", () => {
  test.each<[string, string, object]>([
    ["larger than 64 KiB", DAILY + " ".repeat(64 * 1024), { reason: "too_large" }],
    ["a DOCTYPE", DAILY.replace("?>", '?><!DOCTYPE x [<!ENTITY a "1">]>'), { reason: "markup_not_allowed" }],
    ["an entity", DAILY.replace("1.1618", "&a;"), { reason: "markup_not_allowed" }],
    ["a character reference", DAILY.replace("1.1618", "&#49;"), { reason: "markup_not_allowed" }],
    ["a rate in a comment", DAILY.replace(USD, `<!-- ${USD} -->`), { reason: "markup_not_allowed" }],
    ["CDATA", DAILY.replace("Reference rates", "<![CDATA[x]]>"), { reason: "markup_not_allowed" }],
    ["empty", "", { reason: "unexpected_shape" }],
    ["a page of HTML", "<html><body>Not found</body></html>", { reason: "unexpected_shape" }],
    ["no day", DAILY.replace(" time='2026-03-05'", ""), { reason: "unexpected_shape" }],
    ["two days", DAILY.replace(HUF, "</Cube><Cube time='2026-03-04'>"), { reason: "unexpected_shape" }],
    ["no rates", DAILY.replaceAll(/<Cube currency.*>/g, ""), { reason: "unexpected_shape" }],
    ["cut off", DAILY.slice(0, DAILY.indexOf(HUF)), { reason: "unexpected_shape" }],
    ["text between the rates", DAILY.replace(HUF, `${HUF} 1.2`), { reason: "unexpected_shape" }],
    ["another element", DAILY.replace(HUF, "<Rate/>"), { reason: "unexpected_shape" }],
    ["something after the end", `${DAILY}<Cube/>`, { reason: "unexpected_shape" }],
    ["unlike quotes", DAILY.replace("'2026-03-05'", "'2026-03-05\""), { reason: "unexpected_shape" }],
    ["a day that does not exist", DAILY.replace("03-05", "02-30"), { reason: "invalid_day" }],
    ["an empty day", DAILY.replace("2026-03-05", ""), { reason: "invalid_day" }],
    ["a third attribute", inPlaceOfHuf("currency='HUF' rate='1' multiplier='100'"), second("attributes")],
    ["a rate alone", inPlaceOfHuf("rate='387.5'"), second("attributes")],
    ["an attribute twice", inPlaceOfHuf("currency='HUF' rate='1' rate='2'"), second("attributes")],
    ["small letters", inPlaceOfHuf("currency='huf' rate='387.5'"), second("currency")],
    ["no currency", inPlaceOfHuf("currency='' rate='387.5'"), second("currency")],
    ["no number", inPlaceOfHuf("currency='HUF' rate='N/A'"), second("rate")],
    ["zero", inPlaceOfHuf("currency='HUF' rate='0.00'"), second("rate")],
    ["below zero", inPlaceOfHuf("currency='HUF' rate='-387.5'"), second("rate")],
    ["a decimal comma", inPlaceOfHuf("currency='HUF' rate='387,5'"), second("rate")],
    ["a currency twice", inPlaceOfHuf("currency='USD' rate='1.1618'"), second("twice")],
  ])("%s", (_, text, error) => {
    expect(parseEcbXml(text)).toEqual({ ok: false, error });
  });
});

describe("hostile input", () => {
  test("anything is answered, nothing thrown", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<Cube>",
        "<Cube time='2026-03-05'>",
        USD,
        "</Cube>",
        "</gesmes:Envelope>",
        "'",
        "<",
        "/>",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => `<gesmes:Envelope>${pieces.join("")}`);
    fc.assert(
      fc.property(text, (source) => {
        const read = parseEcbXml(source);
        if (read.ok) expect(read.value.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  test("an altered rate is refused or is the number in the file", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 12 }), (rate) => {
        const read = parseEcbXml(DAILY.replace("1.1618", () => rate));
        if (read.ok) expect(Number(read.value[0]?.rate)).toBe(Number(rate));
      }),
      { numRuns: 1000 },
    );
  });

  const KIB_63 = 63 * 1024;
  test.each([
    ["blanks", `<gesmes:Envelope>${" ".repeat(KIB_63)}`],
    ["titles", `<gesmes:Envelope>${"<gesmes:name>".repeat(KIB_63 / 13)}`],
    ["an element that never ends", inPlaceOfHuf("/".repeat(KIB_63 - 1024))],
    ["an element of blanks", inPlaceOfHuf(`currency='HUF'${" ".repeat(KIB_63 - 1024)}x`)],
    ["rates without end", DAILY.slice(0, DAILY.indexOf(HUF)) + USD.repeat(KIB_63 / USD.length - 30)],
  ])("refused at once: %s", async (_, text) => {
    const spentMs = await cpuMsOf(() => {
      expect(parseEcbXml(text)).toMatchObject({
        ok: false,
        error: { reason: expect.stringMatching(/^unexpected_/) },
      });
    });
    expect(spentMs).toBeLessThan(200);
  });
});

function inPlaceOfHuf(attributes: string): string {
  return DAILY.replace(HUF, `<Cube ${attributes}/>`);
}

/** The refusal of the second rate of the file. */
function second(what: "attributes" | "currency" | "rate" | "twice") {
  const reasons = {
    attributes: "unexpected_attributes",
    currency: "invalid_currency",
    rate: "invalid_rate",
    twice: "duplicate_currency",
  };
  return { reason: reasons[what], position: 2 };
}
