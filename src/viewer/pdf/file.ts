/** Objects that share one compressed stream. */
const OBJECTS_PER_STREAM = 100;
/** The second line marks the file as binary for programs that transfer it. */
const HEADER = Uint8Array.of(...ascii("%PDF-1.7\n%"), 0xe2, 0xe3, 0xcf, 0xd3, ...ascii("\n"));

interface StreamObject {
  readonly ref: Ref;
  readonly entries: Readonly<Record<string, Written>>;
  readonly bytes: Uint8Array;
  /** The bytes are a stream of zlib already. */
  readonly isDeflated?: boolean;
}

/** Where an object is: at a place of the file, or in a stream of objects. */
type Entry = { readonly at: number } | { readonly within: Ref; readonly index: number };

/**
 * A PDF file in progress, with compressed streams of objects and of cross-references (ISO 32000-1, 7.5). The
 * same objects give the same bytes: it uses no clock and no randomness.
 */
export class PdfFile {
  #lastRef = 0;
  readonly #objects = new Map<Ref, Written>();
  readonly #streams: StreamObject[] = [];

  /** A number for an object that is written later. */
  reserve(): Ref {
    this.#lastRef += 1;
    return this.#lastRef;
  }

  add(written: Written, ref: Ref = this.reserve()): Ref {
    this.#objects.set(ref, written);
    return ref;
  }

  addStream(
    content: Uint8Array | string,
    entries: Readonly<Record<string, Written>> = {},
    ref: Ref = this.reserve(),
  ): Ref {
    const bytes = typeof content === "string" ? ascii(content) : content;
    this.#streams.push({ ref, entries, bytes });
    return ref;
  }

  /** A stream whose bytes were compressed before. */
  addDeflated(bytes: Uint8Array, entries: Readonly<Record<string, Written>>): Ref {
    const ref = this.reserve();
    this.#streams.push({ ref, entries, bytes, isDeflated: true });
    return ref;
  }

  async bytes(root: Ref, info: Ref, id: string): Promise<Uint8Array<ArrayBuffer>> {
    const out = new Output();
    const entries = new Map<Ref, Entry>();
    out.write(HEADER);
    const packed = this.#packedObjects(entries);
    for (const stream of await Promise.all([...this.#streams, ...packed].map(deflated))) {
      entries.set(stream.ref, { at: out.length });
      writeStream(out, stream);
    }
    const ref = this.reserve();
    const at = out.length;
    entries.set(ref, { at });
    const references = crossReferences(entries, { root, info, id, size: ref + 1 });
    writeStream(out, await deflated({ ref, ...references }));
    out.write(`startxref\n${at}\n%%EOF\n`);
    return out.joined();
  }

  #packedObjects(entries: Map<Ref, Entry>): StreamObject[] {
    const all = [...this.#objects];
    const packed: StreamObject[] = [];
    for (let start = 0; start < all.length; start += OBJECTS_PER_STREAM) {
      const members = all.slice(start, start + OBJECTS_PER_STREAM);
      const ref = this.reserve();
      members.forEach(([member], index) => {
        entries.set(member, { within: ref, index });
      });
      packed.push({ ref, ...objectStream(members) });
    }
    return packed;
  }
}

function objectStream(members: readonly (readonly [Ref, Written])[]): Omit<StreamObject, "ref"> {
  let offset = 0;
  const places = members.map(([ref, written]) => {
    const place = `${ref} ${offset}`;
    offset += written.length + 1;
    return place;
  });
  const head = `${places.join(" ")}\n`;
  const body = members.map(([, written]) => written).join("\n");
  return {
    entries: { Type: name("ObjStm"), N: String(members.length), First: String(head.length) },
    bytes: ascii(head + body),
  };
}

interface Trailer {
  readonly root: Ref;
  readonly info: Ref;
  readonly id: string;
  readonly size: number;
}

/** Fields of one, four and two bytes: kind, place, index. */
const FIELD_BYTES = [1, 4, 2] as const;
const ROW_BYTES = 7;

function crossReferences(
  places: ReadonlyMap<Ref, Entry>,
  { root, info, id, size }: Trailer,
): Omit<StreamObject, "ref"> {
  const rows = new DataView(new ArrayBuffer(size * ROW_BYTES));
  for (let ref = 0; ref < size; ref++) writeRow(rows, ref * ROW_BYTES, places.get(ref));
  return {
    entries: {
      Type: name("XRef"),
      Size: String(size),
      W: array([...FIELD_BYTES]),
      Root: reference(root),
      Info: reference(info),
      ID: array([`<${id}>`, `<${id}>`]),
    },
    bytes: new Uint8Array(rows.buffer),
  };
}

function writeRow(rows: DataView, at: number, entry: Entry | undefined): void {
  if (entry === undefined) {
    rows.setUint16(at + 5, 0xffff);
    return;
  }
  const isPacked = "within" in entry;
  rows.setUint8(at, isPacked ? 2 : 1);
  rows.setUint32(at + 1, isPacked ? entry.within : entry.at);
  rows.setUint16(at + 5, isPacked ? entry.index : 0);
}

function writeStream(out: Output, { ref, entries, bytes }: StreamObject): void {
  out.write(`${ref} 0 obj\n${dictionary({ ...entries, Length: String(bytes.length) })}\nstream\n`);
  out.write(bytes);
  out.write("\nendstream\nendobj\n");
}

async function deflated({ ref, entries, bytes, isDeflated }: StreamObject): Promise<StreamObject> {
  const compressed = isDeflated ? bytes : await through(new CompressionStream("deflate"), bytes);
  return { ref, entries: { ...entries, Filter: name("FlateDecode") }, bytes: compressed };
}

class Output {
  readonly #parts: Uint8Array[] = [];
  length = 0;

  write(part: string | Uint8Array): void {
    const bytes = typeof part === "string" ? ascii(part) : part;
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  joined(): Uint8Array<ArrayBuffer> {
    return joined(this.#parts);
  }
}

/** Syntax is ASCII, and texts in it are written in hexadecimal. */
function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * PDF objects in their written form (ISO 32000-1, 7.3). A value of this type is written to a file unchanged.
 */
export type Written = string;

/** Number of an object, by which others refer to it. */
export type Ref = number;

export function reference(ref: Ref): Written {
  return `${ref} 0 R`;
}

export function dictionary(entries: Readonly<Record<string, Written | undefined>>): Written {
  const written = Object.entries(entries).flatMap(([key, value]) =>
    value === undefined ? [] : [`/${key} ${value}`],
  );
  return `<<${written.join(" ")}>>`;
}

export function array(values: readonly (Written | number)[]): Written {
  return `[${values.map((value) => (typeof value === "number" ? real(value) : value)).join(" ")}]`;
}

const SPECIAL = /[^\w.+-]/g;

export function name(text: string): Written {
  return `/${text.replace(SPECIAL, (character) => `#${hex(character.charCodeAt(0), 2)}`)}`;
}

/** UTF-16 with its byte order mark: no text can end the string or count as syntax. */
export function textString(text: string): Written {
  return `<FEFF${[...Array(text.length).keys()].map((index) => hex(text.charCodeAt(index), 4)).join("")}>`;
}

export function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

/** Three decimals are finer than any printer. */
export function real(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Compressed or expanded by the runtime. */
export async function through(
  { readable, writable }: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const parts: Uint8Array[] = [];
  for await (const part of readable) parts.push(part);
  await written;
  return joined(parts);
}
