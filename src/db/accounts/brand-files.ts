import type { InvoiceLook } from "../../domain/brand/look.ts";

/** A PDF draws these bytes: red, green and blue of each pixel on white paper, as a stream of zlib. */
export type PrintedPicture = Uint8Array<ArrayBuffer>;

export interface LogoBytes {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly picture: PrintedPicture;
}

/** The colour and the logo of a company, and the pixels of the logo, as a PDF needs them. */
export interface PrintedLook {
  readonly look?: InvoiceLook;
  /** There if the look has a logo. */
  readonly picture?: PrintedPicture;
}

/** Logos in R2, named by `LogoFile.file`. Files of the same name have the same bytes. */
export interface BrandFiles {
  keep(file: string, bytes: LogoBytes): Promise<void>;
  readPng(file: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Without its logo if the file is gone or R2 does not answer: an invoice is printed anyway. */
  printed(look: InvoiceLook | undefined): Promise<PrintedLook>;
  remove(file: string): Promise<void>;
}

const PREFIX = "brand/";

export function brandFiles(bucket: R2Bucket, inTime: <T>(call: Promise<T>) => Promise<T>): BrandFiles {
  const read = async (key: string) => {
    const stored = await inTime(bucket.get(key));
    return stored ? new Uint8Array(await inTime(stored.arrayBuffer())) : undefined;
  };
  return {
    async keep(file, { png, picture }) {
      await Promise.all([
        inTime(bucket.put(pngKey(file), png, { httpMetadata: { contentType: "image/png" } })),
        inTime(bucket.put(pictureKey(file), picture)),
      ]);
    },
    readPng: (file) => read(pngKey(file)),
    async printed(look) {
      if (!look?.logo) return look ? { look } : {};
      const picture = await read(pictureKey(look.logo.file)).catch(() => undefined);
      if (picture) return { look, picture };
      const { logo: _, ...rest } = look;
      return { look: rest };
    },
    remove: (file) => inTime(bucket.delete([pngKey(file), pictureKey(file)])),
  };
}

function pngKey(file: string): string {
  return `${PREFIX}${file}.png`;
}

function pictureKey(file: string): string {
  return `${PREFIX}${file}.rgb`;
}
