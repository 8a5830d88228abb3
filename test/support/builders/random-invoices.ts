/** Invoices of any content that can be issued, drawn by fast-check. */
import fc from "fast-check";
import { UNIT_CODES } from "../../../src/domain/einvoice/units.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest, Recipient, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { type Decimal, decimal, negate } from "../../../src/domain/shared/decimal.ts";
import { issued } from "./direct-invoicing.ts";
import { A_RECIPIENT, AN_EU_RECIPIENT, aRequest, correcting } from "./requests.ts";

const TAXED = ["21", "21+5.2", "21+1.75", "10", "10+1.4", "4", "4+0.5", "0"] as const;
/** Qualifications of lines without tax. */
const UNTAXED = ["E1", "E2", "S2", "N1", "N2"] as const;
const SCALES = { EUR: "1", USD: "1.0852", GBP: "0.8642", JPY: "165.3", KWD: "0.3325" } as const;

const WORDS = [
  "Plato «Rebalaje», ñandú",
  "Tornillo M3 <x> & 'y'",
  'Caja "grande"',
  "Taza 🏺",
  "a",
  "Línea\u00a0dos",
];

const PEOPLE: readonly Recipient[] = [
  A_RECIPIENT,
  { ...A_RECIPIENT, company: "María de la O Pérez García", vatNumber: "12345678Z" },
  AN_EU_RECIPIENT,
  {
    company: "Hawthorn & Vale Ltd",
    vatNumber: "98-7654321",
    idType: "04",
    country: "US",
    address1: "1 Main",
    city: "Reno",
  },
];

/** A number of so many decimals at most. */
function decimals(least: number, most: number, places: number): fc.Arbitrary<Decimal> {
  return fc
    .integer({ min: Math.ceil(least * 10 ** places), max: most * 10 ** places })
    .map((units) => decimal((units / 10 ** places).toFixed(places)));
}

function lineWith(keys: readonly string[]): fc.Arbitrary<RequestLine> {
  return fc
    .record({
      key: fc.constantFrom(...keys),
      quantity: fc.oneof(decimals(1, 60, 0), decimals(0.001, 12, 3)),
      priceUnit: fc.oneof(decimals(0, 900, 2), decimals(0, 20, 6)),
      discount: fc.oneof(fc.constant(undefined), fc.constantFrom("5", "12.5", "33.33", "100")),
      description: fc.constantFrom(...WORDS),
      unit: fc.option(fc.constantFrom(...UNIT_CODES), { nil: undefined }),
      itemCode: fc.option(fc.constantFrom("SKU-1", "ES-0000000000000000000042"), { nil: undefined }),
    })
    .map(({ key, discount, unit, itemCode, ...line }) => ({
      ...line,
      ...taxOf(key),
      ...(discount === undefined ? {} : { discountRate: decimal(discount) }),
      ...(unit === undefined ? {} : { unit }),
      ...(itemCode === undefined ? {} : { itemCode }),
    }));
}

function taxOf(key: string): Pick<RequestLine, "taxRate" | "surchargeRate" | "qualification" | "regime"> {
  const untaxed = UNTAXED.find((qualification) => qualification === key);
  if (untaxed) {
    // Exports have a regime of their own.
    const regime = untaxed === "E2" ? { regime: "02" } : {};
    return { taxRate: decimal("0"), qualification: untaxed, ...regime };
  }
  const [rate = "0", surcharge] = key.split("+");
  return {
    taxRate: decimal(rate),
    qualification: "S1",
    ...(surcharge === undefined ? {} : { surchargeRate: decimal(surcharge) }),
  };
}

/**
 * A full invoice, or one and its whole return by difference, in any currency, with net prices or with tax. The
 * last step is the invoice meant.
 */
export const ANY_STEPS: fc.Arbitrary<readonly InvoiceRequest[]> = fc
  .record({
    includesTax: fc.boolean(),
    net: fc.array(lineWith([...TAXED, ...UNTAXED]), { minLength: 1, maxLength: 12 }),
    gross: fc.array(lineWith(TAXED), { minLength: 1, maxLength: 12 }),
    currency: fc.constantFrom<keyof typeof SCALES>("EUR", "EUR", "EUR", "USD", "GBP", "JPY", "KWD"),
    recipient: fc.constantFrom(...PEOPLE),
    isBack: fc.boolean(),
    withholding: fc.constantFrom(undefined, undefined, "7", "15", "19"),
    disbursed: fc.constantFrom(undefined, undefined, "12.5"),
    due: fc.constantFrom(undefined, "2026-12-27"),
    paid: fc.constantFrom(undefined, undefined, "2026-11-20"),
  })
  .map(stepsOf);

interface Drawn {
  readonly includesTax: boolean;
  readonly net: readonly RequestLine[];
  readonly gross: readonly RequestLine[];
  readonly currency: keyof typeof SCALES;
  readonly recipient: Recipient;
  readonly isBack: boolean;
  readonly withholding: string | undefined;
  readonly disbursed: string | undefined;
  readonly due: string | undefined;
  readonly paid: string | undefined;
}

function stepsOf({ includesTax, net, gross, currency, recipient, isBack, ...drawn }: Drawn) {
  const { withholding, disbursed, due, paid } = drawn;
  const lines = includesTax ? gross : net;
  const common = {
    ...{ currency, recipient, pricesIncludeTax: includesTax },
    ...(currency === "EUR"
      ? {}
      : { exchangeRate: decimal(SCALES[currency]), exchangeRateDate: civilDate("2026-11-26") }),
    ...(due === undefined ? {} : { dueDate: civilDate(due) }),
    ...(paid === undefined ? {} : { payment: { means: "card" as const, paidOn: civilDate(paid) } }),
  };
  const sale = aRequest("sale", {
    ...{ ...common, lines },
    ...(withholding === undefined ? {} : { withholdingRate: decimal(withholding) }),
    ...(disbursed === undefined || currency === "JPY"
      ? {}
      : { disbursements: [{ description: "Tasa", amount: decimal(disbursed) }] }),
  });
  if (!isBack) return [sale];
  const returned = lines.map((line) => ({ ...line, quantity: negate(line.quantity) }));
  return [sale, correcting(aRequest("back", { ...common, lines: returned }), ["sale"])];
}

/** The last of the steps as the ledger issues it. */
export function anyInvoice(steps: readonly InvoiceRequest[]): InvoiceView {
  return issued(steps);
}
