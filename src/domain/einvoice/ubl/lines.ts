import {
  absolute,
  type Decimal,
  digitsOf,
  divide,
  HUNDRED,
  multiply,
  subtract,
  toFixed,
} from "../../shared/decimal.ts";
import { invariant } from "../../shared/result.ts";
import { branch, branchOfSome, leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicLine } from "../electronic-invoice.ts";
import { categoryXml } from "./totals.ts";
import type { UblDocument } from "./ubl-document.ts";

/** The longest text that a name of an item can be expected to keep on its way. */
const LONGEST_NAME = 100;

/** BG-25. */
export function lineXml(document: UblDocument, line: ElectronicLine): Markup {
  const { invoice, root, amount, signed } = document;
  const { description, itemCode, unit, net } = line;
  const group = invoice.groups[line.group];
  invariant(group !== undefined, "every line has a group");
  const quantity = root === "Invoice" ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity";
  return branch(root === "Invoice" ? "cac:InvoiceLine" : "cac:CreditNoteLine", [
    leaf("cbc:ID", String(line.number)),
    leaf(quantity, signed(line.quantity), { unitCode: unit }),
    leaf("cbc:LineExtensionAmount", amount(net), { currencyID: invoice.currency }),
    branch("cac:Item", [
      leaf("cbc:Description", [...description].length > LONGEST_NAME ? description : undefined),
      leaf("cbc:Name", description),
      branchOfSome("cac:SellersItemIdentification", [leaf("cbc:ID", itemCode)]),
      categoryXml("cac:ClassifiedTaxCategory", group),
    ]),
    priceXml(line, invoice.currency),
  ]);
}

/** BG-29. A discount is one of the price, exact: one of the line would be rounded twice. */
function priceXml({ unitPrice, discountRate, pricedQuantity, net, unit }: ElectronicLine, currency: string) {
  const money = (name: string, value: Decimal) => leaf(name, priceText(value), { currencyID: currency });
  if (pricedQuantity !== undefined) {
    return branch("cac:Price", [
      money("cbc:PriceAmount", absolute(net)),
      leaf("cbc:BaseQuantity", pricedQuantity, { unitCode: unit }),
    ]);
  }
  if (discountRate === undefined) return branch("cac:Price", [money("cbc:PriceAmount", unitPrice)]);
  const discount = divide(multiply(unitPrice, discountRate), HUNDRED, EXACT);
  return branch("cac:Price", [
    money("cbc:PriceAmount", subtract(unitPrice, discount)),
    branch("cac:AllowanceCharge", [
      leaf("cbc:ChargeIndicator", "false"),
      money("cbc:Amount", discount),
      money("cbc:BaseAmount", unitPrice),
    ]),
  ]);
}

/** More digits than the product of a price and a percentage has: the quotient is exact. */
const EXACT = 20;

/** All of its digits, two at least. */
function priceText(price: Decimal): string {
  return toFixed(price, Math.max(2, digitsOf(price).fraction));
}
