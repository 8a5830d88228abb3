import type { Context } from "hono";
import type { InvoiceLook } from "../../domain/brand/look.ts";
import {
  DRAFT_REGIMES,
  type DraftContent,
  type DraftLine,
  type DraftPreview,
  ONE_STOP_SHOP,
} from "../../domain/invoice/draft.ts";
import { termsOf } from "../../domain/invoice/payment-terms.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { TAX_OF_TERRITORY } from "../../domain/invoice/settings.ts";
import { ratesOn, surchargesOn } from "../../domain/invoice/tax-rates.ts";
import { otherStatesOn } from "../../domain/place/vat-rates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { compare, type Decimal, decimal, toFixed } from "../../domain/shared/decimal.ts";
import { isRegimeOf } from "../../domain/verifactu/aeat-lists.ts";
import type { CompanyReading } from "../company/queries.ts";
import type { ConsoleEnv } from "../deps.ts";
import { issuerDay } from "../issuer-day.ts";
import { refuse } from "../refuse.ts";
import { shownLook } from "../shown-look.ts";
import { unissuedView } from "../unissued-view.ts";

/** The company and its day: the form takes its taxes, rates and usual terms from them. */
export interface DraftIssuer {
  readonly company: CompanyReading;
  readonly today: CivilDate;
}

export async function readIssuer(c: Context<ConsoleEnv>): Promise<DraftIssuer> {
  const { account, reads } = c.var;
  const company = (await reads.company.read(account.accountId)) ?? refuse(c, "not_found");
  return { company, today: (await issuerDay(c)).today };
}

/** The choices of the form: the tax of the territory, its rates of today, and the usual terms. */
export function draftForm({ company, today }: DraftIssuer) {
  const tax = TAX_OF_TERRITORY[company.territory];
  const { payment, dueDays } = company.contact.terms ?? {};
  return {
    today,
    tax,
    rates: ratesOf(company, today).map((rate) => ({
      rate,
      surcharges: tax === "01" ? surchargesOn(rate, today) : [],
    })),
    special: {
      regimes: DRAFT_REGIMES.filter((regime) => regime !== "" && isRegimeOf(tax, regime)),
      /** Where sales of the one stop shop go, with the rates of today. */
      states: isRegimeOf(tax, ONE_STOP_SHOP) ? otherStatesOn(today) : [],
    },
    usual: { means: payment?.means ?? "", iban: payment?.iban ?? "", dueDays: dueDays ?? null },
  };
}

/** The highest first: the general rate, where there is one. */
function ratesOf({ territory }: CompanyReading, today: CivilDate): readonly Decimal[] {
  return (ratesOn(TAX_OF_TERRITORY[territory], today) ?? []).toSorted((a, b) => compare(b, a));
}

const GENERAL_RATE: Readonly<Record<string, Decimal>> = { "01": decimal("21"), "03": decimal("7") };

export function blankDraft({ company, today }: DraftIssuer): DraftContent {
  const rate = GENERAL_RATE[TAX_OF_TERRITORY[company.territory]] ?? ratesOf(company, today)[0] ?? "";
  const line: DraftLine = {
    ...{ description: "", quantity: "1", price_unit: "", discount_rate: "" },
    ...{
      qualification: "S1",
      tax_rate: rate,
      equivalence_surcharge_rate: "",
      regime: "",
      taxable_margin: "",
    },
  };
  return {
    kind: "full",
    recipient: {
      ...{ company: "", vat_number: "", id_type: "", country: "ES" },
      ...{ address1: "", postcode: "", city: "", email: "" },
    },
    ...{ delivery: { country: "" }, operation_date: "", prices_include_tax: false, currency: "EUR" },
    ...{ exchange_rate: "", exchange_rate_date: "", lines: [line], withholding: { rate: "" } },
    ...{ due_date: "", payment: { means: "", iban: "" }, description: "" },
  };
}

/** A copy for another day: its dates and its rate are of the first. */
export function copiedDraft(content: DraftContent): DraftContent {
  return { ...content, operation_date: "", due_date: "", exchange_rate: "", exchange_rate_date: "" };
}

/** The invoice as it would be issued now, on the viewer's sheet. */
export function shownPreview(
  c: Context<ConsoleEnv>,
  { draft, fullNumber, issueDate }: DraftPreview,
  { company }: DraftIssuer,
) {
  const { document } = draft;
  const { request, totals, totalsEur, warnings } = document;
  const look: InvoiceLook | undefined = company.appearance.look;
  const view = unissuedView(draft, { fullNumber, issueDate });
  const options = { language: c.var.language, isDraft: true, ...shownLook(c, look) };
  return {
    ...{ fullNumber, issueDate, currency: request.currency },
    total: toFixed(totals.total, scaleOf(request.currency)),
    totalEur: totalsEur.total,
    dueDate: termsOf(document).dueDate ?? null,
    warnings: warnings.map(({ code }) => code),
    sheet: c.var.deps.viewer.sheet(view, options),
  };
}
