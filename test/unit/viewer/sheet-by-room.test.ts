import { expect, test } from "vitest";
import { SHEET_STYLESHEET, VIEWER_STYLESHEET } from "../../../src/viewer/stylesheet.ts";

/** The widths that a style sheet asks of the screen, and of the room of the sheet. */
function widthsIn(css: string) {
  return {
    screen: css.match(/@media[^{]*(?:max|min)-width: \d+px/g) ?? [],
    room: css.match(/@container \((?:max|min)-width: \d+px\)/g) ?? [],
  };
}

test("a sheet inside a page takes its form by its own room, a page of its own by the screen", () => {
  const { screen, room } = widthsIn(SHEET_STYLESHEET);
  expect(screen).toEqual([]);
  expect(room).toHaveLength(3);
  expect(SHEET_STYLESHEET).toContain("container-type: inline-size");
  const page = widthsIn(VIEWER_STYLESHEET);
  expect(page.room).toEqual([]);
  expect(page.screen.length).toBeGreaterThan(2);
});
