import type { Amounts, InvoiceDocument } from "../../../domain/invoice/document.ts";
import { scaleOf } from "../../../domain/invoice/prepare.ts";
import { recordableEur, subtractAmounts, sumAmounts } from "../../../domain/invoice/tax-groups.ts";
import { type Decimal, decimal, isZero, ZERO } from "../../../domain/shared/decimal.ts";
import type { RegistrationContent } from "../../../domain/verifactu/record.ts";
import type { Bilingual, Language } from "../../language.ts";
import { fill, moneyText } from "./texts.ts";
import { type Coin, EURO } from "./totals.ts";

const CORRECTION: Bilingual = {
  es: "Importe de la rectificación: {amounts}",
  en: "Amount of the correction: {amounts}",
};
const CORRECTED: Bilingual = { es: "Importe rectificado: {amounts}", en: "Amount corrected: {amounts}" };
const BASE: Bilingual = { es: "base {amount}", en: "taxable {amount}" };
const TAX: Bilingual = { es: "cuota {amount}", en: "tax {amount}" };
const SURCHARGE: Bilingual = {
  es: "recargo de equivalencia {amount}",
  en: "equivalence surcharge {amount}",
};

/** One amount in the currency of the invoice, and in euros where that is another. */
interface Sides {
  readonly own: Amounts;
  readonly eur: Amounts;
  readonly coin: Coin;
}

/**
 * Article 15.5 RD 1619/2012: an invoice that tells the amounts as they are after a correction also tells what
 * the correction comes to. The amounts of before stand beside it.
 */
export function correctionTexts(
  document: InvoiceDocument,
  registration: RegistrationContent,
  language: Language,
): string[] {
  const sides = before(document, registration);
  if (!sides) return [];
  const { coin } = sides;
  const correction = {
    own: subtractAmounts(sides.after.own, sides.own),
    eur: subtractAmounts(sides.after.eur, sides.eur),
  };
  return [
    fill(CORRECTION, language, { amounts: amountsText({ ...correction, coin }, language) }),
    fill(CORRECTED, language, { amounts: amountsText(sides, language) }),
  ];
}

interface Before extends Sides {
  readonly after: Pick<Sides, "own" | "eur">;
}

/** As the document keeps it; older ones leave it to ImporteRectificacion, in euros and as the record says. */
function before(document: InvoiceDocument, { rectifiedAmounts }: RegistrationContent): Before | undefined {
  const { rectified, groups, totals, totalsEur, request } = document;
  if (rectified) {
    const { elsewhere } = rectified;
    const coin = { currency: request.currency, decimals: scaleOf(request.currency) };
    return {
      own: sumAmounts([
        ...rectified.groups.map(({ amounts }) => amounts),
        ...(elsewhere ? [elsewhere.amounts] : []),
      ]),
      eur: sumAmounts([...rectified.groups.map(({ eur }) => eur), ...(elsewhere ? [elsewhere.eur] : [])]),
      coin,
      after: { own: totals, eur: totalsEur },
    };
  }
  if (!rectifiedAmounts) return undefined;
  const { base, tax, surcharge } = rectifiedAmounts;
  const own = {
    base: decimal(base),
    tax: decimal(tax),
    surcharge: surcharge === undefined ? ZERO : decimal(surcharge),
  };
  const after = sumAmounts(groups.map(recordableEur));
  return { own, eur: own, coin: EURO, after: { own: after, eur: after } };
}

function amountsText({ own, eur, coin }: Sides, language: Language): string {
  const part = (words: Bilingual, of: (amounts: Amounts) => Decimal) => {
    const amount = moneyText(of(own), coin, language);
    const euros = coin.currency === EURO.currency ? "" : ` (${moneyText(of(eur), EURO, language)})`;
    return fill(words, language, { amount: amount + euros });
  };
  const hasSurcharge = !isZero(own.surcharge) || !isZero(eur.surcharge);
  return [
    part(BASE, ({ base }) => base),
    part(TAX, ({ tax }) => tax),
    ...(hasSurcharge ? [part(SURCHARGE, ({ surcharge }) => surcharge)] : []),
  ].join(", ");
}
