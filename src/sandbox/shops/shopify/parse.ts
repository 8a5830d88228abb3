/** GraphQL documents: operations, fields, arguments, variables and fragments. */

export interface Field {
  readonly kind: "field";
  readonly name: string;
  /** The name in the answer. */
  readonly alias: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly fields: readonly Selection[];
}

interface Fragment {
  readonly kind: "fragment";
  readonly on: string;
  readonly fields: readonly Selection[];
}

export type Selection = Field | Fragment;

export type Value =
  | { readonly variable: string }
  | { readonly literal: string | number | boolean | null }
  | { readonly list: readonly Value[] }
  | { readonly object: Readonly<Record<string, Value>> };

export interface Operation {
  readonly kind: "query" | "mutation";
  readonly name: string | undefined;
  /** Required variables end in `!`. */
  readonly variables: readonly { readonly name: string; readonly type: string; readonly byDefault?: Value }[];
  readonly fields: readonly Selection[];
}

export class SyntaxProblem extends Error {}

const TOKEN = /(?:[\s,]+|#[^\n]*)*(\.\.\.|[!$():=@[\]{}|]|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*")?/y;
const SPREAD = "...";

/** The only operation of the text, with its named fragments in place. */
export function parseOperation(text: string): Operation {
  const reader = new Reader(tokensOf(text));
  const fragments = new Map<string, Fragment>();
  const operations: Operation[] = [];
  while (reader.peek() !== undefined) {
    if (reader.peek() === "fragment") fragments.set(...reader.fragment());
    else operations.push(reader.operation());
  }
  const [operation] = operations;
  if (!operation || operations.length > 1) throw new SyntaxProblem("one operation is expected");
  return { ...operation, fields: spread(operation.fields, fragments, []) };
}

/** A fragment inside itself is refused. */
function spread(
  selections: readonly Selection[],
  fragments: ReadonlyMap<string, Fragment>,
  inside: readonly string[],
): readonly Selection[] {
  return selections.map((one) => {
    if (one.kind === "field" || !one.on.startsWith(SPREAD)) {
      return { ...one, fields: spread(one.fields, fragments, inside) };
    }
    const name = one.on.slice(SPREAD.length);
    const found = fragments.get(name);
    if (!found || inside.includes(name)) throw new SyntaxProblem(`Fragment ${name} cannot be used`);
    return { ...found, fields: spread(found.fields, fragments, [...inside, name]) };
  });
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const [whole = "", token] = TOKEN.exec(text) ?? [];
    if (token !== undefined) tokens.push(token);
    else if (whole === "") throw new SyntaxProblem(`Unexpected character at ${from}`);
    TOKEN.lastIndex = from + whole.length;
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  fragment(): [name: string, fragment: Fragment] {
    this.#expect("fragment");
    const name = this.#name();
    this.#expect("on");
    return [name, { kind: "fragment", on: this.#name(), fields: this.#fields() }];
  }

  operation(): Operation {
    if (this.peek() === "{") {
      return { kind: "query", name: undefined, variables: [], fields: this.#fields() };
    }
    const kind = this.#name();
    if (kind !== "query" && kind !== "mutation") throw new SyntaxProblem(`Unexpected ${kind}`);
    const name = this.peek() === "(" || this.peek() === "{" ? undefined : this.#name();
    const variables = this.#skips("(") ? this.#until(")", () => this.#variable()) : [];
    this.#directives();
    return { kind, name, variables, fields: this.#fields() };
  }

  #next(): string {
    const token = this.peek();
    if (token === undefined) throw new SyntaxProblem("Unexpected end of document");
    this.#at += 1;
    return token;
  }

  /** True if the token is next, which is then passed. */
  #skips(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new SyntaxProblem(`Expected ${token}, found ${found}`);
  }

  #name(): string {
    const token = this.#next();
    if (!/^[A-Za-z_]/.test(token)) throw new SyntaxProblem(`Expected a name, found ${token}`);
    return token;
  }

  #until<Entry>(end: string, read: () => Entry): Entry[] {
    const entries: Entry[] = [];
    while (!this.#skips(end)) entries.push(read());
    return entries;
  }

  #fields(): readonly Selection[] {
    return this.#skips("{") ? this.#until("}", () => this.#selection()) : [];
  }

  #selection(): Selection {
    if (!this.#skips(SPREAD)) return this.#field();
    const isNamed = this.peek() !== "on" && this.peek() !== "{";
    if (isNamed) return { kind: "fragment", on: `${SPREAD}${this.#name()}`, fields: [] };
    const on = this.#skips("on") ? this.#name() : "";
    this.#directives();
    return { kind: "fragment", on, fields: this.#fields() };
  }

  #field(): Field {
    const alias = this.#name();
    const name = this.#skips(":") ? this.#name() : alias;
    const args = this.#args();
    this.#directives();
    return { kind: "field", alias, name, args, fields: this.#fields() };
  }

  #args(): Readonly<Record<string, Value>> {
    return this.#skips("(") ? Object.fromEntries(this.#until(")", () => this.#pair())) : {};
  }

  #pair(): [string, Value] {
    const key = this.#name();
    this.#expect(":");
    return [key, this.#value()];
  }

  #value(): Value {
    const token = this.#next();
    if (token === "$") return { variable: this.#name() };
    if (token === "[") return { list: this.#until("]", () => this.#value()) };
    if (token === "{") return { object: Object.fromEntries(this.#until("}", () => this.#pair())) };
    if (token.startsWith('"')) return { literal: String(JSON.parse(token)) };
    if (/^-?\d/.test(token)) return { literal: Number(token) };
    if (token === "true" || token === "false") return { literal: token === "true" };
    // A name is a value of an enumeration.
    return { literal: token === "null" ? null : token };
  }

  #variable(): Operation["variables"][number] {
    this.#expect("$");
    const name = this.#name();
    this.#expect(":");
    const type = this.#type();
    return this.#skips("=") ? { name, type, byDefault: this.#value() } : { name, type };
  }

  #type(): string {
    let type: string;
    if (this.#skips("[")) {
      type = `[${this.#type()}]`;
      this.#expect("]");
    } else type = this.#name();
    return this.#skips("!") ? `${type}!` : type;
  }

  #directives(): void {
    while (this.#skips("@")) {
      this.#name();
      this.#args();
    }
  }
}
