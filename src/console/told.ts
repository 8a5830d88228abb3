/** Members with instants end in `At` or are named `at`. */
type InstantName = "at" | `${string}At`;

/** The wire form: instants become ISO texts, all other values stay. */
export type Told<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer One)[]
    ? Told<One>[]
    : { [Name in keyof Value]: Name extends InstantName ? ToldInstant<Value[Name]> : Told<Value[Name]> };

type ToldInstant<Value> = undefined extends Value ? string | undefined : string;

export function told<Value>(value: Value): Told<Value> {
  // The walk implements the type; the compiler cannot check that.
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
