/** A stream is read up to a limit, with any amount of further data. */
import { expect, test } from "vitest";
import { readAtMost } from "../../../src/platform/limits.ts";

/** Pieces of ten bytes, each asked for. */
function stream(pieces: number) {
  const seen = { given: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.given === pieces) return controller.close();
        seen.given += 1;
        return controller.enqueue(new Uint8Array(10).fill(seen.given));
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

test.each<
  [string, number, { mostBytes: number; drainedBytes?: number }, number | undefined, number, boolean]
>([
  ["one of its bound is whole", 3, { mostBytes: 30 }, 30, 30, false],
  ["an empty one too", 0, { mostBytes: 0 }, 0, 0, false],
  ["a longer one is given up with the first piece too many", 9, { mostBytes: 29 }, undefined, 30, true],
  [
    ...(["or taken in to its end"] as const),
    ...([9, { mostBytes: 29, drainedBytes: 100 }, undefined, 90, false] as const),
  ],
  [
    ...(["as far as that goes"] as const),
    ...([9, { mostBytes: 29, drainedBytes: 20 }, undefined, 50, true] as const),
  ],
])("%s", async (_, pieces, bound, length, sizeBytes, isGivenUp) => {
  const { body, seen } = stream(pieces);
  const read = await readAtMost(body, bound);
  expect([read.bytes?.length, read.sizeBytes, seen.cancelled]).toEqual([length, sizeBytes, isGivenUp]);
  expect(seen.given * 10).toBe(sizeBytes);
});

test("the pieces are put together in their order", async () => {
  const { bytes } = await readAtMost(stream(2).body, { mostBytes: 20 });
  expect([...(bytes ?? [])]).toEqual([...Array(10).fill(1), ...Array(10).fill(2)]);
});
