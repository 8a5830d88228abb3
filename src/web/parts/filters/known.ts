/**
 * Values of an address that can be meant: an address is typed, kept for years and cut by mails. A check says
 * `undefined` as long as it cannot know.
 */
export type Check = (value: string, all: URLSearchParams) => boolean | undefined;
export type Checks = Readonly<Record<string, Check>>;

export const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value);

/** Of what the API lists, once it has. */
export const amongIds =
  (listed: readonly { readonly id: string }[] | undefined): Check =>
  (value) =>
    listed?.some(({ id }) => id === value);

/** A civil day of a year that lists have (`isListed` of the API). */
export function isDay(value: string): boolean {
  if (!/^(19[7-9]|20\d)\d-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  // A 30 February is a day of March for the engine.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

export function isMonth(value: string): boolean {
  return isDay(`${value}-01`);
}

/** A last day: one before the first day of the address would make a list that is empty for ever. */
export const lastDay =
  (first: string): Check =>
  (value, all) => {
    const from = all.get(first) ?? "";
    return isDay(value) && (!isDay(from) || from <= value);
  };

/** The form of a place in a list, as the API writes it; whether the list has it is the API's to say. */
export function isPlace(value: string): boolean {
  try {
    const read: unknown = JSON.parse(atob(value.replaceAll("-", "+").replaceAll("_", "/")));
    return Array.isArray(read) && read.length === 2 && (read[0] === "after" || read[0] === "before");
  } catch {
    return false;
  }
}

/** The members of the address that do not exist, of those with a check. */
export function unknownIn(params: URLSearchParams, checks: Checks): readonly string[] {
  return Object.entries(checks).flatMap(([name, isKnown]) => {
    const value = params.get(name);
    return value !== null && isKnown(value, params) === false ? [name] : [];
  });
}

export function withoutNames(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const left = new URLSearchParams(params);
  for (const name of names) left.delete(name);
  return left;
}

interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly path: string }[];
}

/** The members of the address that the API refused, by their names in its query. */
export function refusedIn(refusal: Refusal, names: Readonly<Record<string, string>>): readonly string[] {
  if (refusal.code !== "validation_failed") return [];
  const refused = refusal.details.map(({ path }) => names[path.split(".")[0] ?? ""]);
  // A refusal of something else is shown.
  return refused.every((name) => name !== undefined) ? refused : [];
}
