import { SaxesParser, type SaxesTagNS } from "saxes";
import { err, ok, type Result } from "../domain/shared/result.ts";

export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** The text directly inside, as written. */
  readonly text: string;
}

export type XmlProblem = "encoding" | "malformed" | "forbidden" | "too_deep" | "too_many";

interface OpenElement {
  readonly namespace: string;
  readonly name: string;
  readonly children: OpenElement[];
  text: string;
}

/** The answer has seven levels, and a thousand lines of at most twenty elements. */
const DEEPEST = 32;
const MOST_NODES = 100_000;

class Unreadable extends Error {
  readonly problem: XmlProblem;
  constructor(problem: XmlProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Well-formed XML 1.0 with namespaces, or a problem. A document type is refused at sight, so there is no
 * entity but the five that XML has; so are processing instructions, which SOAP 1.1 forbids as well.
 */
export function readXml(bytes: Uint8Array): Result<XmlElement, XmlProblem> {
  try {
    const text = decoded(bytes);
    return ok(parse(text));
  } catch (error) {
    return err(error instanceof Unreadable ? error.problem : "malformed");
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Unreadable("encoding");
  }
}

function parse(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const document: OpenElement = { namespace: "", name: "", children: [], text: "" };
  const open = [document];
  let nodes = 0;
  const count = () => {
    nodes += 1;
    if (nodes > MOST_NODES) throw new Unreadable("too_many");
  };
  parser.on("error", refuse("malformed"));
  parser.on("doctype", refuse("forbidden"));
  parser.on("processinginstruction", refuse("forbidden"));
  parser.on("xmldecl", ({ encoding = "utf-8", version }) => {
    if (version !== undefined && version !== "1.0") throw new Unreadable("malformed");
    if (!/^utf-8$/i.test(encoding)) throw new Unreadable("encoding");
  });
  parser.on("attribute", count);
  parser.on("opentagstart", () => {
    count();
    if (open.length > DEEPEST) throw new Unreadable("too_deep");
  });
  parser.on("opentag", (tag) => open.push(elementOf(tag)));
  parser.on("text", (part) => appendTo(open, part));
  parser.on("cdata", (part) => appendTo(open, part));
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed) open.at(-1)?.children.push(closed);
  });
  parser.write(text).close();
  const [root] = document.children;
  if (!root) throw new Unreadable("malformed");
  return root;
}

function refuse(problem: XmlProblem): () => never {
  return () => {
    throw new Unreadable(problem);
  };
}

function elementOf({ uri, local }: SaxesTagNS): OpenElement {
  return { namespace: uri, name: local, children: [], text: "" };
}

function appendTo(open: readonly OpenElement[], part: string): void {
  const innermost = open.at(-1);
  if (innermost) innermost.text += part;
}
