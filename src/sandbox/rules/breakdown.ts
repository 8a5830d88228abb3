import { REGIMES_OF } from "../schema/parts.ts";
import { firstRefusal, type Refusal, refuseIf } from "./check.ts";
import { type BreakdownLine, isIvaOrIgic, namesRecipients, type Registration } from "./record.ts";
import { haveSameSign, hundredths, isTaxOf, TOLERANCE } from "./written-values.ts";

/** Desglose: each line, then the sum of all. */

const SIMPLIFIED_LIMIT = hundredths("3000.00");

export function breakdownRefusal(record: Registration, today: string): Refusal | undefined {
  const ofLines = record.lines.map((line) => () => lineRefusal(line, record, today));
  return firstRefusal(...ofLines, () => refuseIf(isAboveSimplifiedLimit(record), 1150));
}

function lineRefusal(line: BreakdownLine, record: Registration, today: string): Refusal | undefined {
  const { qualification, exemption } = line;
  return firstRefusal(
    () => refuseIf(qualification === undefined && exemption === undefined, 1195),
    () => refuseIf(qualification !== undefined && exemption !== undefined, 1196),
    () => rateRefusal(line, record.rateDay),
    () => refuseIf(line.costBase !== undefined && !mayHaveCostBase(line), 1257),
    () => surchargeRefusal(line),
    () => qualificationRefusal(line, record),
    () => exemptionRefusal(line, record),
    () => regimeRefusal(line, record, today),
    () => taxAmountRefusal(line, record),
  );
}

function mayHaveCostBase({ regime, tax }: BreakdownLine): boolean {
  return regime === "06" || tax === "02" || tax === "05";
}

function surchargeRefusal(line: BreakdownLine): Refusal | undefined {
  const { surchargeRate, surcharge, qualification } = line;
  const hasSome = surchargeRate !== undefined || surcharge !== undefined;
  // Exempt lines, and IVA that is not subject, have a code for all four amounts.
  const isSurchargeAlone = qualification !== undefined && !(isNotSubject(line) && line.tax === "01");
  return firstRefusal(
    () => refuseIf((surchargeRate === undefined) !== (surcharge === undefined), 1284),
    () => refuseIf(hasSome && isSurchargeAlone && qualification !== "S1", 1281),
  );
}

function isNotSubject({ qualification }: BreakdownLine): boolean {
  return qualification === "N1" || qualification === "N2";
}

function hasAnyAmount(line: BreakdownLine): boolean {
  const amounts = [line.rate, line.taxAmount, line.surchargeRate, line.surcharge];
  return amounts.some((amount) => amount !== undefined);
}

function qualificationRefusal(line: BreakdownLine, { type }: Registration): Refusal | undefined {
  const isReverse = line.qualification === "S2";
  return firstRefusal(
    () => refuseIf(isReverse && !namesRecipients(type), 1197),
    () => refuseIf(isReverse && (line.rate !== 0n || line.taxAmount !== 0n), 1198),
    () => refuseIf(isNotSubject(line) && line.tax === "01" && hasAnyAmount(line), 1237),
    () => refuseIf(isNotSubject(line) && (line.taxAmount ?? 0n) !== 0n, 1207),
  );
}

function exemptionRefusal(line: BreakdownLine, record: Registration): Refusal | undefined {
  const { exemption, tax, regime } = line;
  if (exemption === undefined) return undefined;
  const isIva = tax === "01";
  const isGeneral = (isIva || tax === "03") && regime === "01";
  return firstRefusal(
    () => refuseIf(tax !== "03" && (exemption === "E7" || exemption === "E8"), 1182),
    () => refuseIf(isGeneral && (exemption === "E2" || exemption === "E3"), 1199),
    () => refuseIf(hasAnyAmount(line), 1238),
    () =>
      refuseIf(isIva && exemption === "E5" && record.recipients.some(({ nif }) => nif !== undefined), 1289),
  );
}

function taxAmountRefusal(line: BreakdownLine, record: Registration): Refusal | undefined {
  if (line.qualification !== "S1") return undefined;
  const { rate, taxAmount, costBase } = line;
  if (rate === undefined || taxAmount === undefined) return { code: line.regime === "06" ? 1209 : 1208 };
  // A rectification by differences, or of a bad debt, may change the tax without the base.
  if (record.method === "I" || record.type === "R2" || record.type === "R3") return undefined;
  const isAtCost = costBase !== undefined;
  const base = costBase ?? line.base;
  return firstRefusal(
    () => refuseIf(!haveSameSign(taxAmount, base), isAtCost ? 1140 : 1143),
    () => refuseIf(!isTaxOf(taxAmount, base, rate), isAtCost ? 1144 : 1142),
  );
}

function isAboveSimplifiedLimit({ type, lines, element }: Registration): boolean {
  if (type !== "F2") return false;
  const has = (name: string, text?: string) =>
    element.children.some((child) => child.name === name && (text === undefined || child.text === text));
  const isExcepted = has("NumRegistroAcuerdoFacturacion") || has("FacturaSinIdentifDestinatarioArt61d", "S");
  const sum = lines.reduce((total, { base, taxAmount }) => total + base + (taxAmount ?? 0n), 0n);
  return !isExcepted && sum > SIMPLIFIED_LIMIT + TOLERANCE;
}

/** TipoImpositivo and TipoRecargoEquivalencia of IVA (S1), by the day of the rates. In hundredths. */

/** From and to, both included. */
type Days = readonly [from: string, to: string];

const REDUCED_2022: Days = ["2022-07-01", "2024-09-30"];
const LAST_QUARTER_2024: Days = ["2024-10-01", "2024-12-31"];
const SURCHARGE_2023: Days = ["2023-01-01", "2024-09-30"];
const SURCHARGE_2022: Days = ["0000-01-01", "2022-12-31"];

