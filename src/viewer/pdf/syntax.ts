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
  const told = Object.entries(entries).flatMap(([key, value]) =>
    value === undefined ? [] : [`/${key} ${value}`],
  );
  return `<<${told.join(" ")}>>`;
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
