/** Numbers, query strings and bodies in any spelling: exactly that value, or a refusal. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { query as moduleVersionQuery } from "../../../src/api/endpoints/get-module-version.ts";
import { JsonNumber, parseExactly } from "../../../src/api/wire/json.ts";
import { amount, count, idText } from "../../../src/api/wire/order-values.ts";
import { apiQuery, INCLUDES } from "../../../src/api/wire/parameters.ts";
import { faultOfJson } from "../../../src/api/wire/request-body.ts";
import { exactDecimal } from "../../../src/api/wire/values.ts";
import { decimalFrom, digitsOf } from "../../../src/domain/shared/decimal.ts";
import { often } from "../../support/rules/often.ts";
import { AUTHORISED, anEdge } from "../../support/worlds/http-edge.ts";

const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})$/);

/** Every form that JSON has for a number. */
const anyNumber = fc
  .record({
    sign: fc.constantFrom("", "-"),
    whole: fc.oneof(digits, fc.constantFrom("9".repeat(400), "9".repeat(401), "1".repeat(100_000))),
    fraction: fc.option(fc.stringMatching(/^\d{1,30}$/), { nil: undefined }),
    exponent: fc.option(fc.stringMatching(/^[eE][+-]?\d{1,12}$/), { nil: undefined }),
  })
  .map(
    ({ sign, whole, fraction, exponent = "" }) =>
      `${sign}${whole}${fraction ? `.${fraction}` : ""}${exponent}`,
  );

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

/** Sign, digits and power of ten: equal for texts of one value. */
function valueOfText(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  const shortest = significant.replace(/0+$/, "");
  if (shortest === "") return "0";
  return `${sign}${shortest}e${Number(power) - fraction.length + significant.length - shortest.length}`;
}

describe("numbers", () => {
  test("are read to the last digit, in one form, or not at all", () => {
    fc.assert(
      fc.property(anyNumber, (source) => {
        const read = decimalFrom(source);
        if (read === undefined) return;
        expect(read).toMatch(CANONICAL);
        expect(valueOfText(read)).toBe(valueOfText(source));
        // A number longer than the limit is stored nowhere.
        if (read.length <= 400) expect(decimalFrom(read)).toBe(read);
      }),
      often(1_000),
    );
  });

  test("with an exponent of more than three digits, or of more than four hundred digits, are none", () => {
    expect(decimalFrom("1e1000")).toBeUndefined();
    expect(decimalFrom(`1${"0".repeat(400)}`)).toBeUndefined();
    expect(decimalFrom("1e999")).toHaveLength(1_000);
  });

  test("that are anything else are none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text);
        expect(decimalFrom(text) !== undefined).toBe(isNumber);
      }),
    );
  });

  test("of invoices and orders have the digits that the contract gives them, or a problem", () => {
    fc.assert(
      fc.property(anyNumber, (source) => {
        const sent = new JsonNumber(source);
        const direct = exactDecimal().safeParse(sent);
        if (direct.success) {
          expect(valueOfText(direct.data)).toBe(valueOfText(source));
          expect(digitsOf(direct.data).integer).toBeLessThanOrEqual(12);
          expect(digitsOf(direct.data).fraction).toBeLessThanOrEqual(6);
        }
        const ofOrder = amount().safeParse(sent);
        if (ofOrder.success) expect(digitsOf(ofOrder.data).fraction).toBeLessThanOrEqual(8);
        const counted = count.safeParse(sent);
        if (counted.success) expect(Number.isSafeInteger(counted.data)).toBe(true);
        const id = idText().safeParse(sent);
        if (id.success) expect(id.data).toBe(source);
      }),
      often(500),
    );
  });
});

describe("query strings", () => {
  const anyQuery = fc.dictionary(
    fc.oneof(
      fc.constantFrom("include", "preview", "platform", "module_version", "contract_version", "__proto__"),
      fc.string({ maxLength: 10 }),
    ),
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.array(fc.string({ maxLength: 10 })),
      fc.constantFrom("qr_svg,xml", "xml,,", "true", ",".repeat(100_000)),
    ),
    { noNullPrototype: true },
  );

  test("query strings are read exactly or refused", () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const read = apiQuery.safeParse(query);
        if (read.success) {
          expect(INCLUDES).toEqual(expect.arrayContaining([...read.data.include]));
          expect([undefined, "true", "false"]).toContain(query.preview);
          expect(read.data.preview).toBe(query.preview === "true");
        }
        const module = moduleVersionQuery.safeParse(query);
        for (const text of module.success ? Object.values(module.data) : []) {
          expect([...(text ?? "")].length).toBeLessThanOrEqual(64);
        }
      }),
      often(500),
    );
  });

  test("and paths of any kind are answered, and an id is asked for as it was sent", async () => {
    const { app, asked } = anEdge();
    const anyId = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 130 }),
      fc.constantFrom("%", "%FF", "%00", "..", ".", "a/b", "%2e%2e", "__proto__", "cancellation"),
    );
    await fc.assert(
      fc.asyncProperty(anyId, async (id) => {
        const encoded = encodeURIComponent(id.toWellFormed());
        const { status } = await app.request(`https://api.example/api/v1/invoice/${encoded}`, {
          headers: AUTHORISED,
        });
        expect([200, 404]).toContain(status);
        const last = asked.splice(0).at(-1);
        if (last) expect(last.externalId).toBe(id.toWellFormed());
      }),
      often(300),
    );
  });
});

describe("bodies", () => {
  test("of any bytes are answered with a refusal", async () => {
    const { app, asked } = anEdge();
    const path = fc.constantFrom("/api/v1/invoice", "/api/v1/order", "/v1/inventory", "/api/v1/client");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), path, async (bytes, at) => {
        const init = { method: "POST", headers: AUTHORISED, body: new Uint8Array(bytes) };
        const { status } = await app.request(`https://api.example${at}`, init);
        expect([400, 422]).toContain(status);
      }),
      often(300),
    );
    expect(asked).toEqual([]);
  });

  const anyJson = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });

  test("bodies keep every digit, and a repeated member is found in any spelling", () => {
    fc.assert(
      fc.property(anyJson, fc.string({ unit: "grapheme" }), (value, name) => {
        const text = JSON.stringify(value);
        expect(faultOfJson(text)).toBeUndefined();
        const written = JSON.stringify(parseExactly(text), (_, each) =>
          each instanceof JsonNumber ? Number(each.source) : each,
        );
        expect(JSON.parse(written)).toEqual(JSON.parse(text));
        const escaped = [...name].map(escapedUnits).join("");
        const twice = `{${JSON.stringify(name)}:${text},"${escaped}":0}`;
        expect(faultOfJson(twice)).toEqual({ kind: "repeated_member", member: name });
      }),
      often(500),
    );
  });

  test.each([
    ["lists in lists", "[".repeat(500_000)],
    ["objects in objects", '{"a":'.repeat(100_000)],
    ["both", '[{"a":'.repeat(100_000)],
  ])("that are too deep are found at once: %s", (_, text) => {
    expect(faultOfJson(text)).toEqual({ kind: "too_deep" });
  });

  test("with a hundred thousand members are looked through in one go", () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"m${index}":0`).join(",");
    expect(faultOfJson(`{${members}}`)).toBeUndefined();
    expect(faultOfJson(`{${members},"m7":1}`)).toEqual({ kind: "repeated_member", member: "m7" });
  });
});

function escapedUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}
