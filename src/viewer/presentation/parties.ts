import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { Recipient } from "../../domain/invoice/request.ts";
import type { RecordRecipient, RegistrationContent } from "../../domain/verifactu/record.ts";
import { countryText, type Language } from "../../words/words.ts";
import { fill, shownText, WORDS } from "./words.ts";

export interface Party {
  /** Empty if none is known. */
  readonly name: string;
  /** Identifier and address, one below the other. */
  readonly details: readonly string[];
}

export function issuerOf({ document }: InvoiceView, language: Language): Party {
  const { name, nif, address1, postcode, city } = document.issuer;
  const details = [`${fill(WORDS.nif, language)} ${nif}`, address1, `${postcode} ${city}`];
  return { name: shownText(name), details: details.map(shownText) };
}

/** Undefined without a recipient. */
export function recipientOf(
  { document }: InvoiceView,
  registration: RegistrationContent,
  language: Language,
): Party | undefined {
  const { recipient } = document.request;
  if (!recipient) return undefined;
  const [identified] = registration.recipients ?? [];
  const details = [
    ...(identified ? [identifierText(identified, language)] : []),
    ...addressLines(recipient, language),
  ];
  return { name: shownText(recipient.company ?? ""), details: details.map(shownText) };
}

const EU_VAT = "02";

/** As in the record for the AEAT. */
function identifierText(recipient: RecordRecipient, language: Language): string {
  if ("nif" in recipient) return `${fill(WORDS.nif, language)} ${recipient.nif}`;
  const label = recipient.idType === EU_VAT ? WORDS.vatNumber : WORDS.idNumber;
  return `${fill(label, language)} ${recipient.id}`;
}

/** Abroad, the country follows the place. */
function addressLines({ address1, postcode, city, country }: Recipient, language: Language): string[] {
  const place = [postcode, city].filter(isTold).join(" ");
  const abroad = country === undefined || country === "ES" ? "" : countryText(country, language);
  return [address1, [place, abroad].filter(isTold).join(", ")].filter(isTold);
}

function isTold(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
