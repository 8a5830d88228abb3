/** Properties of every record that make a code of the AEAT impossible. */
import { createHash } from "node:crypto";
import { nifFrom } from "../../../../src/domain/shared/tax-identifier.ts";
import { element, inner, texts } from "./xml.ts";

/** One record as XML, and the header of its message. */
export interface Written {
  readonly record: string;
  readonly header: string;
}

export type StructureRow = readonly [
  codes: readonly number[],
  what: string,
  holds: (written: Written) => boolean,
];

const TYPES = ["F1", "F2", "F3", "R1", "R2", "R3", "R4", "R5"];

/** yyyy-mm-dd of a day that there is. */
function isIsoDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The same as dd-mm-yyyy. */
function isDay(text: string): boolean {
  return /^\d{2}-\d{2}-\d{4}$/.test(text) && isIsoDay(text.split("-").reverse().join("-"));
}

const one = (xml: string, name: string) => texts(xml, name).at(0);
const has = (xml: string, name: string) => element(xml, name) !== undefined;
const isAlta = ({ record }: Written) => record.startsWith("<sf:RegistroAlta");
const typeOf = ({ record }: Written) => one(record, "TipoFactura") ?? "";
const lacks =
  (...names: readonly string[]) =>
  ({ record }: Written) =>
    !names.some((name) => has(record, name));
const headerLacks =
  (...names: readonly string[]) =>
  ({ header }: Written) =>
    !names.some((name) => has(header, name));
const isEvery = (name: string, rule: (text: string) => boolean) => (written: Written) =>
  texts(written.record, name).every(rule);
const isOneOf =
  (...values: readonly string[]) =>
  (text: string) =>
    values.includes(text);

const lines = ({ record }: Written) => inner(record, "DetalleDesglose");
const cents = (text: string | undefined) => Math.round(Number(text ?? "0") * 100);
const sumOf = (written: Written, ...names: readonly string[]) =>
  lines(written).reduce((sum, line) => sum + names.reduce((of, name) => of + cents(one(line, name)), 0), 0);
const own = ({ record }: Written) => record.replace(/<sf:Encadenamiento>.*<\/sf:Encadenamiento>/s, "");
const previous = ({ record }: Written) => element(record, "RegistroAnterior");
const system = ({ record }: Written) => element(record, "SistemaInformatico") ?? "";
const issuerOf = ({ header }: Written) => one(header, "NIF") ?? "";
const isAmending = ({ record }: Written) => one(record, "Subsanacion") === "S";

/** The literals of the record in the order of the AEAT's specification. */
function hashedAnew(written: Written): string {
  const { record } = written;
  const suffix = isAlta(written) ? "" : "Anulada";
  const key = ["IDEmisorFactura", "NumSerieFactura", "FechaExpedicionFactura"].map((name) => name + suffix);
  const names = [...key, ...(isAlta(written) ? ["TipoFactura", "CuotaTotal", "ImporteTotal"] : [])];
  const pairs = names.map((name) => `${name}=${one(record, name) ?? ""}`);
  const before = one(previous(written) ?? "", "Huella") ?? "";
  const text = [
    ...pairs,
    `Huella=${before}`,
    `FechaHoraHusoGenRegistro=${one(record, "FechaHoraHusoGenRegistro")}`,
  ];
  return createHash("sha256").update(text.join("&"), "utf8").digest("hex").toUpperCase();
}

