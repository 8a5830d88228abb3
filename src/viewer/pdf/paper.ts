import { real } from "./file.ts";
import { type Colour, INK, MM, SHEET } from "./measures.ts";
import type { PdfFont } from "./pdf-font.ts";
import { Element, type ElementOptions, type ElementType } from "./structure.ts";
import { widthOf } from "./text-wrap.ts";

export interface Type {
  readonly size: number;
  readonly leading: number;
}

export interface Ink {
  readonly type: Type;
  readonly font: PdfFont;
  readonly colour?: Colour;
  readonly align?: "left" | "right" | "centre";
}

/** The place of a line of text: its box from the top, and its alignment. */
export interface Place {
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

export interface Sheet {
  readonly operators: string[];
  marks: number;
  readonly links: Link[];
}

export interface Link {
  readonly element: Element;
  readonly area: Area;
  readonly url: string;
  readonly text: string;
}

/** Red, green and blue of each pixel, as a stream of zlib. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The name of the one picture among the resources of the sheets. */
export const PICTURE = "Logo";

export interface Drawn {
  readonly picture?: Picture;
  readonly sheets: readonly Sheet[];
  readonly fonts: readonly PdfFont[];
  readonly root: Element;
}

/** Sheets of paper, drawn in millimetres, with the structure of the drawing. */
export class Paper {
  readonly root = new Element("Document");
  readonly #sheets: Sheet[] = [];
  readonly #fonts: readonly PdfFont[];
  #current = 0;
  #picture: Picture | undefined;

  constructor(fonts: readonly PdfFont[]) {
    this.#fonts = fonts;
    this.nextSheet();
  }

  get sheetCount(): number {
    return this.#sheets.length;
  }

  nextSheet(): void {
    this.#sheets.push({ operators: [], marks: 0, links: [] });
    this.#current = this.#sheets.length - 1;
  }

  /** Returns to a sheet for text that is known only after all sheets are drawn. */
  turnTo(sheet: number): void {
    this.#current = sheet;
  }

  /** Assigns all drawing inside to the element. */
  within(element: Element, draw: () => void): void {
    const sheet = this.#sheet();
    const mark = sheet.marks++;
    element.addMark(this.#current, mark);
    sheet.operators.push(`/${element.type} <</MCID ${mark}>> BDC`);
    draw();
    sheet.operators.push("EMC");
  }

  /** A new element below `parent`, with its drawing. */
  draw(parent: Element, type: ElementType, draw: () => void, options: ElementOptions = {}): Element {
    const element = parent.child(type, options);
    this.within(element, draw);
    return element;
  }

  /** Ornaments and repetitions on every sheet: screen readers skip them. */
  ornament(draw: () => void): void {
    const { operators } = this.#sheet();
    operators.push("/Artifact BMC");
    draw();
    operators.push("EMC");
  }

  /** One line of text; returns the top of the next. */
  line(text: string, { x, top, width }: Place, ink: Ink): number {
    const { type, font, colour = INK, align = "left" } = ink;
    const free = align === "left" ? 0 : width - widthOf(text, font, type.size);
    const left = x + (align === "centre" ? free / 2 : free);
    const baseline = top + (type.leading - EM_BOX * emOf(type)) / 2 + ASCENT * emOf(type);
    if (text !== "") {
      this.#sheet().operators.push(
        `BT ${colourText(colour)} rg /${font.resource} ${type.size} Tf ${point(left, baseline)} Td ` +
          `${font.encoded(text)} Tj ET`,
      );
    }
    return top + type.leading;
  }

  /** Lines one below the other; returns the top of the next block. */
  lines(texts: readonly string[], place: Place, ink: Ink): number {
    return texts.reduce((top, text) => this.line(text, { ...place, top }, ink), place.top);
  }

  /** A hairline or a stronger one, its upper edge at `top`. */
  rule(area: Omit<Area, "height">, thickness: number, colour: Colour): void {
    this.box({ ...area, height: thickness }, colour);
  }

  box({ x, top, width, height }: Area, colour: Colour): void {
    this.boxes([{ x, top, width, height }], colour);
  }

  /** Filled as one shape: no seam shows between them. */
  boxes(areas: readonly Area[], colour: Colour): void {
    const shapes = areas.map(
      ({ x, top, width, height }) => `${point(x, top + height)} ${real(width * MM)} ${real(height * MM)} re`,
    );
    this.#sheet().operators.push(`${colourText(colour)} rg ${shapes.join(" ")} f`);
  }

  /** Draws the picture of the document over the area. */
  picture({ x, top, width, height }: Area, picture: Picture): void {
    this.#picture = picture;
    const size = `${real(width * MM)} 0 0 ${real(height * MM)}`;
    this.#sheet().operators.push(`q ${size} ${point(x, top + height)} cm /${PICTURE} Do Q`);
  }

  /** Makes an area of the sheet a link, which belongs to the element. */
  link(element: Element, area: Area, { url, text }: Pick<Link, "url" | "text">): void {
    this.#sheet().links.push({ element, area, url, text });
  }

  /** All that was drawn, to be put into a file. */
  get drawn(): Drawn {
    const picture = this.#picture ? { picture: this.#picture } : {};
    return { ...picture, sheets: this.#sheets, fonts: this.#fonts, root: this.root };
  }

  #sheet(): Sheet {
    const sheet = this.#sheets[this.#current];
    if (!sheet) throw new Error("there is no such sheet");
    return sheet;
  }
}

export interface Area extends Place {
  readonly height: number;
}

/** For IBM Plex Sans, per size: the height of a text line's box, and the ascent of its letters. */
const EM_BOX = 1.3;
const ASCENT = 1.025;

/** In millimetres. */
function emOf({ size }: Type): number {
  return size / MM;
}

/** Lower left and upper right, in points. */
export function cornersOf({ x, top, width, height }: Area): readonly number[] {
  const [low, high] = [SHEET.height - top - height, SHEET.height - top];
  return [x, low, x + width, high].map((value) => value * MM);
}

/** A point of the sheet; PDF counts from the lower edge. */
function point(x: number, top: number): string {
  return `${real(x * MM)} ${real((SHEET.height - top) * MM)}`;
}

function colourText(colour: Colour): string {
  return colour.map((part) => real(part / 255)).join(" ");
}
