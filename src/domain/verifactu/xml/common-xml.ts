import type { ChainLink, InvoiceKey, RecordIdentifier, SealedRecord, SoftwareSystem } from "../record.ts";
import { branch, flag, leaf, type Markup, yesNo } from "./element.ts";

/** IDFacturaExpedidaType and IDFacturaARType. */
export function invoiceKeyXml(name: string, key: InvoiceKey): Markup {
  return branch(name, keyFields(key));
}

/** The end that both kinds of record share, from the chain to the hash. */
export function closingXml({ content, hash }: SealedRecord, agreementNumber?: string): readonly Markup[] {
  return [
    chainXml(content.chain),
    systemXml(content.system),
    leaf("sf:FechaHoraHusoGenRegistro", content.generatedAt),
    leaf("sf:NumRegistroAcuerdoFacturacion", agreementNumber),
    leaf("sf:TipoHuella", "01"),
    leaf("sf:Huella", hash),
  ];
}

export function identifierXml(identifier: RecordIdentifier): Markup {
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
