import type {
  BreakdownLine,
  CancellationContent,
  ChainLink,
  InvoiceKey,
  RecordIdentifier,
  RecordRecipient,
  RegistrationContent,
  SealedRecord,
  SoftwareSystem,
} from "../record.ts";
import { branch, flag, leaf, list, type Markup, type Namespaces, SF_NAMESPACE, yesNo } from "./element.ts";

/** The record as a document of its own: sf:RegistroAlta or sf:RegistroAnulacion with its namespace. */
export function recordXml(record: SealedRecord): string {
  return recordElement(record, { sf: SF_NAMESPACE });
}

/** The same element without namespace declarations, for a message that declares them at its root. */
export function recordElement(record: SealedRecord, namespaces: Namespaces = {}): Markup {
  const { content } = record;
  return content.kind === "ALTA"
    ? branch("sf:RegistroAlta", registrationXml(content, record), namespaces)
    : branch("sf:RegistroAnulacion", cancellationXml(content, record), namespaces);
}

/** Children of RegistroAnulacion, in the order of RegistroFacturacionAnulacionType. */
function cancellationXml(content: CancellationContent, record: SealedRecord): readonly Markup[] {
  return [
    leaf("sf:IDVersion", "1.0"),
    branch("sf:IDFactura", [
      leaf("sf:IDEmisorFacturaAnulada", content.key.issuerNif),
      leaf("sf:NumSerieFacturaAnulada", content.key.number),
      leaf("sf:FechaExpedicionFacturaAnulada", content.key.date),
    ]),
    leaf("sf:RefExterna", content.reference),
    flag("sf:SinRegistroPrevio", content.withoutPreviousRecord),
    flag("sf:RechazoPrevio", content.previousRejection),
    ...closingXml(record),
  ];
}

/** IDFacturaExpedidaType and IDFacturaARType. */
function invoiceKeyXml(name: string, key: InvoiceKey): Markup {
  return branch(name, keyFields(key));
}

/** The end that both kinds of record share, from the chain to the hash. */
function closingXml({ content, hash }: SealedRecord, agreementNumber?: string): readonly Markup[] {
  return [
    chainXml(content.chain),
    systemXml(content.system),
    leaf("sf:FechaHoraHusoGenRegistro", content.generatedAt),
    leaf("sf:NumRegistroAcuerdoFacturacion", agreementNumber),
    leaf("sf:TipoHuella", "01"),
    leaf("sf:Huella", hash),
  ];
}

function identifierXml(identifier: RecordIdentifier): Markup {
  if ("nif" in identifier) return leaf("sf:NIF", identifier.nif);
  return branch("sf:IDOtro", [
    leaf("sf:CodigoPais", identifier.country),
    leaf("sf:IDType", identifier.idType),
    leaf("sf:ID", identifier.id),
  ]);
}

function chainXml(chain: ChainLink): Markup {
  if (chain.first) return branch("sf:Encadenamiento", [flag("sf:PrimerRegistro", true)]);
  const previous = branch("sf:RegistroAnterior", [...keyFields(chain), leaf("sf:Huella", chain.hash)]);
  return branch("sf:Encadenamiento", [previous]);
}

function systemXml(system: SoftwareSystem): Markup {
  return branch("sf:SistemaInformatico", [
    leaf("sf:NombreRazon", system.producerName),
    leaf("sf:NIF", system.producerNif),
    leaf("sf:NombreSistemaInformatico", system.name),
    leaf("sf:IdSistemaInformatico", system.code),
    leaf("sf:Version", system.version),
    leaf("sf:NumeroInstalacion", system.installationNumber),
    yesNo("sf:TipoUsoPosibleSoloVerifactu", system.verifactuOnly),
    yesNo("sf:TipoUsoPosibleMultiOT", system.multipleIssuersPossible),
    yesNo("sf:IndicadorMultiplesOT", system.multipleIssuers),
  ]);
}

function keyFields(key: InvoiceKey): readonly Markup[] {
  return [
    leaf("sf:IDEmisorFactura", key.issuerNif),
    leaf("sf:NumSerieFactura", key.number),
    leaf("sf:FechaExpedicionFactura", key.date),
  ];
}

/** Children of RegistroAlta, in the order of RegistroFacturacionAltaType. */
function registrationXml(content: RegistrationContent, record: SealedRecord): readonly Markup[] {
  return [
    leaf("sf:IDVersion", "1.0"),
    invoiceKeyXml("sf:IDFactura", content.key),
    leaf("sf:RefExterna", content.reference),
    leaf("sf:NombreRazonEmisor", content.issuerName),
    flag("sf:Subsanacion", content.amendment !== undefined),
    leaf("sf:RechazoPrevio", content.amendment?.previousRejection),
    leaf("sf:TipoFactura", content.invoiceType),
    ...referencesXml(content),
    leaf("sf:FechaOperacion", content.operationDate),
    leaf("sf:DescripcionOperacion", content.description),
    flag("sf:FacturaSimplificadaArt7273", content.qualifiedSimplified),
    flag("sf:FacturaSinIdentifDestinatarioArt61d", content.withoutRecipient),
    flag("sf:Macrodato", content.macrodata),
    list("sf:Destinatarios", content.recipients, recipientXml),
    list("sf:Desglose", content.breakdown, breakdownLineXml),
    leaf("sf:CuotaTotal", content.taxTotal),
    leaf("sf:ImporteTotal", content.total),
    ...closingXml(record, content.agreementNumber),
  ];
}

function referencesXml(content: RegistrationContent): readonly Markup[] {
  return [
    leaf("sf:TipoRectificativa", content.rectificationMethod),
    list("sf:FacturasRectificadas", content.rectified, (key) =>
      invoiceKeyXml("sf:IDFacturaRectificada", key),
    ),
    list("sf:FacturasSustituidas", content.replaced, (key) => invoiceKeyXml("sf:IDFacturaSustituida", key)),
    ...rectifiedAmountsXml(content.rectifiedAmounts),
  ];
}

function rectifiedAmountsXml(amounts: RegistrationContent["rectifiedAmounts"]): readonly Markup[] {
  if (!amounts) return [];
  return [
    branch("sf:ImporteRectificacion", [
      leaf("sf:BaseRectificada", amounts.base),
      leaf("sf:CuotaRectificada", amounts.tax),
      leaf("sf:CuotaRecargoRectificado", amounts.surcharge),
    ]),
  ];
}

function recipientXml(recipient: RecordRecipient): Markup {
  return branch("sf:IDDestinatario", [leaf("sf:NombreRazon", recipient.name), identifierXml(recipient)]);
}

function breakdownLineXml(line: BreakdownLine): Markup {
  return branch("sf:DetalleDesglose", [
    leaf("sf:Impuesto", line.tax),
    leaf("sf:ClaveRegimen", line.regime),
    leaf("sf:CalificacionOperacion", line.qualification),
    leaf("sf:OperacionExenta", line.exemption),
    leaf("sf:TipoImpositivo", line.rate),
    leaf("sf:BaseImponibleOimporteNoSujeto", line.base),
    leaf("sf:CuotaRepercutida", line.taxAmount),
    leaf("sf:TipoRecargoEquivalencia", line.surchargeRate),
    leaf("sf:CuotaRecargoEquivalencia", line.surchargeAmount),
  ]);
}
