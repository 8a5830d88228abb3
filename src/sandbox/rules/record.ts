import { childrenOf, elementAt, textAt, type XmlElement } from "../xml/xml.ts";
import { comparable, hundredths } from "./written-values.ts";

/** A record as received, read after its values have passed the schema. Texts are unchanged. */

export interface InvoiceKey {
  readonly nif: string;
  readonly number: string;
  /** dd-mm-yyyy */
  readonly date: string;
}

/** The parts that every record has, as far as readable, even with wrong values. */
export interface RecordIdentity {
  readonly kind: "Alta" | "Anulacion";
  readonly element: XmlElement;
  readonly key: InvoiceKey;
  readonly reference: string | undefined;
  readonly isAmendment: boolean;
  /** RechazoPrevio, if it is not N. */
  readonly rejection: "S" | "X" | undefined;
  readonly hasNoPrevious: boolean;
  readonly chain: ChainIdentity;
  readonly previous: (InvoiceKey & { readonly hash: string }) | undefined;
  readonly generatedAt: string;
  readonly hash: string;
}

/** One chain: issuer, software, installation, but not the version. */
export interface ChainIdentity {
  readonly nif: string;
  readonly producer: string;
  readonly system: string;
  readonly installation: string;
}

export interface Party {
  readonly name: string;
  readonly nif: string | undefined;
  readonly other:
    | { readonly country: string | undefined; readonly type: string; readonly id: string }
    | undefined;
}

export function identityOf(element: XmlElement): RecordIdentity {
  const kind = element.name === "RegistroAlta" ? "Alta" : "Anulacion";
  const suffix = kind === "Alta" ? "" : "Anulada";
  const text = (...path: string[]) => textAt(element, ...path) ?? "";
  const nif = text("IDFactura", `IDEmisorFactura${suffix}`);
  const rejection = text("RechazoPrevio");
  return {
    kind,
    element,
    key: {
      nif,
      number: text("IDFactura", `NumSerieFactura${suffix}`),
      date: text("IDFactura", `FechaExpedicionFactura${suffix}`),
    },
    reference: textAt(element, "RefExterna"),
    isAmendment: text("Subsanacion") === "S",
    rejection: rejection === "S" || rejection === "X" ? rejection : undefined,
    hasNoPrevious: text("SinRegistroPrevio") === "S",
    chain: chainOf(nif, element),
    previous: previousOf(element),
    generatedAt: text("FechaHoraHusoGenRegistro"),
    hash: text("Huella"),
  };
}

function chainOf(nif: string, element: XmlElement): ChainIdentity {
  const system = elementAt(element, "SistemaInformatico");
  return {
    nif,
    producer: textAt(system, "NIF") ?? textAt(system, "IDOtro", "ID") ?? "",
    system: textAt(system, "IdSistemaInformatico") ?? "",
    installation: textAt(system, "NumeroInstalacion") ?? "",
  };
}

function previousOf(element: XmlElement): RecordIdentity["previous"] {
  const previous = elementAt(element, "Encadenamiento", "RegistroAnterior");
  if (previous === undefined) return undefined;
  return {
    nif: textAt(previous, "IDEmisorFactura") ?? "",
    number: textAt(previous, "NumSerieFactura") ?? "",
    date: textAt(previous, "FechaExpedicionFactura") ?? "",
    hash: textAt(previous, "Huella") ?? "",
  };
}

/** A block with a name and an identifier; undefined when there is no such block. */
export function partyOf(element: XmlElement | undefined): Party | undefined {
  if (element === undefined) return undefined;
  const other = elementAt(element, "IDOtro");
  return {
    name: textAt(element, "NombreRazon") ?? "",
    nif: textAt(element, "NIF"),
    other: other && {
      country: textAt(other, "CodigoPais"),
      type: textAt(other, "IDType") ?? "",
      id: textAt(other, "ID") ?? "",
    },
  };
}

/** DetalleDesglose, amounts in hundredths. */
export interface BreakdownLine {
  /** 01 if absent. */
  readonly tax: string;
  readonly regime: string | undefined;
  readonly qualification: string | undefined;
  readonly exemption: string | undefined;
  readonly rate: bigint | undefined;
  readonly base: bigint;
  readonly costBase: bigint | undefined;
  readonly taxAmount: bigint | undefined;
  readonly surchargeRate: bigint | undefined;
  readonly surcharge: bigint | undefined;
}

