/** Messages for the sandbox authority, written apart from the product: any field can be changed or left. */
import { createHash } from "node:crypto";

const BASE =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

export const NAMESPACES = {
  s: "http://schemas.xmlsoap.org/soap/envelope/",
  lr: `${BASE}SuministroLR.xsd`,
  sf: `${BASE}SuministroInformacion.xsd`,
  q: `${BASE}ConsultaLR.xsd`,
} as const;

/** Elements by name, in the order of the schema; undefined is left out, a list repeats the element. */
export type Fields = { readonly [name: string]: Field | readonly Field[] };
export type Field = string | undefined | Fields;

/** The changes of a record: `undefined` removes a field. */
export type Change = Fields;

/** A Friday, at noon in Madrid. */
export const NOON = Date.parse("2026-11-27T12:00:00+01:00");
export const TODAY = "27-11-2026";

export const ISSUER = { NombreRazon: "EMPRESA DE PRUEBA SL", NIF: "89890001K" };
export const CUSTOMER = { NombreRazon: "CLIENTE DE PRUEBA", NIF: "89890002E" };

export const LINE: Fields = {
  Impuesto: "01",
  ClaveRegimen: "01",
  CalificacionOperacion: "S1",
  OperacionExenta: undefined,
  TipoImpositivo: "21.00",
  BaseImponibleOimporteNoSujeto: "100.00",
  BaseImponibleACoste: undefined,
  CuotaRepercutida: "21.00",
  TipoRecargoEquivalencia: undefined,
  CuotaRecargoEquivalencia: undefined,
};

export const SYSTEM: Fields = {
  NombreRazon: "PRODUCTOR FICTICIO SL",
  NIF: "B12345674",
  IDOtro: undefined,
  NombreSistemaInformatico: "FacturaPrueba",
  IdSistemaInformatico: "01",
  Version: "1.0.0",
  NumeroInstalacion: "instalacion-1",
  TipoUsoPosibleSoloVerifactu: "S",
  TipoUsoPosibleMultiOT: "S",
  IndicadorMultiplesOT: "N",
};

const ALTA: Fields = {
  IDVersion: "1.0",
  IDFactura: invoiceKey("A-1"),
  RefExterna: "ref-1",
  NombreRazonEmisor: ISSUER.NombreRazon,
  Subsanacion: undefined,
  RechazoPrevio: undefined,
  TipoFactura: "F1",
  TipoRectificativa: undefined,
  FacturasRectificadas: undefined,
  FacturasSustituidas: undefined,
  ImporteRectificacion: undefined,
  FechaOperacion: undefined,
  DescripcionOperacion: "Servicios de consultoría",
  FacturaSimplificadaArt7273: undefined,
  FacturaSinIdentifDestinatarioArt61d: undefined,
  Macrodato: undefined,
  EmitidaPorTerceroODestinatario: undefined,
  Tercero: undefined,
  Destinatarios: { IDDestinatario: CUSTOMER },
  Cupon: undefined,
  Desglose: { DetalleDesglose: LINE },
  CuotaTotal: "21.00",
  ImporteTotal: "121.00",
  Encadenamiento: { PrimerRegistro: "S" },
  SistemaInformatico: SYSTEM,
  FechaHoraHusoGenRegistro: "2026-11-27T11:59:00+01:00",
  NumRegistroAcuerdoFacturacion: undefined,
  IdAcuerdoSistemaInformatico: undefined,
  TipoHuella: "01",
  Huella: undefined,
};

const ANULACION: Fields = {
  IDVersion: "1.0",
  IDFactura: annulledKey("A-1"),
  RefExterna: "ref-2",
  SinRegistroPrevio: undefined,
  RechazoPrevio: undefined,
  GeneradoPor: undefined,
  Generador: undefined,
  Encadenamiento: { PrimerRegistro: "S" },
  SistemaInformatico: SYSTEM,
  FechaHoraHusoGenRegistro: "2026-11-27T11:59:00+01:00",
  TipoHuella: "01",
  Huella: undefined,
};

export interface TestRecord {
  readonly kind: "RegistroAlta" | "RegistroAnulacion";
  readonly fields: Fields;
}

export function invoiceKey(number: string, date = TODAY, nif = ISSUER.NIF): Fields {
  return { IDEmisorFactura: nif, NumSerieFactura: number, FechaExpedicionFactura: date };
}

export function annulledKey(number: string, date = TODAY, nif = ISSUER.NIF): Fields {
  return {
    IDEmisorFacturaAnulada: nif,
    NumSerieFacturaAnulada: number,
    FechaExpedicionFacturaAnulada: date,
  };
}

export function alta(change: Change = {}): TestRecord {
  return sealed("RegistroAlta", { ...ALTA, ...change });
}

export function anulacion(change: Change = {}): TestRecord {
  return sealed("RegistroAnulacion", { ...ANULACION, ...change });
}