const isNumber = (text: string) => /^[!-~][ -~]{0,59}$/.test(text) && !/["'<>=]/.test(text);
const isMoment = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/.test(text) && isIsoDay(text.slice(0, 10));
const isHash = (text: string) => /^[0-9A-F]{64}$/.test(text);
const ownHash = (written: Written) => texts(own(written), "Huella").at(-1) ?? "";
const DATES = ["FechaExpedicionFactura", "FechaExpedicionFacturaAnulada", "FechaOperacion"];
const NUMBERS = ["NumSerieFactura", "NumSerieFacturaAnulada"];

export const STRUCTURE: readonly StructureRow[] = [
  [
    [1105, 1145, 1174, 4106],
    "every date is a day",
    (written) => DATES.every((name) => isEvery(name, isDay)(written)),
  ],
  [
    [1104, 1130, 1175, 1287],
    "every number has 1 to 60 printable characters that the AEAT takes",
    (written) => NUMBERS.every((name) => isEvery(name, isNumber)(written)),
  ],
  [[1106, 1265], "the type is one of the list", isEvery("TipoFactura", isOneOf(...TYPES))],
  [
    [1108, 1120, 1217, 1219, 1240],
    "the issuer is the one of the header, with a right control character",
    (written) =>
      [...texts(written.record, "IDEmisorFactura"), ...texts(written.record, "IDEmisorFacturaAnulada")].every(
        (nif) => nif === issuerOf(written) && nifFrom(nif) === nif,
      ),
  ],
  [
    [1154],
    "what is rectified or replaced was issued by the issuer, whom the header names",
    (written) =>
      ["IDFacturaRectificada", "IDFacturaSustituida"].every((name) =>
        inner(written.record, name).every((cited) => one(cited, "IDEmisorFactura") === issuerOf(written)),
      ),
  ],
  [
    [1112, 1133, 1152],
    "the issue date is the day of the record",
    (written) => {
      const day = one(written.record, "FechaHoraHusoGenRegistro")
        ?.slice(0, 10)
        .split("-")
        .reverse()
        .join("-");
      const issued = DATES.slice(0, 2)
        .flatMap((name) => texts(own(written), name))
        .at(0);
      return issued === day;
    },
  ],
  [
    [1114, 1115, 1107],
    "there is a method exactly with R1 to R5",
    (written) =>
      /^[SI]$/.test(one(written.record, "TipoRectificativa") ?? "") === typeOf(written).startsWith("R"),
  ],
  [
    [1117],
    "only R1 to R5 rectify",
    (written) => !has(written.record, "FacturasRectificadas") || typeOf(written).startsWith("R"),
  ],
  [
    [1116],
    "only F3 replaces",
    (written) => !has(written.record, "FacturasSustituidas") || typeOf(written) === "F3",
  ],
  [
    [1118, 1119],
    "rectified amounts are present exactly with a substitution",
    (written) =>
      has(written.record, "ImporteRectificacion") === (one(written.record, "TipoRectificativa") === "S"),
  ],
  [
    [1138, 1139],
    "a total of 100,000,000 says so, and no other",
    (written) =>
      (one(written.record, "Macrodato") === "S") ===
      Math.abs(Number(one(written.record, "ImporteTotal") ?? 0)) >= 100_000_000,
  ],
  [
    [1136, 1137, 1184, 1274, 1276],
    "a flag that is there says S",
    (written) =>
      [
        ...["FacturaSimplificadaArt7273", "Macrodato", "FacturaSinIdentifDestinatarioArt61d"],
        ...["PrimerRegistro", "SinRegistroPrevio"],
      ].every((name) => isEvery(name, isOneOf("S"))(written)),
  ],
  [[1264], "PrimerRegistro is one character", isEvery("PrimerRegistro", (text) => text.length === 1)],
  [
    [1171],
    "an amendment says S, an earlier rejection N, S or X",
    (written) =>
      isEvery("Subsanacion", isOneOf("S"))(written) &&
      isEvery("RechazoPrevio", isOneOf("N", "S", "X"))(written),
  ],
  [
    [1153, 1161],
    "an earlier rejection is present only with an amendment",
    (written) =>
      !isAlta(written) || !/^[SX]$/.test(one(written.record, "RechazoPrevio") ?? "") || isAmending(written),
  ],
  [
    [1275],
    "an annulment knows of no rejection but S",
    (written) => isAlta(written) || isEvery("RechazoPrevio", isOneOf("S"))(written),
  ],
  [
    [1151, 1155, 1158, 1159, 1178, 1186, 1187, 1188, 1211, 1232],
    "no third party issues",
    lacks("EmitidaPorTerceroODestinatario", "Tercero"),
  ],
  [[1157], "nothing is a coupon", lacks("Cupon")],
  [
    [1224, 1225, 1227, 1228, 1229, 1230, 1231, 1234, 1258, 1259, 1273],
    "the issuer makes the annulment",
    lacks("GeneradoPor", "Generador"),
  ],
  [[1140, 1144, 1209, 1257], "there is no base at cost", lacks("BaseImponibleACoste")],
  [[1214], "there is no number of issuers", lacks("NumeroOTAlta")],
  [
    [1180, 1269],
    "a record is the first of its chain or after one that is named whole",
    (written) => {
      const before = previous(written);
      if (before === undefined) return has(written.record, "PrimerRegistro");
      const named = ["IDEmisorFactura", "NumSerieFactura", "FechaExpedicionFactura", "Huella"];
      return !has(written.record, "PrimerRegistro") && named.every((name) => one(before, name));
    },
  ],
  [
    [1176, 1179, 1221, 1223, 1233],
    "the producer has a NIF with a right control character and nothing else",
    (written) => {
      const nif = one(system(written), "NIF") ?? "";
      return nifFrom(nif) === nif && !has(system(written), "IDOtro");
    },
  ],
  [
    [1177, 1220],
    "the system has a name, and a code of two characters",
    (written) =>
      (one(system(written), "NombreSistemaInformatico") ?? "").trim() !== "" &&
      /^[0-9A-Z]{2}$/.test(one(system(written), "IdSistemaInformatico") ?? ""),
  ],
  [
    [1212, 1213, 1226],
    "what the system can do is S or N",
    (written) =>
      ["TipoUsoPosibleSoloVerifactu", "TipoUsoPosibleMultiOT", "IndicadorMultiplesOT"].every((name) =>
        /^[SN]$/.test(one(system(written), name) ?? ""),
      ),
  ],
  [
    [1142, 1143],
    "the tax of a line is its rate of its base to two cents, of the sign of the base",
    (written) =>
      lines(written)
        .filter((line) => one(line, "CalificacionOperacion") === "S1")
        .every((line) => {
          const base = cents(one(line, "BaseImponibleOimporteNoSujeto"));
          const tax = cents(one(line, "CuotaRepercutida"));
          const rate = Number(one(line, "TipoImpositivo"));
          return base * tax >= 0 && Math.abs((base * rate) / 100 - tax) <= 2;
        }),
  ],
  [
    [1208],
    "S1 has a rate and a tax",
    (written) =>
      lines(written)
        .filter((line) => one(line, "CalificacionOperacion") === "S1")
        .every((line) => has(line, "TipoImpositivo") && has(line, "CuotaRepercutida")),
  ],
  [
    [1195, 1196],
    "a line is qualified or exempt",
    (written) =>
      lines(written).every((line) => has(line, "CalificacionOperacion") !== has(line, "OperacionExenta")),
  ],
  [
    [1284],
    "a surcharge has rate and amount",
    (written) =>
      lines(written).every(
        (line) => has(line, "TipoRecargoEquivalencia") === has(line, "CuotaRecargoEquivalencia"),
      ),
  ],
  [[1277], "no surcharge is 0 %", isEvery("TipoRecargoEquivalencia", (text) => Number(text) > 0)],
  [
    [1245, 2009],
    "every tax but 05 has its regime",
    (written) =>
      lines(written).every((line) => has(line, "ClaveRegimen") === (one(line, "Impuesto") !== "05")),
  ],
  [
    [1216, 2006],
    "CuotaTotal is the sum of the lines",
    (written) =>
      !isAlta(written) ||
      cents(one(written.record, "CuotaTotal")) ===
        sumOf(written, "CuotaRepercutida", "CuotaRecargoEquivalencia"),
  ],
  [
    [1210, 2005],
    "ImporteTotal is the sum of the lines, outside of the margin scheme",
    (written) =>
      !isAlta(written) ||
      lines(written).some((line) => /^0[35]$/.test(one(line, "ClaveRegimen") ?? "")) ||
      cents(one(written.record, "ImporteTotal")) ===
        sumOf(written, "BaseImponibleOimporteNoSujeto", "CuotaRepercutida", "CuotaRecargoEquivalencia"),
  ],
  [
    [1266, 1267],
    "totals have at most 12 digits before the point",
    (written) =>
      ["CuotaTotal", "ImporteTotal"].every((name) =>
        isEvery(name, (text) => /^-?\d{1,12}\.\d{2}$/.test(text))(written),
      ),
  ],
  [[1244, 1268], "the moment has seconds and an offset", isEvery("FechaHoraHusoGenRegistro", isMoment)],
  [[1247, 1263], "the hash is of kind 01", isEvery("TipoHuella", isOneOf("01"))],
  [[1251], "the version is 1.0", isEvery("IDVersion", isOneOf("1.0"))],
  [[1253], "the reference has 1 to 60 characters", isEvery("RefExterna", (text) => /^\S{1,60}$/.test(text))],
  [
    [1262, 1292, 2000],
    "the hash is that of the literals",
    (written) => ownHash(written) === hashedAnew(written),
  ],
  [
    [1291, 2002, 2003],
    "the hash before has 64 capital hexadecimal characters",
    (written) => {
      const before = previous(written);
      return before === undefined || isHash(one(before, "Huella") ?? "");
    },
  ],
  [
    [2008],
    "the hash before is another",
    (written) => one(previous(written) ?? "", "Huella") !== ownHash(written),
  ],
  [
    [1172, 1215, 4109, 4115, 4116],
    "the header names the issuer, with a NIF with a right control character",
    (written) => nifFrom(issuerOf(written)) === issuerOf(written),
  ],
  [
    [1282],
    "the issuer has a name, in header and record",
    (written) =>
      (one(written.header, "NombreRazon") ?? "").trim() !== "" &&
      isEvery("NombreRazonEmisor", (text) => text.trim() !== "")(written),
  ],
  [[4105, 4117, 4123, 4124], "no representative is named", headerLacks("Representante")],
  [[4120], "no message leaves VERI*FACTU", headerLacks("FechaFinVeriFactu")],
  [[4121], "an incident is S", ({ header }) => texts(header, "Incidencia").every((text) => text === "S")],
  [
    [4122, 4125, 4126, 4129, 4130, 4131, 4133],
    "no message answers a demand of the AEAT",
    headerLacks("RemisionRequerimiento", "RefRequerimiento", "FinRequerimiento"),
  ],
];
