import { bytesOf } from "../fonts/bytes.ts";
import regular from "../fonts/regular.json" with { type: "json" };
import semibold from "../fonts/semibold.json" with { type: "json" };
import { through } from "./bytes.ts";
import { readTrueType, type TrueType } from "./truetype.ts";

export interface Fonts {
  readonly regular: TrueType;
  readonly semibold: TrueType;
}

let known: Fonts | undefined;

/** Read once while the isolate lives; requests share the result, never the waiting for it. */
export async function theFonts(): Promise<Fonts> {
  known ??= { regular: await readFont(regular), semibold: await readFont(semibold) };
  return known;
}

async function readFont({ base64 }: { readonly base64: string }): Promise<TrueType> {
  return readTrueType(await through(new DecompressionStream("gzip"), bytesOf(base64)));
}