/** An invoice without recipient. */
export function ticket(change: Change = {}): TestRecord {
  return alta({ TipoFactura: "F2", Destinatarios: undefined, ...change });
}

/** A breakdown of such lines, each a change of the usual one, with the totals that follow. */
export function breakdown(...lines: readonly Change[]): Fields {
  const all = lines.map((line) => ({ ...LINE, ...line }));
  const cents = (line: Fields, name: string) => Math.round(Number(line[name] ?? 0) * 100);
  const sum = (name: string) => all.reduce((total, line) => total + cents(line, name), 0);
  const tax = sum("CuotaRepercutida") + sum("CuotaRecargoEquivalencia");
  return {
    Desglose: { DetalleDesglose: all },
    CuotaTotal: (tax / 100).toFixed(2),
    ImporteTotal: ((sum("BaseImponibleOimporteNoSujeto") + tax) / 100).toFixed(2),
  };
}

/** The same record, linked after another one. */
export function behind(previous: TestRecord, { kind, fields }: TestRecord): TestRecord {
  const [nif, number, date] = keyOf(previous);
  const link = { ...invoiceKey(number, date, nif), Huella: textOf(previous.fields, "Huella") };
  return sealed(kind, { ...fields, Encadenamiento: { RegistroAnterior: link }, Huella: undefined });
}

/** Records linked one after the other, the first unchanged. */
export function chained(first: TestRecord, ...others: readonly TestRecord[]): TestRecord[] {
  const records = [first];
  for (const record of others) records.push(behind(records.at(-1) ?? first, record));
  return records;
}

/** A whole chain of simple invoices. */
export function series(count: number, change: (index: number) => Change = () => ({})): TestRecord[] {
  const one = (index: number) =>
    alta({ IDFactura: invoiceKey(`S-${index + 1}`), RefExterna: `ref-${index + 1}`, ...change(index) });
  const [first = alta(), ...others] = Array.from({ length: count }, (_, index) => one(index));
  return chained(first, ...others);
}

export const HEADER: Fields = {
  ObligadoEmision: ISSUER,
  Representante: undefined,
  RemisionVoluntaria: undefined,
  RemisionRequerimiento: undefined,
};

export const INCIDENT: Change = { RemisionVoluntaria: { Incidencia: "S" } };

export function message(records: readonly TestRecord[], header: Change = {}): string {
  const content = records.map(
    ({ kind, fields }) => `<lr:RegistroFactura>${element(`sf:${kind}`, fields)}</lr:RegistroFactura>`,
  );
  const head = element("lr:Cabecera", { ...HEADER, ...header });
  return envelope(
    `<lr:RegFactuSistemaFacturacion>${head}${content.join("")}</lr:RegFactuSistemaFacturacion>`,
  );
}

export function envelope(body: string): string {
  const declared = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return (
    `<?xml version="1.0" encoding="UTF-8"?><s:Envelope${declared.join("")}><s:Header/>` +
    `<s:Body>${body}</s:Body></s:Envelope>`
  );
}

/** Names inside are those of SuministroInformacion, unless they carry a prefix. */
export function element(name: string, content: Field | readonly Field[]): string {
  if (content === undefined) return "";
  if (Array.isArray(content)) return content.map((one) => element(name, one)).join("");
  if (typeof content === "string") return `<${name}>${escaped(content)}</${name}>`;
  const children = Object.entries(content as Fields).map(([child, value]) =>
    element(child.includes(":") ? child : `sf:${child}`, value),
  );
  return `<${name}>${children.join("")}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function sealed(kind: TestRecord["kind"], fields: Fields): TestRecord {
  return { kind, fields: { ...fields, Huella: fields.Huella ?? hashOf(kind, fields) } };
}

/** The Huella, from the AEAT's specification, so that a wrong one is wrong on purpose. */
function hashOf(kind: TestRecord["kind"], fields: Fields): string {
  const id = Object.entries(fieldsOf(fields, "IDFactura"));
  const own = kind === "RegistroAlta" ? ["TipoFactura", "CuotaTotal", "ImporteTotal"] : [];
  const previous = fieldsOf(fieldsOf(fields, "Encadenamiento"), "RegistroAnterior");
  const pairs = [
    ...id.map(([name, value]) => [name, value]),
    ...own.map((name) => [name, fields[name]]),
    ["Huella", previous.Huella ?? ""],
    ["FechaHoraHusoGenRegistro", fields.FechaHoraHusoGenRegistro],
  ];
  const text = pairs.map(([name, value]) => `${name}=${String(value ?? "").trim()}`).join("&");
  return createHash("sha256").update(text, "utf8").digest("hex").toUpperCase();
}

function keyOf({ fields }: TestRecord): readonly [nif: string, number: string, date: string] {
  const [nif = "", number = "", date = ""] = Object.values(fieldsOf(fields, "IDFactura")).map(String);
  return [nif, number, date];
}

function fieldsOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
