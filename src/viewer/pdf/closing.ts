import type { DrawnLines } from "./lines-table.ts";
import { NOTES, SMALL, SOFT } from "./measures.ts";
import type { Ink } from "./paper.ts";
import { contentBottom, heightOf, legalParagraph, roomFor, type Setting } from "./setting.ts";
import type { Element } from "./structure.ts";
import { drawTaxes, taxesHeight } from "./taxes-table.ts";
import { drawTotals, totalsHeight } from "./totals.ts";

const ABOVE_TAXES = 10;
const ABOVE_TOTALS = 7;
const ABOVE_NOTES = 0.8;
const BELOW_NOTE = 3;

/** Taxes, totals and notes: together on one sheet wherever one sheet can hold them. */
export function drawClosing(setting: Setting, lines: DrawnLines): void {
  const beside = Math.max(totalsHeight(setting), notesHeight(setting));
  const height = taxesHeight(setting) + ABOVE_TOTALS + beside;
  const fits = lines.bottom + ABOVE_TAXES + height <= contentBottom(setting);
  const taxes = drawTaxes(setting, (fits ? lines.bottom : lines.carryOver()) + ABOVE_TAXES);
  const top = roomFor(setting, taxes + ABOVE_TOTALS, notesHeight(setting));
  // Notes are read after the totals, but drawn from the same height.
  const totals = setting.paper.root.child("Sect");
  drawNotes(setting, setting.paper.root.child("Sect"), top);
  drawTotals(setting, totals, top);
}

function notesHeight({ invoice, regular }: Setting): number {
  const ink: Ink = { type: SMALL, font: regular };
  return invoice.notes.reduce((sum, { text, gloss }) => {
    const below = gloss === undefined ? 0 : heightOf(gloss, ink, NOTES.width);
    return sum + heightOf(text, ink, NOTES.width) + below + BELOW_NOTE;
  }, 0);
}

function drawNotes(setting: Setting, block: Element, start: number): void {
  const ink: Ink = { type: SMALL, font: setting.regular, colour: SOFT };
  let top = start + ABOVE_NOTES;
  for (const words of setting.invoice.notes) {
    const place = { x: NOTES.left, width: NOTES.width, top };
    top = legalParagraph(setting, block, { words, ink, place }) + BELOW_NOTE;
  }
}
