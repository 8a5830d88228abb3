import type { Warning } from "../domain/invoice/document.ts";
import {
  ORDER_REASONS,
  type OrderWarningCode,
  type Reason,
  type ReasonCode,
} from "../domain/order/reasons.ts";
import { invariant } from "../domain/shared/result.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import type { Language } from "./language.ts";
import { DOCUMENT_REASONS } from "./reasons/document-reasons.ts";
import { EVENT_REASONS } from "./reasons/event-reasons.ts";
import { SALE_REASONS } from "./reasons/sale-reasons.ts";
import { SETTLED_REASONS } from "./reasons/settled-reasons.ts";
import { TAX_REASONS } from "./reasons/tax-reasons.ts";
import type { ReasonTable, ReasonWords, Words } from "./rows.ts";
import { type Facts, sentence } from "./sentence.ts";

/** Every reason of an order. Responses, documentation and the review queue are made from it. */
export const REASONS: ReasonTable = {
  ...SALE_REASONS,
  ...TAX_REASONS,
  ...DOCUMENT_REASONS,
  ...EVENT_REASONS,
  ...SETTLED_REASONS,
};

export interface ReasonText {
  /** The heading if the order waits for its owner. */
  readonly title?: string;
  readonly sentence: string;
}

type CodedFacts = Pick<Reason, "code" | "facts">;

export function reasonText(reason: CodedFacts, language: Language): ReasonText {
  const words = wordsOf(reason);
  const facts = shownFacts(reason);
  return {
    ...(words.title ? { title: sentence(words.title, facts, language) } : {}),
    sentence: sentence(words.sentence, facts, language),
  };
}

/** The facts as a sentence has them: a refusal by its words, a line by its name. */
function shownFacts(reason: CodedFacts): Facts {
  const { code, facts } = reason;
  if (code === "not_invoiceable") return { ...facts, rule: ruleIn(reason) };
  const isOfShop = code === "shop_facts_missing" || code === "shop_facts_contradict";
  const { line } = facts;
  return isOfShop && line !== undefined ? { ...facts, where: line } : facts;
}

/** Title and sentence in one. */
export function reasonMessage(reason: CodedFacts, language: Language): string {
  const { title, sentence: rest } = reasonText(reason, language);
  return title === undefined ? rest : `${title} ${rest}`;
}

function wordsOf({ code, facts }: CodedFacts): Words {
  const row: ReasonWords = REASONS[code];
  const isWhole = factsOf(code).every((name) => Object.hasOwn(facts, name));
  return row.other && !isWhole ? row.other : row;
}

function factsOf(code: ReasonCode): readonly string[] {
  const row = ORDER_REASONS.find((each) => each.code === code);
  invariant(row, "every reason has its row");
  return row.facts;
}

/** The refusal that a direct invoice would get; its facts are those of the reason. */
function ruleIn({ facts }: CodedFacts): Facts[string] {
  const { refusal } = facts;
  return isErrorCode(refusal) ? { within: ERRORS[refusal].sentence, facts } : "";
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERRORS, code);
}

export type WarningCode = Warning["code"] | OrderWarningCode;

/** An invoice was issued or an order stored, but the caller should change something next time. */
export const WARNINGS: Readonly<Record<WarningCode, Words>> = {
  recipient_identification_expected: {
    sentence: {
      en:
        "The invoice was issued without the customer’s tax ID, and sales made in your territory normally " +
        "identify them; if you have it, use F1 next time.",
      es:
        "La factura se ha emitido sin el NIF del cliente, y en ventas hechas en tu territorio lo normal es " +
        "identificarlo; si lo tienes, usa F1 la próxima vez.",
    },
  },
  company_unverified: {
    sentence: {
      en:
        "This is a test without validity: the company’s NIF has not been proven yet; verify the company in " +
        "the console to issue invoices.",
      es:
        "Es una prueba sin validez: aún no se ha acreditado el NIF de la empresa; verifica la empresa en " +
        "la consola para emitir facturas.",
    },
  },
  connection_for_tests: {
    sentence: {
      en:
        "This is a test without validity: the connection was opened before the company was verified and " +
        "stays for tests; open another one in the console to issue invoices.",
      es:
        "Es una prueba sin validez: la conexión se abrió antes de verificar la empresa y queda para " +
        "pruebas; abre otra en la consola para emitir facturas.",
    },
  },
  issued_late: {
    sentence: {
      en:
        "It was issued on {issue_date} and was due on {due_date}; review what waits so that it does not " +
        "happen again.",
      es:
        "Se ha emitido el {issue_date} y debía emitirse el {due_date}; revisa lo que espera para que no " +
        "vuelva a pasar.",
    },
  },
  rectify_in_previous_system: {
    sentence: {
      en:
        "The order is earlier than the start date ({cutoff_date}); correct it in the program that invoiced " +
        "it.",
      es:
        "El pedido es anterior a la fecha de inicio ({cutoff_date}); rectifícalo en el programa que lo " +
        "facturó.",
    },
  },
  total_tax_differs: {
    sentence: {
      en:
        "The shop says {total_tax} of tax and the lines come to {computed}; the lines count, but check the " +
        "shop’s calculation.",
      es:
        "La tienda dice {total_tax} de impuestos y las líneas suman {computed}; valen las líneas, pero " +
        "revisa el cálculo de la tienda.",
    },
  },
  tax_totals_differ: {
    sentence: {
      en:
        "The shop’s totals by rate say {stated} at {rate} and its lines come to {computed}; only the lines " +
        "make the order’s total, so they count, but check the shop’s calculation.",
      es:
        "Los totales por tipo de la tienda dicen {stated} al {rate} y sus líneas suman {computed}; solo " +
        "las líneas dan el total del pedido y por eso valen, pero revisa el cálculo de la tienda.",
    },
  },
  partly_paid: {
    sentence: {
      en:
        "The shop has collected {paid} of the {payable} of the order; the invoice does not depend on it " +
        "and shows what is left to pay.",
      es:
        "La tienda ha cobrado {paid} de los {payable} del pedido; la factura no depende de ello y muestra " +
        "lo que queda por pagar.",
    },
  },
  overpaid: {
    sentence: {
      en:
        "The shop has collected {paid}, more than the {payable} of the order; the invoice does not depend " +
        "on it, but check whether something must be given back.",
      es:
        "La tienda ha cobrado {paid}, más que los {payable} del pedido; la factura no depende de ello, " +
        "pero revisa si hay que devolver algo.",
    },
  },
  stale_payload: {
    sentence: {
      en:
        "Data of {received} came in, older than those stored ({stored}); the newer ones are kept and you " +
        "need do nothing.",
      es:
        "Han llegado datos del {received}, más antiguos que los guardados ({stored}); se conservan los " +
        "nuevos y no tienes que hacer nada.",
    },
  },
  field_beyond_contract: {
    sentence: {
      en:
        "The field “{field}” belongs to contract version {since} and the order declares {declared}; it was " +
        "read all the same: update contract_version.",
      es:
        "El campo «{field}» es de la versión {since} del contrato y el pedido declara la {declared}; se ha " +
        "leído igualmente: actualiza contract_version.",
    },
  },
  einvoice_field_ignored: {
    sentence: {
      en:
        "The value of “{field}” does not fit an electronic invoice, and the order was taken without it; " +
        "correct it in the connector.",
      es:
        "El valor de «{field}» no sirve para una factura electrónica y el pedido se ha tomado sin él; " +
        "corrígelo en el conector.",
    },
  },
};

export function warningSentence(code: WarningCode, facts: Facts, language: Language): string {
  return sentence(WARNINGS[code].sentence, facts, language);
}
