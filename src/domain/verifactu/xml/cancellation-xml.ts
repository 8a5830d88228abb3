import type { CancellationContent, SealedRecord } from "../record.ts";
import { closingXml } from "./common-xml.ts";
import { branch, flag, leaf, type Markup } from "./element.ts";

/** Children of RegistroAnulacion, in the order of RegistroFacturacionAnulacionType. */
export function cancellationXml(content: CancellationContent, record: SealedRecord): readonly Markup[] {
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
