import type { Warning } from "../domain/invoice/document.ts";
import type { OrderWarningCode } from "../domain/order/reasons.ts";
import type { Facts } from "../domain/shared/fact.ts";
import { sentence } from "./errors/sentence.ts";
import type { Bilingual, Language } from "./language.ts";

export type WarningCode = Warning["code"] | OrderWarningCode;

/** What was done all the same, and what to do better the next time. */
export const WARNINGS: Readonly<Record<WarningCode, Bilingual>> = {
  recipient_identification_expected: {
    en:
      "The invoice was issued without the customer’s tax ID, and sales made in your territory normally " +
      "identify them; if you have it, use F1 next time.",
    es:
      "La factura se ha emitido sin el NIF del cliente, y en ventas hechas en tu territorio lo normal es " +
      "identificarlo; si lo tienes, usa F1 la próxima vez.",
  },
  company_unverified: {
    en:
      "This is a test without validity: the company’s NIF has not been proven yet; verify the company in " +
      "the console to issue invoices.",
    es:
      "Es una prueba sin validez: aún no se ha acreditado el NIF de la empresa; verifica la empresa en la " +
      "consola para emitir facturas.",
  },
  connection_for_tests: {
    en:
      "This is a test without validity: the connection was opened before the company was verified and " +
      "stays for tests; open another one in the console to issue invoices.",
    es:
      "Es una prueba sin validez: la conexión se abrió antes de verificar la empresa y queda para pruebas; " +
      "abre otra en la consola para emitir facturas.",
  },
  issued_late: {
    en:
      "It was issued on {issue_date} and was due on {due_date}; review what waits so that it does not " +
      "happen again.",
    es:
      "Se ha emitido el {issue_date} y debía emitirse el {due_date}; revisa lo que espera para que no " +
      "vuelva a pasar.",
  },
  rectify_in_previous_system: {
    en:
      "The order is earlier than the start date ({cutoff_date}); correct it in the program that invoiced " +
      "it.",
    es:
      "El pedido es anterior a la fecha de inicio ({cutoff_date}); rectifícalo en el programa que lo " +
      "facturó.",
  },
  total_tax_differs: {
    en:
      "The shop says {total_tax} of tax and the lines come to {computed}; the lines count, but check the " +
      "shop’s calculation.",
    es:
      "La tienda dice {total_tax} de impuestos y las líneas suman {computed}; valen las líneas, pero " +
      "revisa el cálculo de la tienda.",
  },
  tax_totals_differ: {
    en:
      "The shop’s totals by rate say {stated} at {rate} and its lines come to {computed}; only the lines " +
      "make the order’s total, so they count, but check the shop’s calculation.",
    es:
      "Los totales por tipo de la tienda dicen {stated} al {rate} y sus líneas suman {computed}; solo las " +
      "líneas dan el total del pedido y por eso valen, pero revisa el cálculo de la tienda.",
  },
  stale_payload: {
    en:
      "Data of {received} came in, older than those stored ({stored}); the newer ones are kept and you " +
      "need do nothing.",
    es:
      "Han llegado datos del {received}, más antiguos que los guardados ({stored}); se conservan los " +
      "nuevos y no tienes que hacer nada.",
  },
  field_beyond_contract: {
    en:
      "The field “{field}” belongs to contract version {since} and the order declares {declared}; it was " +
      "read all the same: update contract_version.",
    es:
      "El campo «{field}» es de la versión {since} del contrato y el pedido declara la {declared}; se ha " +
      "leído igualmente: actualiza contract_version.",
  },
};

export function warningSentence(code: WarningCode, facts: Facts, language: Language): string {
  return sentence(WARNINGS[code], facts, language);
}
