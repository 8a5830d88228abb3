import type { BreakdownLine, RecordRecipient, RegistrationContent, SealedRecord } from "../record.ts";
import { closingXml, identifierXml, invoiceKeyXml } from "./common-xml.ts";
import { branch, flag, leaf, list, type Markup } from "./element.ts";

/** Children of RegistroAlta, in the order of RegistroFacturacionAltaType. */
export function registrationXml(content: RegistrationContent, record: SealedRecord): readonly Markup[] {
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
