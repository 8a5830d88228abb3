import { expect, test } from "vitest";
import { cursorOf } from "../../../src/console/pages.ts";
import {
  amongIds,
  isDay,
  isMonth,
  isPlace,
  lastDay,
  oneOf,
  refusedIn,
  unknownIn,
  withoutNames,
} from "../../../src/web/parts/filters/known.ts";

const CHECKS = {
  ...{ documento: oneOf(["issued", "cancelled"]), mes: isMonth, desde: isDay, hasta: lastDay("desde") },
  ...{ pagina: isPlace, conexion: amongIds([{ id: "c1" }]), serie: amongIds(undefined) },
};

const unknown = (search: string) => unknownIn(new URLSearchParams(search), CHECKS);

test.each([
  ["a kind that is listed", "documento=issued", []],
  ["a kind that does not exist", "documento=x", ["documento"]],
  ["an empty value", "documento=", ["documento"]],
  ["a month", "mes=2026-12", []],
  ["a thirteenth month", "mes=2026-13", ["mes"]],
  ["a day", "desde=2024-02-29&hasta=2024-02-29", []],
  ["a day that its year does not have", "desde=2026-02-29", ["desde"]],
  ["a day without zeros", "desde=2026-2-1", ["desde"]],
  ["a year beyond the lists", "hasta=2100-01-01", ["hasta"]],
  ["a last day before the first", "desde=2026-02-01&hasta=2026-01-31", ["hasta"]],
  ["a last day after a first one that is none", "desde=x&hasta=2026-01-31", ["desde"]],
  ["the place that a list gave", `pagina=${cursorOf({ way: "after", key: { place: "ñ", first: 25 } })}`, []],
  ["a place that was cut", "pagina=WyJhZnRlci", ["pagina"]],
  ["a place that never was one", `pagina=${btoa('{"a":1}')}`, ["pagina"]],
  ["a connection of the company", "conexion=c1", []],
  ["a connection that the company does not have", "conexion=c2", ["conexion"]],
  ["a series while the series are still being read", "serie=F-2026", []],
  ["a member that no filter has", "utm_source=x", []],
])("of the address: %s", (_, search, expected) => {
  expect(unknown(search)).toEqual(expected);
});

test("what is left keeps the other members of the address", () => {
  const left = withoutNames(new URLSearchParams("q=silla&documento=x&mes=2026-11"), ["documento"]);
  expect(left.toString()).toBe("q=silla&mes=2026-11");
});

test("a refusal of the API names the members by their names in the address, or is one of something else", () => {
  const names = { cursor: "pagina", search: "q" };
  const refusal = (...paths: string[]) => ({
    ...{ code: "validation_failed", details: paths.map((path) => ({ path })) },
  });
  expect(refusedIn(refusal("cursor", "search"), names)).toEqual(["pagina", "q"]);
  expect(refusedIn(refusal("cursor", "limit"), names)).toEqual([]);
  expect(refusedIn({ ...refusal("cursor"), code: "not_found" }, names)).toEqual([]);
});
