import type { AdviceCode } from "../domain/verifactu/submission/corrections.ts";
import type { Language } from "./language.ts";
import type { Words } from "./rows.ts";
import { type Facts, sentence } from "./sentence.ts";

/** The one action that each answer of the AEAT about a record requires. */
export const ADVICE: Readonly<Record<AdviceCode, Words>> = {
  wait_for_submission: {
    sentence: {
      en: "The record leaves within a minute; you need do nothing.",
      es: "El registro sale en menos de un minuto; no tienes que hacer nada.",
    },
  },
  wait_for_answer: {
    sentence: {
      en: "The record has been sent; we wait for the AEAT’s answer and you need do nothing.",
      es: "El registro está enviado; esperamos la respuesta de la AEAT y no tienes que hacer nada.",
    },
  },
  nothing_to_submit: {
    sentence: {
      en: "A test of a connection for tests: no authority gets its record, and you need do nothing.",
      es: "Es una prueba de una conexión de pruebas: su registro no se envía y no tienes que hacer nada.",
    },
  },
  stored_without_need: {
    sentence: {
      en: "Stored with a notice that needs no correction ({code}).",
      es: "Registrada con un aviso que no hay que corregir ({code}).",
    },
  },
  recipient_not_in_census: {
    sentence: {
      en:
        "The customer is not in the census; the invoice stands: send the amendment once they are in it or, " +
        "if the invoice should name another tax ID, rectify it by substitution.",
      es:
        "El cliente no consta en el censo; la factura vale: envía la subsanación cuando conste o, si el " +
        "NIF debía ser otro, rectifica la factura por sustitución.",
    },
  },
  our_flaw: {
    sentence: {
      en:
        "The AEAT stored it but reports a technical error of ours ({code}): we know and are putting it " +
        "right. The invoice stands; then send the record again, with the others.",
      es:
        "La AEAT lo ha registrado, pero señala un error técnico nuestro ({code}): ya lo sabemos y lo " +
        "estamos corrigiendo. La factura vale; reenvía el registro después, con los demás.",
    },
  },
  stored_with_other_error: {
    sentence: {
      en:
        "The AEAT stored the record but reports an error: {aeat_message} ({code}). Check the data and send " +
        "the amendment, or write to us.",
      es:
        "La AEAT ha registrado la factura, pero señala un error: {aeat_message} ({code}). Revisa los datos " +
        "y envía la subsanación, o escríbenos.",
    },
  },
  recipient_unknown: {
    sentence: {
      en:
        "The AEAT does not recognise the customer: nearly always the tax ID is not in the census under " +
        "that name; correct the name and send the amendment, mark it “not in the census” if both are " +
        "right, or rectify the invoice by substitution if it should name another ID.",
      es:
        "La AEAT no reconoce al cliente: casi siempre, su NIF no consta en el censo con ese nombre; " +
        "corrige el nombre y envía la subsanación, márcalo como «no censado» si los dos son correctos o " +
        "rectifica la factura por sustitución si el NIF debía ser otro.",
    },
  },
  foreign_identifier: {
    sentence: {
      en:
        "The foreign identifier is not valid or not in VIES; correct it or change its type and send the " +
        "amendment.",
      es:
        "El identificador extranjero no es válido o no está en el VIES; corrígelo o cambia su tipo y envía " +
        "la subsanación.",
    },
  },
  issuer_unknown: {
    sentence: {
      en:
        "Your company’s tax ID or name does not match the census; correct it in Company: until then no " +
        "record is accepted.",
      es:
        "El NIF o el nombre de tu empresa no coinciden con el censo; corrígelos en Empresa: mientras tanto " +
        "no se acepta ningún registro.",
    },
  },
  software_unknown: {
    sentence: {
      en:
        "The AEAT does not recognise a detail of ours, of the system or of its producer ({code}): we know " +
        "and are putting it right. The invoice stands; then send the records again, all at once.",
      es:
        "La AEAT no reconoce un dato nuestro, del sistema o de su productor ({code}): ya lo sabemos y lo " +
        "estamos corrigiendo. La factura vale; reenvía los registros después, todos de una vez.",
    },
  },
  presenter_not_permitted: {
    sentence: {
      en:
        "The AEAT does not accept us filing for your company; check that the representation is signed and " +
        "in force, and then send the records again, all at once.",
      es:
        "La AEAT no admite que presentemos por tu empresa; comprueba que la representación esté firmada y " +
        "vigente y, después, reenvía los registros, todos de una vez.",
    },
  },
  registered_by_form: {
    sentence: {
      en:
        "{number} was registered with the AEAT’s own form and can only be changed there; do it in its " +
        "sede.",
      es:
        "{number} se dio de alta con el formulario de la propia AEAT y solo se cambia allí; hazlo en su " +
        "sede electrónica.",
    },
  },
  duplicate_of_another: {
    sentence: {
      en:
        "The AEAT already has a record with the number {number}; look in its sede whether it is this " +
        "invoice, and say so here: until then nothing is corrected. Another program may be using your " +
        "series.",
      es:
        "La AEAT ya tiene un registro con el número {number}; mira en su sede si es esta misma factura e " +
        "indícalo aquí: hasta entonces no se corrige nada. Otro programa puede estar usando tu serie.",
    },
  },
  duplicate_is_ours: {
    sentence: {
      en:
        "You found that what the AEAT has under {number} is this invoice; send its amendment, or its " +
        "cancellation if it is cancelled here, so that both say the same.",
      es:
        "Según tu comprobación, lo que la AEAT tiene con el número {number} es esta factura; envía la " +
        "subsanación, o la anulación si aquí está anulada, para que conste lo mismo en las dos partes.",
    },
  },
  number_taken: {
    sentence: {
      en:
        "You found that at the AEAT {number} is another invoice, so this one cannot be registered: if " +
        "there was a sale, rectify it so that it has a number of its own; if not, cancel it. Stop the " +
        "other program from using this series.",
      es:
        "Según tu comprobación, en la AEAT {number} es otra factura y esta no se puede registrar: si la " +
        "venta existió, rectifícala para que tenga un número propio; si no, anúlala. Evita que el otro " +
        "programa siga usando esta serie.",
    },
  },
  annulled_already: {
    sentence: {
      en: "At the AEAT {number} is cancelled already; you need do nothing.",
      es: "En la AEAT {number} ya está anulada; no tienes que hacer nada.",
    },
  },
  nothing_to_amend: {
    sentence: {
      en: "The AEAT does not have the record to be amended; send it again as an issue from this screen.",
      es: "La AEAT no tiene el registro que se quiere corregir; reenvíalo como alta desde esta pantalla.",
    },
  },
  nothing_to_annul: {
    sentence: {
      en:
        "The AEAT does not have the record to be cancelled; cancel it again from this screen and it will " +
        "say so.",
      es:
        "La AEAT no tiene el registro que se quiere anular; vuelve a anularlo desde esta pantalla y así " +
        "constará.",
    },
  },
  unreadable: {
    sentence: {
      en:
        "The AEAT cannot read the record ({code}), a technical error of ours: we know and are putting it " +
        "right. The invoice stands; then send the record again, with the others.",
      es:
        "La AEAT no puede leer el registro ({code}) por un error técnico nuestro: ya lo sabemos y lo " +
        "estamos corrigiendo. La factura vale; reenvía el registro después, con los demás.",
    },
  },
  other_rejection: {
    sentence: {
      en:
        "The AEAT did not accept the record: {aeat_message}. Check the data and send the amendment, or " +
        "write to us with the code {code}.",
      es:
        "La AEAT no ha aceptado el registro: {aeat_message}. Revisa los datos y envía la subsanación, o " +
        "escríbenos con el código {code}.",
    },
  },
};

export interface Advised {
  readonly code: AdviceCode;
  readonly facts: Facts;
}

export function adviceText({ code, facts }: Advised, language: Language): string {
  return sentence(ADVICE[code].sentence, facts, language);
}
