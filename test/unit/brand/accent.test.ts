import { expect, test } from "vitest";
import { accentOf, contrastOnWhite } from "../../../src/domain/brand/accent.ts";

function printed(chosen: string): string {
  const accent = accentOf(chosen);
  if (!accent.ok) throw new Error(accent.error);
  return accent.value.printed;
}

test.each(["#000000", "#1A4F8B", "#767676", "#B00020", "#0B6E4F"])(
  "%s can be read on white and stays",
  (colour) => {
    expect(printed(colour)).toBe(colour);
  },
);

/** The ratios by WCAG's own examples: black 21, #767676 the lightest grey of 4.5, white 1. */
test.each([
  ["#000000", 21],
  ["#767676", 4.54],
  ["#FFFFFF", 1],
  ["#FF0000", 4],
])("contrast of %s on white is %d", (colour, ratio) => {
  expect(contrastOnWhite(colour)).toBeCloseTo(ratio, 1);
});

test.each(["#F59E0B", "#FFD400", "#00FFFF", "#FF0000", "#FFFFFF", "#39FF14", "#FF69B4", "#808080"])(
  "%s is darkened as little as it needs",
  (colour) => {
    const ratio = contrastOnWhite(printed(colour));
    expect(ratio).toBeGreaterThanOrEqual(4.5);
    expect(ratio).toBeLessThan(4.8);
  },
);

test("the hue stays: an orange becomes a darker orange, grey stays without colour", () => {
  const [red = 0, green = 0, blue = 0] = channels(printed("#F59E0B"));
  expect(red).toBeGreaterThan(green);
  expect(green).toBeGreaterThan(blue);
  const grey = channels(printed("#B0B0B0"));
  expect(Math.max(...grey) - Math.min(...grey)).toBeLessThanOrEqual(1);
});

test("every colour of a coarse grid ends readable", () => {
  for (let red = 0; red < 256; red += 51)
    for (let green = 0; green < 256; green += 51)
      for (let blue = 0; blue < 256; blue += 51) {
        const colour = `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
        expect(contrastOnWhite(printed(colour)), colour).toBeGreaterThanOrEqual(4.5);
      }
});

test.each(["", "red", "#FFF", "#GGGGGG", "#1234567", "#12345678", "url(x)", "#12345;", "#123456\n"])(
  "%j is no colour",
  (text) => {
    expect(accentOf(text)).toEqual({ ok: false, error: "accent_invalid" });
  },
);

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
