import { array, dictionary, name, PdfFile, type Ref, real, reference, textString } from "./file.ts";
import { MM, SHEET } from "./measures.ts";
import { cornersOf, type Drawn, type Link, PICTURE, type Picture } from "./paper.ts";
import { writeStructure } from "./structure.ts";

export interface Properties {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly creator: string;
  /** RFC 3339, with offset. */
  readonly createdAt: string;
  readonly changedAt: string;
  /** Hexadecimal; unique to this file. */
  readonly id: string;
}

/** Writes the drawing into a file: sheets, fonts, links, structure, and metadata. */
export function documentBytes(
  { sheets, fonts, picture, root }: Drawn,
  properties: Properties,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = new PdfFile();
  const pages = sheets.map(() => file.reserve());
  const tree = file.reserve();
  const annotationKeys = new Map<Ref, number>();
  const fontRefs = fonts.map((font) => [font.resource, reference(font.addTo(file))] as const);
  const resources = file.add(
    dictionary({
      Font: dictionary(Object.fromEntries(fontRefs)),
      XObject: picture && dictionary({ [PICTURE]: reference(addPicture(file, picture)) }),
    }),
  );
  sheets.forEach((sheet, index) => {
    const content = file.addStream(sheet.operators.join("\n"));
    const annotations = sheet.links.map((link) => {
      const key = sheets.length + annotationKeys.size;
      const ref = addLink(file, link, key);
      link.element.addAnnotation(index, ref);
      annotationKeys.set(ref, key);
      return ref;
    });
    file.add(pageOf({ tree, resources, content, annotations, index }), pages[index]);
  });
  file.add(
    dictionary({ Type: name("Pages"), Kids: array(pages.map(reference)), Count: String(pages.length) }),
    tree,
  );
  const structure = writeStructure(file, root, pages, annotationKeys);
  const catalogue = file.add(catalogueOf({ tree, structure, properties }));
  return file.bytes(catalogue, file.add(informationOf(properties)), properties.id);
}

function addPicture(file: PdfFile, { width, height, bytes }: Picture): Ref {
  return file.addDeflated(bytes, {
    Type: name("XObject"),
    Subtype: name("Image"),
    Width: String(width),
    Height: String(height),
    ColorSpace: name("DeviceRGB"),
    BitsPerComponent: "8",
  });
}

function addLink(file: PdfFile, { area, url, text }: Link, key: number): Ref {
  return file.add(
    dictionary({
      Type: name("Annot"),
      Subtype: name("Link"),
      Rect: array(cornersOf(area)),
      Border: "[0 0 0]",
      F: "4",
      Contents: textString(text),
      StructParent: String(key),
      A: dictionary({ S: name("URI"), URI: `(${url.replace(/[\\()]/g, "\\$&")})` }),
    }),
  );
}

interface PageParts {
  readonly tree: Ref;
  readonly resources: Ref;
  readonly content: Ref;
  readonly annotations: readonly Ref[];
  readonly index: number;
}

function pageOf({ tree, resources, content, annotations, index }: PageParts) {
  return dictionary({
    Type: name("Page"),
    Parent: reference(tree),
    MediaBox: `[0 0 ${real(SHEET.width * MM)} ${real(SHEET.height * MM)}]`,
    Resources: reference(resources),
    Contents: reference(content),
    StructParents: String(index),
    Tabs: name("S"),
    Annots: annotations.length === 0 ? undefined : array(annotations.map(reference)),
  });
}

interface CatalogueParts {
  readonly tree: Ref;
  readonly structure: Ref;
  readonly properties: Properties;
}

function catalogueOf({ tree, structure, properties }: CatalogueParts) {
  return dictionary({
    Type: name("Catalog"),
    Pages: reference(tree),
    Lang: textString(properties.language),
    MarkInfo: "<</Marked true>>",
    StructTreeRoot: reference(structure),
    ViewerPreferences: "<</DisplayDocTitle true>>",
  });
}

function informationOf({ title, author, creator, createdAt, changedAt }: Properties) {
  return dictionary({
    Title: textString(title),
    Author: textString(author),
    Creator: textString(creator),
    Producer: textString(creator),
    CreationDate: `(${dateText(createdAt)})`,
    ModDate: `(${dateText(changedAt)})`,
  });
}

/** `D:20261127120000+01'00'` (ISO 32000-1, 7.9.4). */
function dateText(instant: string): string {
  const [, day = "", time = "", sign = "+", hours = "00", minutes = "00"] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}).*?([+-])(\d{2}):(\d{2})$/.exec(instant) ?? [];
  return `D:${day.replaceAll("-", "")}${time.replaceAll(":", "")}${sign}${hours}'${minutes}'`;
}
