import type { Amounts } from "../../invoice/document.ts";
import { add, type Decimal, percentOf, ZERO } from "../../shared/decimal.ts";
import { isExemption } from "../../verifactu/aeat-lists.ts";
import { leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicGroup, ElectronicInvoice, ElectronicLine } from "../electronic-invoice.ts";
import { LONGEST, type Remarks } from "./remarks.ts";
import { type AmountStyle, amountType, group, ratio, twoDecimals } from "./writer.ts";

const TRAVEL_AGENCIES = "05";
/** TaxTypeCode of the special regime of travel agencies, by tax. */
const TRAVEL_TAX_CODES: Readonly<Record<string, string>> = { "01": "17", "02": "19", "03": "18" };
const INCOME_TAX = "04";

/** The taxes of the invoice, one element for each group, with the euros that are stored. */
export function taxesOutputs({ groups }: ElectronicInvoice, style: AmountStyle): Markup {
  return group("TaxesOutputs", ...groups.map((each) => taxElement(each, each.amounts, style, each.eur)));
}

/** IRPF. */
export function taxesWithheld({ withholding }: ElectronicInvoice, style: AmountStyle): Markup[] {
  if (!withholding) return [];
  const { rate, base, amount } = withholding;
  const tax = group(
    "Tax",
    leaf("TaxTypeCode", INCOME_TAX),
    ratio("TaxRate", rate),
    amountType("TaxableBase", base, style),
    amountType("TaxAmount", amount, style),
  );
  return [group("TaxesWithheld", tax)];
}

/** The tax of one line, computed for it: only the taxes of the invoice are binding. */
export function lineTaxes({ net }: ElectronicLine, key: ElectronicGroup, style: AmountStyle): Markup {
  const { surchargeRate = ZERO } = key;
  const amounts = {
    base: net,
    tax: percentOf(net, shownRate(key), style.decimals),
    surcharge: key.isMargin ? ZERO : percentOf(net, surchargeRate, style.decimals),
  };
  return group("TaxesOutputs", taxElement(key, amounts, style));
}

/** 01 exempt, 02 not subject, with the reason that the invoice prints; nothing for other lines. */
export function specialTaxableEvent(key: ElectronicGroup, remarks: Remarks): Markup[] {
  const { qualification, isOss, reason = "" } = key;
  const isNotSubject = qualification.startsWith("N") && !isOss;
  if (!isExemption(qualification) && !isNotSubject) return [];
  return [
    group(
      "SpecialTaxableEvent",
      leaf("SpecialTaxableEventCode", isNotSubject ? "02" : "01"),
      leaf("SpecialTaxableEventReason", remarks.cut("Motivo", reason, LONGEST.text)),
    ),
  ];
}

/** Tax and surcharge. */
export function taxIn({ tax, surcharge }: Amounts): Decimal {
  return add(tax, surcharge);
}

function taxElement(key: ElectronicGroup, amounts: Amounts, style: AmountStyle, eur?: Amounts): Markup {
  const { tax, regime, surchargeRate } = key;
  const code = regime === TRAVEL_AGENCIES ? TRAVEL_TAX_CODES[tax] : undefined;
  return group(
    "Tax",
    leaf("TaxTypeCode", code ?? tax),
    ratio("TaxRate", shownRate(key)),
    amountType("TaxableBase", amounts.base, style, eur?.base),
    amountType("TaxAmount", amounts.tax, style, eur?.tax),
    ...(surchargeRate === undefined || key.isMargin
      ? []
      : [
          twoDecimals("EquivalenceSurcharge", surchargeRate),
          amountType("EquivalenceSurchargeAmount", amounts.surcharge, style, eur?.surcharge),
        ]),
  );
}

/** The margin scheme shows no tax (article 138 LIVA), and other rates than those of S1 and OSS are none. */
function shownRate({ qualification, rate, isMargin, isOss }: ElectronicGroup): Decimal {
  return !isMargin && (qualification === "S1" || isOss) ? rate : ZERO;
}
