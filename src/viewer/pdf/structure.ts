import {
  array,
  dictionary,
  name,
  type PdfFile,
  type Ref,
  reference,
  textString,
  type Written,
} from "./file.ts";

/** Standard structure types that an invoice needs (ISO 32000-1, 14.8.4). */
export type ElementType =
  | "Document"
  | "Sect"
  | "H1"
  | "H2"
  | "P"
  | "Figure"
  | "Link"
  | "Table"
  | "TR"
  | "TH"
  | "TD"
  | "Span";

export interface ElementOptions {
  /** Read aloud instead of the drawing. */
  readonly alternative?: string;
  /** Given if it differs from the document's language. */
  readonly language?: string;
  readonly scope?: "Column" | "Row";
  /** A summary of the table. */
  readonly summary?: string;
  /** The place of a picture, in points from the lower left corner. */
  readonly box?: readonly number[];
}

/** Part of a page: content between two marks, or an annotation. */
type Leaf =
  | { readonly page: number; readonly mark: number }
  | { readonly page: number; readonly annotation: Ref };

/** One node of the tree of tables, headings and pictures: screen readers follow its order. */
export class Element {
  readonly type: ElementType;
  readonly options: ElementOptions;
  readonly #kids: (Element | Leaf)[] = [];

  constructor(type: ElementType, options: ElementOptions = {}) {
    this.type = type;
    this.options = options;
  }

  child(type: ElementType, options: ElementOptions = {}): Element {
    const element = new Element(type, options);
    this.#kids.push(element);
    return element;
  }

  addMark(page: number, mark: number): void {
    this.#kids.push({ page, mark });
  }

  addAnnotation(page: number, annotation: Ref): void {
    this.#kids.push({ page, annotation });
  }

  /** Elements without any drawing are left out. */
  isEmpty(): boolean {
    return this.#kids.every((kid) => kid instanceof Element && kid.isEmpty());
  }

  /** Writes itself and its children; `owners` records the element of each mark. */
  write(file: PdfFile, parent: Ref, pages: readonly Ref[], owners: Owners): Ref {
    const own = file.reserve();
    const kids = this.#kids.flatMap((kid): Written[] => {
      if (!(kid instanceof Element)) return [leaf(kid, own, pages, owners)];
      return kid.isEmpty() ? [] : [reference(kid.write(file, own, pages, owners))];
    });
    const { alternative, language } = this.options;
    file.add(
      dictionary({
        Type: name("StructElem"),
        S: name(this.type),
        P: reference(parent),
        K: array(kids),
        Alt: alternative === undefined ? undefined : textString(alternative),
        Lang: language === undefined ? undefined : textString(language),
        A: attributes(this.options),
      }),
      own,
    );
    return own;
  }
}

/** The element that owns each mark of a page and each annotation. */
export interface Owners {
  /** By page, then by mark. */
  readonly marks: Ref[][];
  readonly annotations: Map<Ref, Ref>;
}

function leaf(kid: Leaf, own: Ref, pages: readonly Ref[], owners: Owners): Written {
  const page = reference(pages[kid.page] ?? 0);
  if ("annotation" in kid) {
    owners.annotations.set(kid.annotation, own);
    return dictionary({ Type: name("OBJR"), Pg: page, Obj: reference(kid.annotation) });
  }
  const marks = owners.marks[kid.page] ?? [];
  marks[kid.mark] = own;
  owners.marks[kid.page] = marks;
  return dictionary({ Type: name("MCR"), Pg: page, MCID: String(kid.mark) });
}

function attributes({ scope, summary, box }: ElementOptions): Written | undefined {
  if (box) return dictionary({ O: name("Layout"), Placement: name("Block"), BBox: array(box) });
  if (scope === undefined && summary === undefined) return undefined;
  return dictionary({
    O: name("Table"),
    Scope: scope === undefined ? undefined : name(scope),
    Summary: summary === undefined ? undefined : textString(summary),
  });
}

/** The root of the tree, and the references from marks and annotations to it. */
export function writeStructure(
  file: PdfFile,
  root: Element,
  pages: readonly Ref[],
  annotationKeys: ReadonlyMap<Ref, number>,
): Ref {
  const owners: Owners = { marks: pages.map(() => []), annotations: new Map() };
  const tree = file.reserve();
  const document = root.write(file, tree, pages, owners);
  const byPage = owners.marks.map((marks, page) => `${page} ${array(marks.map(reference))}`);
  const byAnnotation = [...annotationKeys].flatMap(([annotation, key]) => {
    const owner = owners.annotations.get(annotation);
    return owner === undefined ? [] : [`${key} ${reference(owner)}`];
  });
  const parents = file.add(dictionary({ Nums: array([...byPage, ...byAnnotation]) }));
  return file.add(
    dictionary({
      Type: name("StructTreeRoot"),
      K: array([reference(document)]),
      ParentTree: reference(parents),
      ParentTreeNextKey: String(pages.length + annotationKeys.size),
    }),
    tree,
  );
}
