import { type Decimal, decimal } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { isRegimeOf, REGIMES } from "../verifactu/aeat-lists.ts";
import { type LineContext, refuseLine } from "./line-context.ts";
import { identifierOf } from "./prepare.ts";
import type { IssueRefusal } from "./refusal.ts";
import { isOfEarlierSale, type Qualification } from "./request.ts";
import { isOss, type ResolvedLine } from "./tax-groups.ts";
import { TAX_NAMES } from "./tax-rates.ts";

/** The limits of a regime; absent members allow everything. */
interface RegimeRule {
  readonly taxes: readonly string[];
  readonly qualifications?: readonly Qualification[];
  readonly types?: readonly string[];
  readonly rate?: Decimal;
  /** The rule is of new sales: an invoice issued before the rule can still be corrected. */
  readonly ofSales?: true;
}

const IVA_AND_IGIC = ["01", "03"];
const EXEMPT: readonly Qualification[] = ["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"];

/** ClaveRegimen rules of the AEAT (errors 1147, 1148, 1199-1206, 1252, 1286, 1293). */
const RULES: Readonly<Record<string, readonly RegimeRule[]>> = {
  "01": [
    { taxes: IVA_AND_IGIC, qualifications: ["S1", "S2", "N1", "N2", "E1", "E4", "E5", "E6", "E7", "E8"] },
  ],
  "02": [{ taxes: IVA_AND_IGIC, qualifications: EXEMPT }],
  "03": [{ taxes: IVA_AND_IGIC, qualifications: ["S1", ...EXEMPT] }],
  "04": [{ taxes: IVA_AND_IGIC, qualifications: ["S2", ...EXEMPT] }],
  "07": [{ taxes: IVA_AND_IGIC, qualifications: ["S1", "E1", "E6", "E7", "E8"] }],
  "08": [{ taxes: IVA_AND_IGIC, qualifications: ["N2"] }],
  "09": [{ taxes: IVA_AND_IGIC, qualifications: ["S2", "N1", "N2", ...EXEMPT], ofSales: true }],
  "10": [{ taxes: IVA_AND_IGIC, qualifications: ["N1"], types: ["F1"] }],
  "11": [{ taxes: ["01"], qualifications: ["S1"], rate: decimal("21") }],
  "14": [{ taxes: IVA_AND_IGIC, types: ["F1", "R1", "R2", "R3", "R4"] }],
  "17": [{ taxes: ["01"], qualifications: ["N2"] }],
  "20": [{ taxes: ["03"], qualifications: ["N2"] }],
};

interface RegimeName {
  readonly es: string;
  readonly en: string;
}

/** Special regimes that an invoice names (article 6.1 RD 1619/2012), by ClaveRegimen of IVA and IGIC. */
const NAMES: Readonly<Record<string, RegimeName>> = {
  "03": {
    es: "Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección",
    en: "Margin scheme",
  },
  "05": { es: "Régimen especial de las agencias de viajes", en: "Travel agents’ scheme" },
  "07": { es: "Régimen especial del criterio de caja", en: "Cash accounting" },
};

/** Undefined for a regime that an invoice need not name. */
export function specialRegimeOf(key: {
  readonly tax: string;
  readonly regime?: string;
}): RegimeName | undefined {
  const { tax, regime = "" } = key;
  return IVA_AND_IGIC.includes(tax) && Object.hasOwn(NAMES, regime) ? NAMES[regime] : undefined;
}

/** Regimes that say something a request has no field for: 06 needs BaseImponibleACoste (AEAT 1202). */
const WITHOUT_FIELD = ["06"];

export function checkRegime(
  line: ResolvedLine,
  { request, isIssued }: LineContext,
): Result<void, IssueRefusal> {
  const isNewSale = !isIssued && !isOfEarlierSale(request.invoiceType);
  const refused = (unfit: Fact, fix: Fact) =>
    refuseLine("regime_not_allowed", line, "regime", { regime: line.regime ?? "", with: unfit, fix });
  if (line.tax === "05")
    return line.regime === undefined ? ok(undefined) : refused("type_tax 05", { phrase: "use_no_regime" });
  const { regime = "" } = line;
  if (!isRegimeOf(line.tax, regime) || WITHOUT_FIELD.includes(regime)) {
    const possible = REGIMES[line.tax].filter((candidate) => !WITHOUT_FIELD.includes(candidate));
    return refused(TAX_NAMES[line.tax], useRegime(possible));
  }
  const rule = RULES[regime]?.find((candidate) => candidate.taxes.includes(line.tax));
  if (!rule || (rule.ofSales && !isNewSale)) return ok(undefined);
  if (rule.qualifications && !rule.qualifications.includes(line.qualification)) {
    const isExport = regime === "01" && EXEMPT.includes(line.qualification);
    const fix = isExport ? useRegime(["02"]) : useWith(rule.qualifications);
    return refused(`qualification ${line.qualification}`, fix);
  }
  if (rule.types && !rule.types.includes(request.invoiceType)) {
    return refused(`invoice_type ${request.invoiceType}`, useWith(rule.types));
  }
  if (rule.rate !== undefined && line.rate !== rule.rate) {
    return refused(`tax_rate ${line.rate}`, useWith([{ percent: rule.rate }]));
  }
  // One-stop-shop sales are sales to consumers: LIVA, article 163 unvicies.
  if (isOss(line) && isNewSale && identifierOf(request.recipient)?.kind === "eu_vat") {
    return refused("recipient.vat_number", useRegime(["01"]));
  }
  return ok(undefined);
}

function useRegime(regimes: readonly string[]): Fact {
  return { phrase: "use_regime", regimes: { either: regimes } };
}

function useWith(values: readonly Fact[]): Fact {
  return { phrase: "use_regime_with", values: { either: values } };
}

/** Regimes 14 and 15: the tax falls due later, so the operation date may lie ahead (AEAT 1146, 1173). */
export function isDueLater(line: Pick<ResolvedLine, "tax" | "regime">): boolean {
  return IVA_AND_IGIC.includes(line.tax) && (line.regime === "14" || line.regime === "15");
}
