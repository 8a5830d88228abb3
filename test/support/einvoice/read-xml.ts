import { SaxesParser } from "saxes";

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

/** Elements of a file by their names without prefix; `A/B` is a B right inside an A, at any depth. */
export interface Found {
  readonly root: string;
  all(path: string): string[];
  /** The only one, or the one at that place. */
  one(path: string, place?: number): string;
  each(path: string): Found[];
  attribute(path: string, name: string): string | undefined;
}

export function readXml(xml: string): Found {
  const parser = new SaxesParser();
  const top: Node = { name: "", attributes: {}, children: [], text: "" };
  const open: Node[] = [top];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
    const node = { name: local(name), attributes: Object.fromEntries(texts), children: [], text: "" };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(xml).close();
  const [root] = top.children;
  if (!root) throw new Error("no root");
  return foundIn(root);
}

function foundIn(root: Node): Found {
  const find = (path: string) => within(root, path.split("/"));
  return {
    root: root.name,
    all: (path) => find(path).map(({ text }) => text),
    each: (path) => find(path).map(foundIn),
    attribute: (path, name) => find(path)[0]?.attributes[name],
    one(path, place) {
      const nodes = find(path);
      const node = place === undefined ? nodes[0] : nodes[place];
      if (!node || (place === undefined && new Set(nodes.map(({ text }) => text)).size > 1)) {
        throw new Error(`${nodes.length} elements ${path}`);
      }
      return node.text;
    },
  };
}

function within(node: Node, path: readonly string[]): Node[] {
  const here = node.children.flatMap((child) => [...ending(child, path), ...within(child, path)]);
  return here;
}

/** The element itself, or those that the path leads to right inside it. */
function ending(node: Node, [first, ...rest]: readonly string[]): Node[] {
  if (node.name !== first) return [];
  return rest.length === 0 ? [node] : node.children.flatMap((child) => ending(child, rest));
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
