import { crc32, deflateSync } from "node:zlib";

export interface DrawnPng {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  /** Each row with its filter first. */
  readonly rows: readonly (readonly number[])[];
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
  readonly interlaced?: boolean;
  /** Chunks that draw nothing, before the pixels. */
  readonly extras?: readonly (readonly [name: string, text: string])[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG file of the given rows, compressed and summed by Node's zlib. */
export function drawPng(drawn: DrawnPng): Uint8Array<ArrayBuffer> {
  const { width, height, depth, colour, rows, palette, transparency, interlaced, extras = [] } = drawn;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return Uint8Array.from(
    Buffer.concat([
      SIGNATURE,
      pngChunk("IHDR", head),
      ...extras.map(([name, text]) => pngChunk(name, Buffer.from(text))),
      ...(palette ? [pngChunk("PLTE", Buffer.from(palette))] : []),
      ...(transparency ? [pngChunk("tRNS", Buffer.from(transparency))] : []),
      pngChunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
      pngChunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
