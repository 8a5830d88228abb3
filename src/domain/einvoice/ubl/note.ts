import { isZero, round, sum, toFixed, ZERO } from "../../shared/decimal.ts";
import { dateText, numberText } from "../../shared/typography.ts";
import { type ElectronicInvoice, type MentionKind, mentionsOf } from "../electronic-invoice.ts";
import type { UblDocument } from "./ubl-document.ts";

/** Mentions without an element of their own; reasons for no tax are BT-120. */
const IN_THE_NOTE: readonly MentionKind[] = [
  "test",
  "replaces",
  "no_recipient",
  "qualified_simplified",
  "special_regime",
  "one_stop_shop",
];

/** BT-22, one note for everything that EN 16931 has no element for (Peppol allows one: R002). */
export function noteOf(document: UblDocument): string {
  const { invoice } = document;
  const parts = [
    invoice.description,
    ...mentionsOf(invoice, IN_THE_NOTE),
    ...surchargeTexts(document),
    ...exchangeText(invoice),
    ...(invoice.issuer.registry === undefined ? [] : [invoice.issuer.registry]),
  ];
  return parts.reduce((note, part) => `${note}${/[.!?…]$/u.test(note) ? " " : ". "}${part}`);
}

/** `Recargo de equivalencia 5,2 % sobre 100,00: 5,20`, each rate once, the highest first. */
function surchargeTexts({ invoice, signed }: UblDocument): string[] {
  const { groups, decimals } = invoice;
  const surcharged = groups.filter(({ surchargeRate }) => !isZero(surchargeRate ?? ZERO));
  return [...Map.groupBy(surcharged, ({ surchargeRate = ZERO }) => surchargeRate)].map(([rate, members]) => {
    const figure = (part: "base" | "surcharge") => {
      const amount = signed(sum(members.map(({ amounts }) => amounts[part])));
      return numberText(toFixed(round(amount, decimals), decimals), "es");
    };
    return (
      `Recargo de equivalencia ${numberText(rate, "es")} % ` +
      `sobre ${figure("base")}: ${figure("surcharge")}`
    );
  });
}

function exchangeText({ exchange, currency }: ElectronicInvoice): string[] {
  if (!exchange) return [];
  const rate = numberText(exchange.rate, "es");
  return [`Tipo de cambio del ${dateText(exchange.date, "es")}: 1 EUR = ${rate} ${currency}`];
}
