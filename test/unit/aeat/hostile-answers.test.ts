/** Any response is either read or no answer: never an exception, never an answer from something else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAttempt } from "../../../src/aeat/read-answer.ts";
import { readXml } from "../../../src/aeat/xml-tree.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import { alta } from "../../support/authority/messages.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array) =>
  readAttempt({ outcome: "answered", status: 200, contentType: "text/xml", bytes });

const ENTITIES = Array.from(
  { length: 20 },
  (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
);

test.each([
  ["entities of entities", `<!DOCTYPE a [<!ENTITY e0 "x">${ENTITIES.join("")}]><a>&e20;</a>`, "forbidden"],
  ["an entity from outside", `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>`, "forbidden"],
  ["a document type alone", "<!DOCTYPE a><a/>", "forbidden"],
  ["an undeclared entity", "<a>&e;</a>", "malformed"],
  ["a processing instruction", `<?xml-stylesheet href="x"?><a/>`, "forbidden"],
  ["a second declaration", `<?xml version="1.0"?><?xml version="1.0"?><a/>`, "malformed"],
  ["XML 1.1", `<?xml version="1.1"?><a/>`, "malformed"],
  ["very deep", "<a>".repeat(1_000_000), "too_deep"],
  ["very many elements", `<a>${"<b/>".repeat(200_000)}</a>`, "too_many"],
  [
    "very many attributes",
    `<a ${Array.from({ length: 200_000 }, (_, n) => `b${n}=""`).join(" ")}/>`,
    "too_many",
  ],
  ["the same attribute twice", `<a b="" b=""/>`, "malformed"],
  ["a character that XML does not have", "<a>\u0001</a>", "malformed"],
  ["the same by its number", "<a>&#1;</a>", "malformed"],
  ["elements that cross", "<a><b></a></b>", "malformed"],
  ["an end that never comes", `<a b="${"x".repeat(4_000_000)}`, "malformed"],
  ["a comment that never ends", `<a><!--${"-".repeat(4_000_000)}`, "malformed"],
  ["two roots", "<a/><b/>", "malformed"],
  ["text alone", "a", "malformed"],
])("%s", (_, text, problem) => {
  expect(readXml(bytesOf(text))).toEqual({ ok: false, error: problem });
});

test.each([
  ["cut in a character", new Uint8Array([0x3c, 0x61, 0x3e, 0xc3])],
  ["overlong", new Uint8Array([0x3c, 0x61, 0x3e, 0xc0, 0xaf, 0x3c, 0x2f, 0x61, 0x3e])],
  ["a lone surrogate", new Uint8Array([0x3c, 0x61, 0x3e, 0xed, 0xa0, 0x80])],
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x3c, 0x00])],
])("broken UTF-8: %s", (_, bytes) => {
  expect(readXml(bytes)).toEqual({ ok: false, error: "encoding" });
});

test("a huge text is a text, markup inside of CDATA is none, and names of objects are names", () => {
  const huge = readXml(bytesOf(`<a>${"x".repeat(2_000_000)}</a>`));
  expect(huge).toMatchObject({ ok: true, value: { text: expect.stringMatching(/^x{2000000}$/) } });
  expect(readXml(bytesOf("<a><![CDATA[<b>&amp;</b>]]></a>"))).toMatchObject({
    value: { children: [], text: "<b>&amp;</b>" },
  });
  expect(readXml(bytesOf("<a><__proto__/><constructor/></a>"))).toMatchObject({
    value: { children: [{ name: "__proto__" }, { name: "constructor" }] },
  });
});

test("any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(read(bytes).result).toBe("no_answer");
    }),
    { numRuns: 500 },
  );
});

test("any pieces of XML", () => {
  const piece = fc.constantFrom(
    ...[
      "<",
      ">",
      "</",
      "/>",
      "<a",
      "<a>",
      "</a>",
      "&",
      "&amp;",
      "&#x",
      ";",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
    ],
    ...[
      "<!DOCTYPE ",
      "[",
      "]",
      '"',
      "'",
      "=",
      ' xmlns="u"',
      ' xmlns:p="u"',
      "<p:a>",
      "<?xml ",
      "?>",
      "é",
      "\u0000",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(read(bytesOf(pieces.join(""))).result).toBe("no_answer");
    }),
    { numRuns: 1_000 },
  );
});

test("a damaged answer reads as the original or as none", async () => {
  const { body } = await aSandbox({ records: [{ code: 1239 }] }).submit(alta());
  const whole = bytesOf(body);
  const before = read(whole);
  expect(before.result).toBe("answered");
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    cut: fc.nat(30),
    put: fc.uint8Array({ maxLength: 8 }),
  });
  fc.assert(
    fc.property(damage, ({ at, cut, put }) => {
      const damaged = Uint8Array.from([...whole.subarray(0, at), ...put, ...whole.subarray(at + cut)]);
      expect(["answered", "no_answer"]).toContain(read(damaged).result);
    }),
    { numRuns: 500 },
  );
  for (let length = 0; length < whole.length; length += 1) {
    expect(read(whole.subarray(0, length)).result).toBe("no_answer");
  }
});
