import { readAtMost } from "../../platform/read-at-most.ts";

/**
 * The one file of a ZIP archive, as the ECB packs its history. No more of the format than that: several
 * files, encryption and ZIP64 are refused with everything that is no archive.
 */
export async function onlyFileOf(archive: Uint8Array, limitBytes: number): Promise<Uint8Array | undefined> {
  const entry = readDirectory(new DataView(archive.buffer, archive.byteOffset, archive.byteLength));
  if (entry === undefined || entry.sizeBytes > limitBytes) return undefined;
  const packed = archive.subarray(entry.start, entry.start + entry.packedBytes);
  const content = entry.method === STORED ? packed : await inflate(packed, entry.sizeBytes);
  return content?.length === entry.sizeBytes ? content : undefined;
}

interface Entry {
  readonly method: number;
  readonly start: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;

/** The directory at the end counts: the local header may omit sizes. */
function readDirectory(view: DataView): Entry | undefined {
  const end = findEnd(view);
  if (end === undefined || view.getUint16(end + 10, true) !== 1) return undefined;
  const directory = view.getUint32(end + 16, true);
  if (directory + DIRECTORY_BYTES > end || view.getUint32(directory, true) !== DIRECTORY_SIGNATURE) {
    return undefined;
  }
  const method = view.getUint16(directory + 10, true);
  const isReadable = (method === STORED || method === DEFLATED) && !isEncrypted(view, directory);
  const local = view.getUint32(directory + 42, true);
  if (!isReadable || local + LOCAL_BYTES > directory) return undefined;
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) return undefined;
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packedBytes = view.getUint32(directory + 20, true);
  if (start + packedBytes > directory) return undefined;
  return { method, start, packedBytes, sizeBytes: view.getUint32(directory + 24, true) };
}

/** A comment, usually empty, follows the end record. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return undefined;
}

function isEncrypted(view: DataView, directory: number): boolean {
  return (view.getUint16(directory + 8, true) & ENCRYPTED_FLAG) !== 0;
}

/** Stops at the announced size: an archive that unpacks to more is a bomb. */
async function inflate(packed: Uint8Array, sizeBytes: number): Promise<Uint8Array | undefined> {
  const unpacked = new Blob([new Uint8Array(packed)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  try {
    return (await readAtMost(unpacked, { mostBytes: sizeBytes })).bytes;
  } catch {
    return undefined;
  }
}
