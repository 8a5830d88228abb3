/**
 * Registros de facturacion as sealed: every value is the literal that goes into XML, hash and QR, formatted
 * once and never again. Dates are `dd-mm-yyyy`, amounts have two decimals, absent members are absent
 * elements.
 */

/** IDFactura: the key of an invoice at the AEAT. */
export interface InvoiceKey {
  readonly issuerNif: string;
  readonly number: string;
  readonly date: string;
}

/** The link of a record: either the first of its chain, or the record before it. */
export type ChainLink =
  | { readonly first: true }
  | ({ readonly first: false; readonly hash: string } & InvoiceKey);

/**
 * SistemaInformatico: producer and product as configured, installation and multi-issuer state as computed.
 */
export interface SoftwareSystem {
  readonly producerName: string;
  readonly producerNif: string;
  readonly name: string;
  readonly code: string;
  readonly version: string;
  readonly installationNumber: string;
  /** TipoUsoPosibleSoloVerifactu */
  readonly verifactuOnly: boolean;
  /** TipoUsoPosibleMultiOT */
  readonly multipleIssuersPossible: boolean;
  /** IndicadorMultiplesOT */
  readonly multipleIssuers: boolean;
}

/** A Spanish NIF, or another identifier with its type (list L7). */
export type RecordIdentifier =
  | { readonly nif: string }
  | { readonly idType: string; readonly country?: string; readonly id: string };

export type RecordRecipient = { readonly name: string } & RecordIdentifier;

/**
 * DetalleDesglose. Exempt groups carry `exemption`, the others `qualification`; rate and tax only where L9
 * has them.
 */
export interface BreakdownLine {
  readonly tax: string;
  readonly regime?: string;
  readonly qualification?: string;
  readonly exemption?: string;
  readonly rate?: string;
  readonly base: string;
  readonly taxAmount?: string;
  readonly surchargeRate?: string;
  readonly surchargeAmount?: string;
}

interface RecordCommon {
  /** Our id of the record, RefExterna: the authority echoes it. */
  readonly reference: string;
  readonly key: InvoiceKey;
  readonly chain: ChainLink;
  readonly system: SoftwareSystem;
  /** FechaHoraHusoGenRegistro */
  readonly generatedAt: string;
}

/** RegistroAlta without its hash. */
export interface RegistrationContent extends RecordCommon {
  readonly kind: "ALTA";
  readonly issuerName: string;
  readonly amendment?: { readonly previousRejection: "N" | "S" | "X" };
  readonly invoiceType: string;
  /** TipoRectificativa: S substitution, I differences. */
  readonly rectificationMethod?: "S" | "I";
  readonly rectified?: readonly InvoiceKey[];
  readonly replaced?: readonly InvoiceKey[];
  /** ImporteRectificacion */
  readonly rectifiedAmounts?: { readonly base: string; readonly tax: string; readonly surcharge?: string };
  readonly operationDate?: string;
  readonly description: string;
  /** FacturaSimplificadaArt7273 */
  readonly qualifiedSimplified?: true;
  /** FacturaSinIdentifDestinatarioArt61d */
  readonly withoutRecipient?: true;
  /** Macrodato */
  readonly macrodata?: true;
  readonly recipients?: readonly RecordRecipient[];
  readonly breakdown: readonly BreakdownLine[];
  readonly taxTotal: string;
  readonly total: string;
  /** NumRegistroAcuerdoFacturacion */
  readonly agreementNumber?: string;
}

/** RegistroAnulacion without its hash. */
export interface CancellationContent extends RecordCommon {
  readonly kind: "ANULACION";
  readonly withoutPreviousRecord?: true;
  readonly previousRejection?: true;
}

export type RecordContent = RegistrationContent | CancellationContent;

/** A record with its place and its hash (64 upper-case hex characters). */
export type SealedRecord = {
  readonly content: RecordContent;
  readonly position: number;
  readonly hash: string;
};

/** The last record of a chain, as the next record must link to it. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
  readonly key: InvoiceKey;
  readonly generatedAt: string;
}

export function linkTo(head: ChainHead | undefined): ChainLink {
  return head ? { first: false, hash: head.hash, ...head.key } : { first: true };
}

/** Our id of a record from its place: installation and position. The AEAT gets it as RefExterna. */
export function recordId(installationId: string, position: number): string {
  return `${installationId}-${position}`;
}

export type AeatEnvironment = "test" | "production";

/** Not the hosts of the web service: these are the ones of the public verification page. */
const VERIFICATION_PAGE: Readonly<Record<AeatEnvironment, string>> = {
  test: "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR",
  production: "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR",
};

/**
 * Art. 21 Orden HAC/1177/2024: the text of the QR, four parameters in this order. `total` is the literal of
 * the record, because the AEAT searches by it without any tolerance.
 */
export function qrUrl(invoice: {
  readonly environment: AeatEnvironment;
  readonly key: InvoiceKey;
  readonly total: string;
}): string {
  const { environment, key, total } = invoice;
  const parameters = [
    ["nif", key.issuerNif],
    ["numserie", key.number],
    ["fecha", key.date],
    ["importe", total],
  ] as const;
  // The AEAT decodes as form data, where a raw "+" is a space: encodeURIComponent writes it as %2B.
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${VERIFICATION_PAGE[environment]}?${query}`;
}