/** RegistroAlta, as far as its rules need it. */
export interface Registration extends RecordIdentity {
  readonly type: string;
  readonly method: string | undefined;
  /** yyyy-mm-dd */
  readonly issued: string;
  /** FechaOperacion, yyyy-mm-dd */
  readonly operation: string | undefined;
  /** The day that selects the rates: of the operation, else of the issue. */
  readonly rateDay: string;
  readonly recipients: readonly Party[];
  readonly lines: readonly BreakdownLine[];
  readonly taxTotal: bigint;
  readonly total: bigint;
}

export function registrationOf(identity: RecordIdentity): Registration {
  const { element } = identity;
  const issued = comparable(identity.key.date) ?? "";
  const operation = comparable(textAt(element, "FechaOperacion"));
  return {
    ...identity,
    type: textAt(element, "TipoFactura") ?? "",
    method: textAt(element, "TipoRectificativa"),
    issued,
    operation,
    rateDay: operation ?? issued,
    recipients: childrenOf(elementAt(element, "Destinatarios"), "IDDestinatario").flatMap(
      (recipient) => partyOf(recipient) ?? [],
    ),
    lines: childrenOf(elementAt(element, "Desglose"), "DetalleDesglose").map(lineOf),
    taxTotal: hundredths(textAt(element, "CuotaTotal") ?? "0"),
    total: hundredths(textAt(element, "ImporteTotal") ?? "0"),
  };
}

function lineOf(element: XmlElement): BreakdownLine {
  const number = (name: string) => {
    const text = textAt(element, name);
    return text === undefined ? undefined : hundredths(text);
  };
  return {
    tax: textAt(element, "Impuesto") ?? "01",
    regime: textAt(element, "ClaveRegimen"),
    qualification: textAt(element, "CalificacionOperacion"),
    exemption: textAt(element, "OperacionExenta"),
    rate: number("TipoImpositivo"),
    base: number("BaseImponibleOimporteNoSujeto") ?? 0n,
    costBase: number("BaseImponibleACoste"),
    taxAmount: number("CuotaRepercutida"),
    surchargeRate: number("TipoRecargoEquivalencia"),
    surcharge: number("CuotaRecargoEquivalencia"),
  };
}

/** IVA and IGIC share most rules of ClaveRegimen. */
export function isIvaOrIgic({ tax }: BreakdownLine): boolean {
  return tax === "01" || tax === "03";
}

export function isRectification(type: string): boolean {
  return type.startsWith("R");
}

/** All types but F2 and R5 have recipients. */
export function namesRecipients(type: string): boolean {
  return type !== "F2" && type !== "R5";
}

/** The Huella that a record should have, from the service's own reading of its rules. */

/** Upper-case hex of the SHA-256 over the literals of the record. */
export async function expectedHash(record: RecordIdentity): Promise<string> {
  const bytes = new TextEncoder().encode(hashedText(record));
  return hex(await crypto.subtle.digest("SHA-256", bytes)).toUpperCase();
}

/** A missing field keeps its name; values are those of the document, trimmed. */
function hashedText(record: RecordIdentity): string {
  const { element, key, previous, generatedAt } = record;
  const invoice = [key.nif, key.number, key.date];
  const end = [
    ["Huella", previous?.hash ?? ""],
    ["FechaHoraHusoGenRegistro", generatedAt],
  ];
  const suffix = record.kind === "Alta" ? "" : "Anulada";
  const names = [`IDEmisorFactura${suffix}`, `NumSerieFactura${suffix}`, `FechaExpedicionFactura${suffix}`];
  const own = record.kind === "Alta" ? ["TipoFactura", "CuotaTotal", "ImporteTotal"] : [];
  return [
    ...names.map((name, index) => [name, invoice[index]]),
    ...own.map((name) => [name, textAt(element, name) ?? ""]),
    ...end,
  ]
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** SHA-256 of the received bytes, in lower-case hex. */
export async function sha256Of(bytes: BufferSource): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

function hex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
