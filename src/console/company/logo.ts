import type { LogoBytes } from "../../db/accounts/brand-files.ts";
import { LOGO_LIMITS } from "../../domain/brand/logo-limits.ts";
import type { LogoFile } from "../../domain/brand/look.ts";
import {
  inflatedBytes,
  MOST_INFLATED_BYTES,
  type PngFault,
  pixelsOnWhite,
  readPng,
  withoutExtras,
} from "../../domain/brand/png.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";

export type LogoRefusal = Refusal<"logo_unreadable" | "logo_too_large">;

/** A logo that was checked pixel by pixel. */
export interface CheckedLogo {
  readonly logo: LogoFile;
  readonly bytes: LogoBytes;
}

/**
 * Reads an uploaded PNG. Only what draws is kept of the file; its pixels on white paper are kept beside it,
 * so that a PDF need not compute them.
 */
export async function checkLogo(
  accountId: string,
  sent: Uint8Array,
): Promise<Result<CheckedLogo, LogoRefusal>> {
  const image = readPng(sent);
  if (!image.ok) return err(refusalOf(image.error));
  const expected = inflatedBytes(image.value);
  if (expected > MOST_INFLATED_BYTES) return err(refusalOf("too_large"));
  const inflated = await inflatedTo(image.value.compressed, expected);
  const pixels = inflated && pixelsOnWhite(image.value, inflated);
  if (!pixels) return err(refusalOf("damaged"));
  const png = withoutExtras(sent);
  const { width, height } = image.value;
  return ok({
    logo: { file: `${accountId}/${sha256OfBytes(png)}`, width, height },
    bytes: { png, picture: await bytesOf(streamOf(pixels).pipeThrough(new CompressionStream("deflate"))) },
  });
}

function refusalOf(fault: PngFault): LogoRefusal {
  const { width, height, bytes } = LOGO_LIMITS;
  const limits = { width: String(width), height: String(height), kilobytes: String(bytes / 1024) };
  const isLarge = fault === "too_large" || fault === "too_many_bytes";
  return isLarge
    ? refuse("logo_too_large", limits, "logo").error
    : refuse("logo_unreadable", {}, "logo").error;
}

/** Undefined for a stream that expands to more or to less: no more than one byte too many is kept. */
async function inflatedTo(compressed: Uint8Array, expected: number): Promise<Uint8Array | undefined> {
  const inflated = new Uint8Array(expected);
  let length = 0;
  try {
    for await (const part of streamOf(compressed).pipeThrough(new DecompressionStream("deflate"))) {
      if (length + part.length > expected) return undefined;
      inflated.set(part, length);
      length += part.length;
    }
  } catch {
    return undefined;
  }
  return length === expected ? inflated : undefined;
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([Uint8Array.from(bytes)]).stream();
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
