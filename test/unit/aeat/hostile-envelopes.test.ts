/** Answers that are XML and yet not what the service says: read, or no answer; never an exception, never a yes. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { readAttempt, readFound } from "../../../src/aeat/read-answer.ts";
import { readXml, type XmlElement } from "../../../src/aeat/xml-tree.ts";
import { queryXml } from "../../../src/domain/verifactu/xml/message-xml.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import { alta, chained, invoiceKey } from "../../support/authority/messages.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const http = { outcome: "answered", status: 200, contentType: "text/xml; charset=utf-8" } as const;
const attempt = (bytes: Uint8Array) => readAttempt({ ...http, bytes }).result;
const found = (bytes: Uint8Array) => readFound({ ...http, bytes });

let submission: string;
let query: string;

beforeAll(async () => {
  const records = chained(alta(), alta({ IDFactura: invoiceKey("A-2") }));
  submission = (await aSandbox({ records: [{ code: 1239 }] }).submit(...records)).body;
  const sandbox = aSandbox();
  await sandbox.submit(...records);
  const key = { issuerNif: "89890001K", number: "A-2", date: "27-11-2026" };
  const asked = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K", key };
  query = (await sandbox.send(queryXml({ ...asked, period: { year: "2026", month: "11" } }))).body;
});

test("as they came, both are read", () => {
  expect(attempt(bytesOf(submission))).toBe("answered");
  expect(found(bytesOf(query))).toHaveLength(1);
});

describe("said to be written otherwise than in UTF-8", () => {
  const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (each) => each.charCodeAt(0)).buffer);
  const latin1 = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0) & 0xff);
  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${submission.replace(/^<\?xml[^>]*\?>/, "")}`;

  test.each<[string, () => Uint8Array]>([
    ["ISO-8859-1", () => bytesOf(declared("ISO-8859-1"))],
    ["windows-1252", () => bytesOf(declared("windows-1252"))],
    ["UTF-16", () => bytesOf(declared("UTF-16"))],
    ["UTF-7", () => bytesOf(declared("UTF-7"))],
    ["nothing that there is", () => bytesOf(declared("none"))],
    ["UTF-16 with its mark", () => utf16(`\uFEFF${submission}`)],
    ["UTF-16 without", () => utf16(submission)],
    ["Latin-1 bytes", () => latin1(submission.replace(/<\/[^>]*>/, "é$&"))],
    ["EBCDIC", () => Uint8Array.from([0x4c, 0x6f, 0xa7, 0x94, 0x93])],
  ])("%s", (_, bytes) => {
    expect(attempt(bytes())).toBe("no_answer");
    expect(found(bytes())).toBeUndefined();
  });

  test("a mark of byte order in front of UTF-8 changes nothing", () => {
    expect(attempt(bytesOf(`\uFEFF${submission}`))).toBe("answered");
  });
});

describe("with what XML hides things in", () => {
  const inFront = (text: string) => () => submission.replace(/^(<\?xml[^>]*\?>)?/, `$1${text}`);
  const inText = (text: string) => () => submission.replace(/>([^<>\s]+)</, `>${text}<`);

  test.each<[string, () => string]>([
    ["a document type", inFront("<!DOCTYPE a>")],
    ["entities of entities", inFront(`<!DOCTYPE a [<!ENTITY b "xxxx"><!ENTITY c "&b;&b;&b;&b;">]>`)],
    ["parameter entities", inFront(`<!DOCTYPE a [<!ENTITY % b SYSTEM "http://x.example/"> %b;]>`)],
    ["an entity for a value", inText("&b;")],
    ["a stylesheet", inFront(`<?xml-stylesheet href="http://x.example/"?>`)],
    ["an element where a text is due", () => submission.replace("EstadoEnvio>", "EstadoEnvio><b/>")],
    ["elements as deep as a stack", inText("<b>".repeat(500_000))],
    ["a level more than there may be", inText(`${"<b>".repeat(40)}${"</b>".repeat(40)}`)],
    ["very many elements", inText("<b/>".repeat(150_000))],
    [
      "very many attributes",
      inText(`<b ${Array.from({ length: 150_000 }, (_, n) => `a${n}=""`).join(" ")}/>`),
    ],
    ["a null byte", inText("\u0000")],
    ["a character by its number that there is not", inText("&#xD800;")],
    ["a number of a character without end", inText(`&#${"1".repeat(1_000_000)};`)],
  ])("%s: no answer", (_, text) => {
    expect(attempt(bytesOf(text()))).toBe("no_answer");
  });

  test("a huge text is read as one, and names nothing that there is", () => {
    const huge = submission.replace(/>([^<>\s]+)</, `>${"x".repeat(7_000_000)}<`);
    expect(["answered", "no_answer"]).toContain(attempt(bytesOf(huge)));
    const blanks = submission.replace(/></g, `>${" ".repeat(10_000)}<`);
    expect(attempt(bytesOf(blanks))).toBe("answered");
  });

  test("millions of comments, sections and references are read in one go", () => {
    for (const part of ["<!--x-->", "<![CDATA[]]>", "&amp;"]) {
      const read = readXml(bytesOf(`<a>${part.repeat(500_000)}</a>`));
      expect(read.ok).toBe(true);
    }
  });
});

describe("with another structure", () => {
  /** Each element, its text and its place, as it was read. */
  function elementsIn(root: XmlElement): XmlElement[] {
    return [root, ...root.children.flatMap(elementsIn)];
  }

  function written({ namespace, name, children, text }: XmlElement): string {
    const inside = children.map(written).join("") + text.trim().replace(/[&<]/g, "x");
    return `<${name} xmlns="${namespace}">${inside}</${name}>`;
  }

  function changed(root: XmlElement, target: XmlElement, to: readonly XmlElement[]): XmlElement {
    const children = root.children.flatMap((child) => (child === target ? to : [changed(child, target, to)]));
    return { ...root, children };
  }

  const anyText = fc.oneof(
    fc.constantFrom(
      "",
      "Correcto",
      "Incorrecto",
      "ConDatos",
      "__proto__",
      "constructor",
      "9".repeat(5_000),
      "-1",
    ),
    fc.constantFrom("27-11-2026", "99-99-9999", "S", "N", "A-2", "x".repeat(100_000)),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );

  test.each([
    ["a submission", () => submission, attempt],
    ["a query", () => query, found],
  ] as const)(
    "%s: removed, doubled, renamed, moved, of another namespace, or with another text",
    (_, text, read) => {
      const whole = readXml(bytesOf(text()));
      if (!whole.ok) throw new Error(whole.error);
      const root = whole.value;
      const elements = elementsIn(root).slice(1);
      const another = (target: XmlElement, value: string, other: XmlElement): XmlElement[][] => [
        [],
        [target, target],
        [{ ...target, name: "Otro" }],
        [{ ...target, namespace: "urn:otro" }],
        [{ ...target, text: value, children: [] }],
        [{ ...target, children: [...target.children, other] }],
        [other],
        Array.from({ length: 300 }, () => target),
      ];
      const place = fc.nat(elements.length - 1);
      fc.assert(
        fc.property(place, place, anyText, fc.nat(7), (at, from, value, which) => {
          const [target, other] = [elements[at], elements[from]];
          if (!target || !other) return;
          const to = another(target, value, other)[which] ?? [];
          const told = read(bytesOf(written(changed(root, target, to))));
          if (typeof told === "string") expect(["answered", "fault", "no_answer"]).toContain(told);
          else expect(told === undefined || Array.isArray(told)).toBe(true);
        }),
        { numRuns: 300 },
      );
    },
  );
});
