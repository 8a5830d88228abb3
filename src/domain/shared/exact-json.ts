import { invariant } from "./result.ts";

declare global {
  interface JSON {
    parse(
      text: string,
      revive: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * A number of a JSON text as it was written. It is a class, so that no object of a text passes for it.
 */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Parses JSON without ever making a double of a number. Throws SyntaxError as JSON.parse does. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, context) => {
    if (typeof value !== "number") return value;
    invariant(context.source !== undefined, "the runtime gives the source text of numbers");
    return new JsonNumber(context.source);
  });
}
