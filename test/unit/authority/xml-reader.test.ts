/** The sandbox reads XML strictly, and accepts the documents that libxml2 accepts. */
import fc from "fast-check";
import { XmlDocument, XmlLibError } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import { readXml } from "../../../src/sandbox/xml/read.ts";
import type { XmlElement } from "../../../src/sandbox/xml/xml.ts";
import { alta, behind, message } from "../../support/authority/messages.ts";

describe("a well-formed document", () => {
  test.each([
    ["an empty element", "<a/>"],
    ["both quotes", `<a b="'" c='"'/>`],
    ["a declaration", `<?xml version="1.0" encoding="utf-8" standalone='yes'?><a/>`],
    ["a byte order mark", "\uFEFF<a/>"],
    ["comments and instructions around", "<!-- a - b --><?b c?><a/><!----><?d?>\n"],
    ["character data", "<a><![CDATA[<b>&]] >]]></a>"],
    ["references", "<a>&amp;&lt;&gt;&quot;&apos;&#241;&#xF1;</a>"],
    ["a default namespace that is taken back", '<a xmlns="u"><b xmlns=""/></a>'],
    ["one prefix for two namespaces", '<p:a xmlns:p="u"><p:b xmlns:p="v"/></p:a>'],
    ["an attribute under two prefixes of two namespaces", '<a xmlns:p="u" xmlns:q="v" p:b="1" q:b="2"/>'],
    ["names of other alphabets", "<ñandú><日本/></ñandú>"],
  ])("%s", (_, xml) => {
    expect(isWellFormed(xml)).toBe(true);
    expect(acceptedByLibxml2(xml)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["text", "a"],
    ["two roots", "<a/><b/>"],
    ["text after the root", "<a/>b"],
    ["no end", "<a><b></b>"],
    ["ends that cross", "<a><b></a></b>"],
    ["an attribute without quotes", "<a b=1/>"],
    ["attributes without a space", `<a b="1"c="2"/>`],
    ["an attribute twice", `<a b="1" b="2"/>`],
    ["an attribute twice under two prefixes", '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>'],
    ["< in an attribute", `<a b="<"/>`],
    ["]]> in text", "<a>]]></a>"],
    ["-- in a comment", "<a><!-- - -- --></a>"],
    ["an open comment", "<a><!-- </a>"],
    ["an undefined entity", "<a>&nbsp;</a>"],
    ["a lone ampersand", "<a>b & c</a>"],
    ["a reference to no character", "<a>&#0;</a>"],
    ["a reference to a control character", "<a>&#x1;</a>"],
    ["a control character", "<a>\u0001</a>"],
    ["an undefined prefix", "<p:a/>"],
    ["a prefix that is taken back", '<p:a xmlns:p="u"><b xmlns:p=""/></p:a>'],
    ["a name that starts with a digit", "<1a/>"],
    ["a name with two colons", '<p:q:a xmlns:p="u"/>'],
    ["a space that XML does not know", '<a\u00A0b="1"/>'],
    ["a declaration that comes late", ` <?xml version="1.0"?><a/>`],
    ["a declaration without version", `<?xml encoding="UTF-8"?><a/>`],
  ])("not: %s", (_, xml) => {
    expect(isWellFormed(xml)).toBe(false);
    expect(acceptedByLibxml2(xml)).toBe(false);
  });

  test.each([
    ["a document type", "<!DOCTYPE a><a/>"],
    ["a document that defines an entity", `<!DOCTYPE a [<!ENTITY b "${"b".repeat(99)}">]><a>&b;</a>`],
    ["a document that fetches a file", `<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`],
    ["elements 65 deep", "<a>".repeat(65) + "</a>".repeat(65)],
    ["half a surrogate pair", "<a>\uD800</a>"],
  ])("and never %s", (_, xml) => {
    expect(isWellFormed(xml)).toBe(false);
  });

  test("says apart what the service answers apart", () => {
    expect(readXml(`<?xml version="1.0" encoding="ISO-8859-1"?><a/>`)).toEqual({ problem: "encoding" });
    for (const xml of [`<a><?xml version="1.0"?></a>`, "<a/><?XML ?>", `<?xml encoding="UTF-8"?><a/>`])
      expect(readXml(xml), xml).toEqual({ problem: "declaration" });
    for (const xml of [`<a b='<?xml version="1.0"?>'/>`, `<?xml version="1.0"?>b<a/>`])
      expect(readXml(xml), xml).toEqual({ problem: "malformed" });
  });
});

const MESSAGE = message([alta(), behind(alta(), alta())]).replace(/(<sf:Descri\w+>)[^<]*/, "$1<![CDATA[a]]>");

test("a message reads as libxml2 reads it", () => {
  const reading = readXml(MESSAGE);
  const document = XmlDocument.fromString(MESSAGE);
  const expected = document.find("//*").map((node) => `${namespaceOf(node)} ${nameOf(node)}`);
  document.dispose();
  expect("root" in reading ? namesOf(reading.root) : []).toEqual(expected);
});

test("a message that was hurt anywhere is well-formed for both or for neither", () => {
  // The declarations come first: libxml2 also reads the addresses that they name.
  const declared = MESSAGE.indexOf("<s:Header");
  const hurt = fc.record({
    at: fc.integer({ min: declared, max: MESSAGE.length - 1 }),
    length: fc.nat({ max: 6 }),
    text: fc.oneof(
      fc.constantFrom("<", ">", "&", '"', "'", "/", "]]>", "<!--", "-->", "<a>", "</a>", "&#65;", "&x;", ":"),
      fc.constantFrom("", " ", "=", "?", "!", "[", "xmlns:s='u'", "<![CDATA[", "<?a?>", "ñ", "1", "-"),
    ),
  });
  fc.assert(
    fc.property(fc.array(hurt, { minLength: 1, maxLength: 2 }), (hurts) => {
      const xml = hurts.reduce(
        (whole, { at, length, text }) => whole.slice(0, at) + text + whole.slice(at + length),
        MESSAGE,
      );
      expect({ xml, isGood: isWellFormed(xml) }).toEqual({ xml, isGood: acceptedByLibxml2(xml) });
    }),
    { numRuns: 1_000, seed: 20_261_127 },
  );
});

function isWellFormed(xml: string): boolean {
  return "root" in readXml(xml);
}

function acceptedByLibxml2(xml: string): boolean {
  try {
    XmlDocument.fromString(xml).dispose();
    return true;
  } catch (error) {
    if (error instanceof XmlLibError) return false;
    throw error;
  }
}

function namesOf(element: XmlElement): string[] {
  return [`${element.namespace} ${element.name}`, ...element.children.flatMap(namesOf)];
}

function namespaceOf(node: object): string {
  return "namespaceUri" in node ? String(node.namespaceUri) : "";
}

function nameOf(node: object): string {
  return "name" in node ? String(node.name) : "";
}
