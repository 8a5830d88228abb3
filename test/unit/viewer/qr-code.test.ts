/** The symbol itself, by the format information of ISO 18004. */
import { describe, expect, test } from "vitest";
import { type QrCode, qrCode } from "../../../src/viewer/qr-code.ts";

const PLACE = "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR";

function urlOf(number: string, amount: string): string {
  return `${PLACE}?nif=B12345674&numserie=${encodeURIComponent(number)}&fecha=27-11-2026&importe=${amount}`;
}

/** The first two bits next to the upper left finder, without their mask (101...). */
function correctionLevel(code: QrCode): string {
  const isDark = (x: number, y: number) =>
    code.runs.some((run) => run.y === y && run.x <= x && x < run.x + run.length);
  const bits = `${isDark(0, 8) ? 0 : 1}${isDark(1, 8) ? 1 : 0}`;
  return { "01": "L", "00": "M", "11": "Q", "10": "H" }[bits] ?? bits;
}

describe.each([
  ["the shortest", urlOf("1", "0.00")],
  ["a usual one", urlOf("PED-1S-2026-000042", "95.70")],
  ["the longest", urlOf("Ñ /".repeat(20), "-999999999999.99")],
])("%s URL", (_, url) => {
  test("is written with correction level M (article 21 Orden HAC/1177/2024)", () => {
    expect(correctionLevel(qrCode(url))).toBe("M");
  });

  test("has runs that touch neither each other nor the edge", () => {
    const { size, runs } = qrCode(url);
    expect((size - 17) % 4).toBe(0);
    const places = runs.flatMap(({ x, y, length }) =>
      Array.from({ length: length + 1 }, (_, step) => `${x + step} ${y}`),
    );
    expect(new Set(places).size).toBe(places.length);
    for (const { x, length } of runs) expect(x + length).toBeLessThanOrEqual(size);
  });
});

test("a symbol is the same however often and after however many others it is asked for", () => {
  const nthUrl = (nth: number) => urlOf(`PED-1S-2026-${nth}`, "95.70");
  const first = Array.from({ length: 150 }, (_, nth) => qrCode(nthUrl(nth)));
  const again = Array.from({ length: 150 }, (_, nth) => qrCode(nthUrl(nth)));
  expect(again).toEqual(first);
  expect(new Set(first.map((code) => JSON.stringify(code))).size).toBe(150);
});
