import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../support/rules/operations.ts";
import { API_KEY, AUTHORISED, aBody, aLine, anEdge, postOf } from "../../support/worlds/http-edge.ts";

const INVOICE = "/api/v1/invoice";
const MEBIBYTE = 1_048_576;

async function answerTo(request: RequestInit) {
  const { app, asked } = anEdge();
  const response = await app.request(INVOICE, request);
  const body: { error_code?: string; error?: string } = JSON.parse(await response.text());
  return { status: response.status, code: body.error_code, error: body.error, asked };
}

test.each([
  ["not JSON", "{"],
  ["empty", ""],
  ["only spaces", "  \n"],
  ["two values", "{} {}"],
  ["NaN", '{"external_id":NaN}'],
  ["a leading zero", '{"quantity":01}'],
  ["a trailing comma", '{"a":1,}'],
  ["a comment", "{} // x"],
  ["single quotes", "{'a':1}"],
  ["a byte order mark", "\uFEFF{}"],
  ["a raw control character in a string", '{"a":"\u0001"}'],
  ["a member twice", '{"a":1,"a":1}'],
  ["a member twice, escaped", '{"a":1,"\\u0061":1}'],
  ["a member twice, deep inside", '{"x":[{"b":{"c":1,"d":[],"c":2}}]}'],
  ["__proto__ twice", '{"__proto__":1,"__proto__":2}'],
  ["33 levels of lists", "[".repeat(33) + "]".repeat(33)],
  ["half a million levels", "[".repeat(500_000) + "]".repeat(500_000)],
])("malformed: %s", async (_, text) => {
  const { status, code, asked } = await answerTo(postOf(text));
  expect([status, code]).toEqual([400, "malformed_json"]);
  expect(asked).toEqual([]);
});

test("malformed: bytes that are no UTF-8", async () => {
  const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  expect((await answerTo({ method: "POST", headers: AUTHORISED, body })).code).toBe("malformed_json");
});

test("malformed JSON names the position where it can, and never quotes the body", async () => {
  expect((await answerTo(postOf("{} {}"))).error).toContain("position 3");
  expect((await answerTo(postOf('{"company": Ana}'))).error).not.toContain("Ana");
});

test.each([
  ["one name in two objects", '{"a":{"x":1},"b":{"x":1}}'],
  ["one name in a list of objects", '[{"x":1},{"x":1}]'],
  ["a name that is also a value", '{"a":"a","b":"a"}'],
  ["quotes and braces inside text", '{"a":"\\"}{,\\\\","b":"{\\"a\\":1,\\"a\\":2}"}'],
  ["32 levels", "[".repeat(32) + "]".repeat(32)],
])("well formed: %s", async (_, text) => {
  expect((await answerTo(postOf(text))).code).toBe("validation_failed");
});

test.each([
  ["no content type", undefined],
  ["a form", "application/x-www-form-urlencoded"],
  ["text", "text/plain"],
])("unsupported: %s", async (_, type) => {
  const headers = { "X-API-KEY": API_KEY, ...(type ? { "Content-Type": type } : {}) };
  const body = new TextEncoder().encode(JSON.stringify(aBody()));
  const answer = await answerTo({ method: "POST", headers, body });
  expect([answer.status, answer.code]).toEqual([415, "unsupported_media_type"]);
});

test.each([
  ["compressed", { "Content-Encoding": "gzip" }, "gzip"],
  ["compressed twice", { "Content-Encoding": "br, gzip" }, "br, gzip"],
  ["in Latin 1", { "Content-Type": "application/json; charset=ISO-8859-1" }, "iso-8859-1"],
  ["in Latin 1, quoted", { "Content-Type": 'application/json;charset = "latin1"' }, "latin1"],
  ["in UTF-16", { "Content-Type": "application/json; charset=utf-16" }, "utf-16"],
])("a body that is %s is refused with the reason", async (_, headers, encoding) => {
  const { status, code, error, asked } = await answerTo(postOf(aBody(), headers));
  expect([status, code, asked]).toEqual([415, "unsupported_encoding", []]);
  expect(error).toContain(`“${encoding}”`);
});

test("a media type that is not JSON is refused before its encoding", async () => {
  const headers = { "Content-Type": "text/plain; charset=latin1", "Content-Encoding": "gzip" };
  expect((await answerTo(postOf("x", headers))).code).toBe("unsupported_media_type");
});

test("Content-Encoding identity is no encoding", async () => {
  expect((await answerTo(postOf(aBody(), { "Content-Encoding": "Identity" }))).status).toBe(201);
});

test.each([
  "application/json",
  "Application/JSON; charset=UTF-8",
  'application/json;charset="utf-8"',
  "application/x+json",
])("supported: %s", async (type) =>
  expect((await answerTo(postOf(aBody(), { "Content-Type": type }))).status).toBe(201),
);

/** A body of exactly so many bytes, sent in pieces and therefore without Content-Length. */
function streamed(sizeBytes: number): ReadableStream<Uint8Array> {
  const text = JSON.stringify(aBody());
  const whole = new TextEncoder().encode(text + " ".repeat(sizeBytes - text.length));
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= whole.length) return controller.close();
      controller.enqueue(whole.subarray(offset, offset + 65_536));
      offset += 65_536;
    },
  });
}

describe("size", () => {
  test.each([
    ["1 MiB is read", MEBIBYTE, 201],
    ["one byte more is not", MEBIBYTE + 1, 413],
    ["2 MiB is not", 2 * MEBIBYTE, 413],
  ])("without Content-Length: %s", async (_, sizeBytes, status) => {
    const { app } = anEdge();
    const init = { method: "POST", headers: AUTHORISED, body: streamed(sizeBytes), duplex: "half" };
    expect((await app.request(new Request(`http://edge${INVOICE}`, init))).status).toBe(status);
  });

  test("a Content-Length that lies does not help", async () => {
    const { app } = anEdge();
    const headers = { ...AUTHORISED, "Content-Length": "10" };
    const init = { method: "POST", headers, body: streamed(2 * MEBIBYTE), duplex: "half" };
    expect((await app.request(new Request(`http://edge${INVOICE}`, init))).status).toBe(413);
  });
});

describe("lines", () => {
  test("1,000 lines are taken", async () => {
    const { asked } = await answerTo(postOf(aBody({ lines: Array(1000).fill(aLine()) })));
    expect(asked[0]?.invoice?.request.lines.length).toBe(1000);
  });

  test("1,001 are not, and are answered at once", async () => {
    const { status, code } = await answerTo(postOf(aBody({ lines: Array(1001).fill(aLine()) })));
    expect([status, code]).toEqual([422, "validation_failed"]);
  });

  test("a mebibyte of absurd lines is refused quickly", async () => {
    const text = JSON.stringify(aBody()).replace(
      /"lines":\[.*\]/,
      `"lines":[${Array(50_000).fill('{"q":1e999}')}]`,
    );
    const spentMs = await cpuMsOf(async () => {
      expect((await answerTo(postOf(text))).status).toBe(422);
    });
    expect(spentMs).toBeLessThan(1500);
  });
});
