import type { PageWords } from "./words-of-page.ts";

const es = {
  "resend.title": "Para volver a enviar",
  "resend.count":
    "{n, plural, one {# registro no quedó bien} other {# registros no quedaron bien}} en la AEAT por un fallo nuestro o del certificado.",
  "resend.body":
    "Se envían otra vez, con los datos del sistema tal como están ahora. Las facturas y sus importes no cambian. Si la causa sigue sin corregirse, la AEAT volverá a rechazarlos.",
  "resend.all": "{n, plural, one {Reenviarlo} other {Reenviar los #}}",
  "resend.one": "Reenviar",
  "resend.one.of": "Reenviar {number}",
  "resend.done":
    "{n, plural, one {Sale otra vez # registro} other {Salen otra vez # registros}} en menos de un minuto.",
  "resend.refused":
    "{n, plural, one {# no se puede volver a enviar} other {# no se pueden volver a enviar}}: abre su factura para ver por qué.",
  "resend.nothing": "No queda ninguno por reenviar.",
  "correct.duplicate":
    "La AEAT ya tiene otro registro con este número: ábrela y di de quién es. Hasta entonces no se corrige nada.",
  "correct.duplicate.mark": "Número repetido",
  "verify.lead":
    "Se vuelve a calcular cada huella y se comprueba que ningún registro, número ni fecha falte o haya cambiado.",
  "verify.running": "Comprobados {n} registros…",
  "verify.ok":
    "{n, plural, one {# registro comprobado} other {# registros comprobados}}: huellas, enlaces, números y fechas correctos.",
  "verify.broken":
    "{n, plural, one {Hay una comprobación que no cuadra} other {Hay # comprobaciones que no cuadran}}. Escríbenos con este detalle.",
  "verify.chain":
    "{n, plural, one {Una vez} other {# veces, la primera}}, en el registro {position} de la cadena {chain}.",
  "verify.series":
    "{n, plural, one {Una vez} other {# veces, la primera}}, en la serie {series}, número {number}.",
  "verify.times": "{n, plural, one {Una vez} other {# veces}}.",
} as const;

const en: Readonly<Record<keyof typeof es, string>> = {
  "resend.title": "To be sent again",
  "resend.count":
    "{n, plural, one {# record is} other {# records are}} not right at the AEAT because of a fault of ours or of the certificate.",
  "resend.body":
    "They are sent once more, with the details of the system as they are now. Invoices and their amounts do not change. If the cause has not been put right, the AEAT will decline them again.",
  "resend.all": "{n, plural, one {Send it again} other {Send all # again}}",
  "resend.one": "Send again",
  "resend.one.of": "Send {number} again",
  "resend.done": "{n, plural, one {# record leaves} other {# records leave}} again within a minute.",
  "resend.refused":
    "{n, plural, one {# cannot be sent again} other {# cannot be sent again}}: open its invoice to see why.",
  "resend.nothing": "None is left to be sent again.",
  "correct.duplicate":
    "The AEAT already has another record with this number: open it and say whose it is. Until then nothing is corrected.",
  "correct.duplicate.mark": "Number taken twice",
  "verify.lead":
    "Every hash is computed again, and it is checked that no record, number or date is missing or has changed.",
  "verify.running": "{n} records checked…",
  "verify.ok":
    "{n, plural, one {# record} other {# records}} checked: hashes, links, numbers and dates are right.",
  "verify.broken":
    "{n, plural, one {One check does not hold} other {# checks do not hold}}. Write to us with these details.",
  "verify.chain": "{n, plural, one {Once} other {# times, first}} at record {position} of the chain {chain}.",
  "verify.series": "{n, plural, one {Once} other {# times, first}} in the series {series}, number {number}.",
  "verify.times": "{n, plural, one {Once} other {# times}}.",
};

/** Of the page on how records reach the AEAT. */
export const SENDING: PageWords<keyof typeof es> = { es, en };
export type SendingWord = keyof typeof es;
