import type { InvoicePresentation } from "../presentation/invoice-presentation.ts";
import { fill } from "../presentation/texts.ts";
import { WORDS } from "../presentation/words.ts";
import { drawClosing } from "./closing.ts";
import { documentBytes, type Properties } from "./document.ts";
import { theFonts } from "./fonts.ts";
import { drawHead } from "./head.ts";
import { drawLines } from "./lines-table.ts";
import { Paper } from "./paper.ts";
import { drawParties } from "./parties.ts";
import { PdfFont } from "./pdf-font.ts";
import { drawFeet, footOf, type Setting } from "./setting.ts";

/** A4, as many sheets as it takes; the same invoice gives the same bytes. */
export async function invoicePdf(
  invoice: InvoicePresentation,
  creator: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const fonts = await theFonts();
  const regular = new PdfFont(fonts.regular, { resource: "R", postScriptName: "IBMPlexSans", weight: 400 });
  const bold = new PdfFont(fonts.semibold, {
    resource: "B",
    postScriptName: "IBMPlexSans-SemiBold",
    weight: 600,
  });
  const paper = new Paper([regular, bold]);
  const setting: Setting = { paper, invoice, regular, bold, foot: footOf(invoice.registry, regular) };
  const linesTop = drawParties(setting, drawHead(setting));
  drawClosing(setting, drawLines(setting, linesTop));
  drawFeet(setting);
  return documentBytes(paper.drawn, propertiesOf(invoice, creator));
}

function propertiesOf(invoice: InvoicePresentation, creator: string): Properties {
  const { language, number, issuer, record } = invoice;
  return {
    title: fill(WORDS.invoiceNumber, language, { number }),
    author: issuer.name,
    language: language === "es" ? "es-ES" : "en-GB",
    creator,
    createdAt: record.generatedAt,
    changedAt: record.changedAt,
    id: record.hash.slice(0, 32),
  };
}
