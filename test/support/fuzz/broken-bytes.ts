/** Bodies that are no JSON of ours, or are said to be something else. */
import type { Draw } from "./draw.ts";

export interface SentBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  readonly fault: string;
}

const JSON_TYPE = "application/json";
const ABOVE_ONE_MIB = 1_048_600;

type Change = (text: string, draw: Draw) => string | Uint8Array<ArrayBuffer>;

const CHANGES: readonly [name: string, change: Change][] = [
  ["cut off", (text, draw) => text.slice(0, draw.below(text.length))],
  ["cut off within a character", (text) => utf8(`${text.slice(0, -1)},"a":"ñ`).slice(0, -1)],
  ["empty", () => ""],
  ["blank", () => " \n\t"],
  ["a value of its own", (_, draw) => draw.pick(["null", "0", '"text"', "true", "[]", "{}", "[{}]", "-"])],
  ["two documents", (text) => `${text}${text}`],
  ["words behind it", (text) => `${text} and so on`],
  ["a comment", (text) => `/* ours */${text}`],
  ["a comma too many", (text) => text.replace(/[}\]]$/, ",$&")],
  ["single quotes", (text) => text.replaceAll('"', "'")],
  ["NaN", (text) => text.replace(/:\s*[^,}\]]+/, ":NaN")],
  ["a byte order mark", (text) => `\uFEFF${text}`],
  ["null bytes between", (text) => text.replaceAll(":", ":\u0000")],
  ["a control character in a text", (text) => text.replace(/"$|":"/, "$&\u0001")],
  ["a broken escape", (text) => text.replace('":"', '":"\\u12')],
  ["a byte of no character", (text) => utf8With(text, [0xff])],
  ["an overlong form", (text) => utf8With(text, [0xc0, 0xaf])],
  ["half a pair in UTF-8", (text) => utf8With(text, [0xed, 0xa0, 0x80])],
  ["Latin-1", (text) => Uint8Array.from(`${text.slice(0, -1)},"a":"ñ"}`, (each) => each.charCodeAt(0))],
  ["UTF-16", (text) => Uint8Array.from([...text].flatMap((each) => [each.charCodeAt(0) & 0xff, 0]))],
  ["every name twice", (text) => text.replace(/^\{(.+)\}$/s, "{$1,$1}")],
  [
    "a name twice, once escaped",
    (text) =>
      text.replace(
        /^\{"(\w)(\w*)":/,
        (all, first: string, rest: string) =>
          `{"\\u00${first.charCodeAt(0).toString(16)}${rest}":null,${all.slice(1)}`,
      ),
  ],
  ["brackets only", () => "[".repeat(100_000)],
  ["names only", () => '{"a":'.repeat(50_000)],
  ["above a MiB", (text) => text.replace(/\}$/, `,"padding":"${"x".repeat(ABOVE_ONE_MIB)}"}`)],
  ["a MiB of blanks", (text) => " ".repeat(ABOVE_ONE_MIB) + text],
  ["XML", () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ["a form", () => "external_id=1&currency=EUR"],
];

const CONTENT_TYPES = [
  "",
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=iso-8859-1",
  "application/json; charset=utf-16",
  "application/json; charset=",
  "application/jsonp",
  "application/json, text/plain",
  "json",
  ";",
] as const;

interface ByteFault {
  readonly kind: string;
  readonly change: Change;
  readonly headers?: Readonly<Record<string, string>>;
}

const unchanged: Change = (text) => text;

const BYTE_FAULTS: readonly ByteFault[] = [
  ...CHANGES.map(([kind, change]) => ({ kind, change })),
  ...CONTENT_TYPES.map((type) => ({
    kind: `said to be ${type || "nothing"}`,
    change: unchanged,
    headers: { "Content-Type": type },
  })),
  ...["gzip", "br", "deflate", "x"].map((coding) => ({
    kind: `said to be coded as ${coding}`,
    change: unchanged,
    headers: { "Content-Encoding": coding },
  })),
];

export const BYTE_FAULT_KINDS = BYTE_FAULTS.map(({ kind }) => kind);

export function brokenBytes(text: string, draw: Draw): SentBytes {
  const { kind, change, headers } = draw.anyKind(BYTE_FAULTS) ?? { kind: "none", change: unchanged };
  const changed = change(text, draw);
  return {
    bytes: typeof changed === "string" ? utf8(changed) : changed,
    headers: { "Content-Type": JSON_TYPE, ...headers },
    fault: kind,
  };
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.length);
  bytes.set(encoded);
  return bytes;
}

/** The bytes within the first text that is a value. */
function utf8With(text: string, bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  const at = text.indexOf('":"') + 3;
  return Uint8Array.from([...utf8(text.slice(0, at)), ...bytes, ...utf8(text.slice(at))]);
}
