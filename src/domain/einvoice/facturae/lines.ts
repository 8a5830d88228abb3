import { type Decimal, multiply, round, subtract } from "../../shared/decimal.ts";
import { invariant } from "../../shared/result.ts";
import { leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice, ElectronicLine } from "../electronic-invoice.ts";
import { DEFAULT_UNIT, facturaeUnit, isUnitCode } from "../units.ts";
import { LONGEST, type Remarks } from "./remarks.ts";
import { lineTaxes, specialTaxableEvent } from "./taxes.ts";
import { type AmountStyle, group, money, ratio } from "./writer.ts";

export function items({ lines, groups }: ElectronicInvoice, style: AmountStyle, remarks: Remarks): Markup {
  return group(
    "Items",
    ...lines.map((line) => {
      const key = groups[line.group];
      invariant(key, "every line has a group");
      const { itemCode, net } = line;
      const isCodeLong = [...(itemCode ?? "")].length > LONGEST.short;
      return group(
        "InvoiceLine",
        leaf("ItemDescription", remarks.cut(`Línea ${line.number}`, line.description, LONGEST.text)),
        leaf("Quantity", line.quantity),
        leaf("UnitOfMeasure", facturaeUnit(isUnitCode(line.unit) ? line.unit : DEFAULT_UNIT)),
        ratio("UnitPriceWithoutTax", line.unitPrice),
        ...costAndDiscount(line, style),
        money("GrossAmount", net, style),
        lineTaxes(line, key, style),
        leaf("AdditionalLineItemInformation", isCodeLong ? `Código de artículo: ${itemCode}` : undefined),
        ...specialTaxableEvent(key, remarks),
        leaf("ArticleCode", isCodeLong ? undefined : itemCode),
      );
    }),
  );
}

/** The cost before the discount, which is the whole difference to the net: neither rounds twice. */
function costAndDiscount(
  { quantity, unitPrice, discountRate, net }: ElectronicLine,
  style: AmountStyle,
): Markup[] {
  if (discountRate === undefined) return [money("TotalCost", net, style)];
  const cost: Decimal = round(multiply(quantity, unitPrice), style.decimals);
  const discount = group(
    "Discount",
    leaf("DiscountReason", "Descuento"),
    ratio("DiscountRate", discountRate),
    money("DiscountAmount", subtract(cost, net), style),
  );
  return [money("TotalCost", cost, style), group("DiscountsAndRebates", discount)];
}
