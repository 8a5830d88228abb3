/** Members that are instants say so by their names: `at`, `signedAt`, `nextAt`. */
type InstantName = "at" | `${string}At`;

/** As the browser is told it: instants as ISO texts, all else as it is. */
export type Told<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer One)[]
    ? Told<One>[]
    : { [Name in keyof Value]: Name extends InstantName ? ToldInstant<Value[Name]> : Told<Value[Name]> };

type ToldInstant<Value> = undefined extends Value ? string | undefined : string;

export function told<Value>(value: Value): Told<Value> {
  // What the type describes is what the walk does.
  return walked(value) as Told<Value>;
}

function walked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "number" && isInstantName(name) ? new Date(member).toISOString() : walked(member),
    ]),
  );
}

function isInstantName(name: string): boolean {
  return name === "at" || name.endsWith("At");
}
