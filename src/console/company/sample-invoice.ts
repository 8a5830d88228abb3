import { decideIssue } from "../../domain/invoice/decide-issue.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { Issuer } from "../../domain/invoice/issuer.ts";
import type { UsualTerms } from "../../domain/invoice/payment-terms.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { TAX_OF_TERRITORY, type Territory } from "../../domain/invoice/settings.ts";
import { ratesOn } from "../../domain/invoice/tax-rates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { compare, decimal, ONE } from "../../domain/shared/decimal.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { invariant } from "../../domain/shared/result.ts";
import { unissuedView } from "../unissued-view.ts";

interface SampleOf {
  readonly accountId: string;
  readonly issuer: Issuer;
  readonly territory: Territory;
  readonly timeZone: TimeZone;
  readonly terms?: UsualTerms | undefined;
  readonly footer?: string | undefined;
  readonly today: CivilDate;
}

/** An invoice that was never issued, decided as others are, to show a look on. */
export function sampleInvoice(of: SampleOf): InvoiceView {
  const { accountId, issuer, territory, timeZone, terms, footer, today } = of;
  const tax = TAX_OF_TERRITORY[territory];
  const [rate = decimal("21")] = (ratesOn(tax, today) ?? []).toSorted((a, b) => compare(b, a));
  const line = { quantity: ONE, taxRate: rate, qualification: "S1" } as const;
  const prepared = prepareInvoice({
    externalId: "muestra",
    invoiceType: "F1",
    regime: "art6_full",
    flags: [],
    description: "Pedido 1024",
    currency: "EUR",
    pricesIncludeTax: false,
    recipient: {
      company: "Librería del Puerto SL",
      vatNumber: "B12345674",
      address1: "Calle de la Paz 3",
      postcode: "46003",
      city: "Valencia",
      country: "ES",
    },
    lines: [
      { ...line, description: "Mesa de roble", priceUnit: decimal("240") },
      { ...line, description: "Transporte", priceUnit: decimal("18.5") },
    ],
    rectifies: [],
  });
  const context = {
    settings: {
      ...{ version: 0, accountId, issuer, territory, timeZone, multipleIssuers: false },
      ...{ defaultRegime: "01", connectionOrdinal: 1, connectionKind: "api" },
      ...{ consented: true, verified: true },
      ...(terms ? { terms } : {}),
      ...(footer === undefined ? {} : { footer }),
    },
    today,
    find: () => undefined,
    findById: () => undefined,
    holderOf: () => undefined,
  };
  const decided = decideIssue(prepared, context);
  invariant(decided.ok, "the sample is lawful in every territory");
  return unissuedView(decided.value, { fullNumber: "F-2026-000001", issueDate: today });
}