interface Rate {
  /** Undefined: always. */
  readonly days?: Days;
  readonly outOfTime?: number;
  readonly surcharges: readonly Surcharge[];
  /** Another surcharge than those. */
  readonly wrongSurcharge: number;
}

interface Surcharge {
  readonly rate: bigint;
  readonly days?: Days;
  readonly outOfTime?: number;
}

const RATES: ReadonlyMap<bigint, Rate> = new Map([
  [0n, { surcharges: [{ rate: 0n, days: SURCHARGE_2023, outOfTime: 1277 }], wrongSurcharge: 1165 }],
  [200n, { days: LAST_QUARTER_2024, outOfTime: 1235, surcharges: [{ rate: 26n }], wrongSurcharge: 1166 }],
  [400n, { surcharges: [{ rate: 50n }], wrongSurcharge: 1164 }],
  [
    500n,
    {
      days: REDUCED_2022,
      outOfTime: 1194,
      surcharges: [
        { rate: 50n, days: SURCHARGE_2022, outOfTime: 1167 },
        { rate: 62n, days: SURCHARGE_2023, outOfTime: 1168 },
      ],
      wrongSurcharge: 1160,
    },
  ],
  [750n, { days: LAST_QUARTER_2024, outOfTime: 1236, surcharges: [{ rate: 100n }], wrongSurcharge: 1169 }],
  [1000n, { surcharges: [{ rate: 140n }], wrongSurcharge: 1163 }],
  [2100n, { surcharges: [{ rate: 520n }, { rate: 175n }], wrongSurcharge: 1162 }],
]);

const SURCHARGES = [0n, 26n, 50n, 62n, 100n, 140n, 175n, 520n];

function rateRefusal(line: BreakdownLine, day: string): Refusal | undefined {
  const { rate, surchargeRate } = line;
  if (line.tax !== "01" || line.qualification !== "S1" || rate === undefined) return undefined;
  const known = RATES.get(rate);
  if (known === undefined) return { code: 1124 };
  return firstRefusal(
    () => outOfTime(known, day),
    () => (surchargeRate === undefined ? undefined : surchargeRateRefusal(surchargeRate, known, day)),
  );
}

function surchargeRateRefusal(surchargeRate: bigint, rate: Rate, day: string): Refusal | undefined {
  const surcharge = rate.surcharges.find((one) => one.rate === surchargeRate);
  return firstRefusal(
    () => refuseIf(!SURCHARGES.includes(surchargeRate), 1127),
    () => refuseIf(surcharge === undefined, rate.wrongSurcharge),
    () => (surcharge === undefined ? undefined : outOfTime(surcharge, day)),
  );
}

function outOfTime(
  rate: { readonly days?: Days; readonly outOfTime?: number },
  day: string,
): Refusal | undefined {
  if (rate.days === undefined || rate.outOfTime === undefined) return undefined;
  const [from, to] = rate.days;
  return refuseIf(day < from || day > to, rate.outOfTime);
}

/** ClaveRegimen: the keys of each tax, and their demands on line and invoice. */

/** From this day IPSI needs a ClaveRegimen too; before, a missing one is only reported. */
const IPSI_REGIME_FROM = "2027-01-01";

export function lacksIpsiRegime({ tax, regime }: BreakdownLine): boolean {
  return tax === "02" && regime === undefined;
}

function regimeRefusal(line: BreakdownLine, record: Registration, today: string): Refusal | undefined {
  const allowed = REGIMES_OF[line.tax]?.split(" ");
  if (allowed === undefined) return refuseIf(line.regime !== undefined, 1260);
  if (line.regime === undefined) return refuseIf(line.tax !== "02" || today >= IPSI_REGIME_FROM, 1245);
  if (!allowed.includes(line.regime)) return { code: 1246 };
  return isIvaOrIgic(line) ? ownRules(line, record) : undefined;
}

function ownRules(line: BreakdownLine, record: Registration): Refusal | undefined {
  const { qualification, exemption } = line;
  const isExempt = exemption !== undefined;
  switch (line.regime) {
    case "02":
      return refuseIf(!isExempt, 1286);
    case "03":
      return refuseIf(!isExempt && qualification !== "S1", 1200);
    case "04":
      return refuseIf(!isExempt && qualification !== "S2", 1201);
    case "06":
      return refuseIf(["F2", "F3", "R5"].includes(record.type) || line.costBase === undefined, 1202);
    case "07":
      return refuseIf(isExempt ? /^E[2-5]$/.test(exemption) : qualification !== "S1", 1203);
    case "08":
      return refuseIf(qualification !== "N2", 1252);
    case "10":
      return refuseIf(qualification !== "N1" || record.type !== "F1" || !allByNif(record), 1205);
    case "11":
      return refuseIf(line.tax === "01" && line.rate !== 2100n, 1206);
    case "14":
      return publicWorksRefusal(record);
    case "20":
      return refuseIf(line.tax === "03" && qualification !== "N2", 1293);
    default:
      return undefined;
  }
}

/** Works for public bodies with pending tax: they are paid after the invoice. */
function publicWorksRefusal(record: Registration): Refusal | undefined {
  const { operation, issued, type, recipients } = record;
  const isPublicBody = (nif: string | undefined) => /^[PQSV]/.test(nif ?? "");
  return firstRefusal(
    () => refuseIf(operation === undefined || operation <= issued, 1147),
    () => refuseIf(!["F1", "R1", "R2", "R3", "R4"].includes(type), 1148),
    () => refuseIf(!recipients.every(({ nif }) => isPublicBody(nif)), 1149),
  );
}

function allByNif({ recipients }: Registration): boolean {
  return recipients.every(({ nif }) => nif !== undefined);
}
