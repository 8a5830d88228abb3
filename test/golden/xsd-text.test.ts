import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import { submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { recordXml } from "../../src/domain/verifactu/xml/record-xml.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { wrapRecord, xsdErrors } from "../support/authority/xsd.ts";
import { aRegistration } from "../support/builders/records.ts";

test.skipIf(aeatFolder === undefined)(
  "the XSD accepts any text that a record may have, and reads it back unchanged",
  () => {
    fc.assert(
      fc.property(xmlText(120), xmlText(120), xmlText(500), (issuerName, name, description) => {
        const recipients = [{ name, nif: "89890002E" }];
        const record = seal(aRegistration({ issuerName, description, recipients }), 1);
        const message = submissionXml({
          issuerNif: "89890001K",
          issuerName,
          incident: false,
          records: [record],
        });
        expect(xsdErrors(message)).toEqual([]);
        expect(xsdErrors(wrapRecord(recordXml(record)))).toEqual([]);
        expect(textsOf(message, "NombreRazonEmisor")).toEqual([issuerName]);
        expect(textsOf(message, "NombreRazon").slice(0, 2)).toEqual([issuerName, name]);
        expect(textsOf(message, "DescripcionOperacion")).toEqual([description]);
      }),
      { numRuns: 300 },
    );
  },
);

/** Removes the characters that XML 1.0 cannot represent: control characters, U+FFFE and U+FFFF. */
function xmlText(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom("&", "<", ">", "]]>", "&amp;", '"', "'", " ", "€", "ñ"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  return fc
    .array(unit, { maxLength })
    .map((units) =>
      units
        .join("")
        .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, "")
        .slice(0, maxLength),
    )
    .filter((text) => text.isWellFormed());
}

function textsOf(xml: string, localName: string): string[] {
  const document = XmlDocument.fromString(xml);
  try {
    return document.find(`//*[local-name()='${localName}']`).map((node) => node.content);
  } finally {
    document.dispose();
  }
}
