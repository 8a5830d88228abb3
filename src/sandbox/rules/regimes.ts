/** ClaveRegimen: the keys of each tax, and their demands on line and invoice. */
import { REGIMES_OF } from "../schema/lists.ts";
import { type BreakdownLine, isIvaOrIgic, type Registration } from "./record.ts";
import { firstRefusal, type Refusal, refuseIf } from "./refusal.ts";

/** From this day IPSI needs a ClaveRegimen too; before, a missing one is only reported. */
const IPSI_REGIME_FROM = "2027-01-01";

export function lacksIpsiRegime({ tax, regime }: BreakdownLine): boolean {
  return tax === "02" && regime === undefined;
}

export function regimeRefusal(line: BreakdownLine, record: Registration, today: string): Refusal | undefined {
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
