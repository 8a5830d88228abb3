import type { ProofCheck } from "../../../domain/proof/checks.ts";
import type { PageWords } from "./words-of-page.ts";

/** Every check has all of it in both languages: what does not hold, what it means, what to do. */
type CheckWord = `${ProofCheck}.${"title" | "means" | "remedy"}`;

const es: Readonly<Record<CheckWord, string>> = {
  "content.title": "Un registro no se puede leer",
  "content.means": "Lo guardado ya no se entiende: alguien o algo lo ha cambiado después de sellarlo.",
  "content.remedy":
    "No anules ni emitas nada para arreglarlo: lo recuperamos de la copia que se envió a la AEAT.",
  "position.title": "Falta un registro en la cadena",
  "position.means": "Los registros van numerados uno tras otro y hay un hueco, o uno está dos veces.",
  "position.remedy":
    "No restaures nada por tu cuenta: recuperamos los que falten. Tus facturas ya entregadas siguen valiendo.",
  "first.title": "El comienzo de la cadena no es el primer registro",
  "first.means": "Solo el primero puede decir que lo es: falta el comienzo, u otro dice serlo.",
  "first.remedy":
    "No restaures nada por tu cuenta: recuperamos los que falten. Tus facturas ya entregadas siguen valiendo.",
  "link.title": "Un registro no enlaza con el anterior",
  "link.means": "Cada registro repite el número, la fecha y la huella del anterior, y aquí no coinciden.",
  "link.remedy":
    "No cambies nada: comparamos los dos con lo que se envió a la AEAT y los dejamos como se sellaron.",
  "hash.title": "Una huella no corresponde a su registro",
  "hash.means": "Al volver a calcularla sale otra: algún dato del registro cambió después de sellarlo.",
  "hash.remedy":
    "No cambies nada: comparamos el registro con lo que se envió a la AEAT y lo dejamos como se selló.",
  "time.title": "Un registro tiene una hora anterior a la del que le precede",
  "time.means": "El reloj iba retrasado. El orden de la cadena es el bueno, y la factura vale.",
  "time.remedy": "No hay que enviar nada otra vez: dínoslo y miramos el reloj.",
  "row.title": "Lo anotado de un registro no coincide con lo que dice",
  "row.means":
    "El número, la fecha o la huella que usamos para buscarlo difieren de los del propio registro.",
  "row.remedy": "No cambies nada: vale lo que dice el registro, y corregimos la anotación.",
  "issue_date.title": "Una fecha de expedición no es la del día en que se selló",
  "issue_date.means": "La factura y la hora de su registro son de días distintos.",
  "issue_date.remedy":
    "La fecha de la factura se queda como está, aunque la AEAT avise con el código 2004: dínoslo y miramos el reloj.",
  "invoice.title": "Un registro no tiene su factura",
  "invoice.means":
    "Factura y registro nacen a la vez: una de las dos cosas se ha borrado o cambiado de número.",
  "invoice.remedy": "No la vuelvas a emitir: recuperamos la que falta.",
  "correction.title": "Una corrección no encaja con lo que corrige",
  "correction.means":
    "Una subsanación o una anulación nombra otra factura, o una subsanación cambia los importes.",
  "correction.remedy": "No la repitas: la comparamos con lo que se envió a la AEAT.",
  "number.title": "Falta un número en una serie",
  "number.means": "Los números van seguidos, y aquí hay un salto o uno repetido.",
  "number.remedy": "No emitas otra con ese número en ningún programa: recuperamos la que falta.",
  "date.title": "Una factura tiene fecha anterior a la del número que le precede",
  "date.means": "Dentro de una serie las fechas no retroceden: la de una de las dos ha cambiado.",
  "date.remedy": "No cambies nada: comparamos las dos con sus registros.",
  "series.title": "Una serie mezcla facturas de otra conexión",
  "series.means": "Cada serie es de una sola conexión, y aquí hay una factura que no es suya.",
  "series.remedy": "No cambies la configuración de las series: buscamos de dónde viene.",
  "document.title": "El documento de una factura falta o ha cambiado",
  "document.means": "Lo que se guardó al emitirla no es lo que hay ahora.",
  "document.remedy": "No la entregues otra vez hasta que te avisemos: recuperamos el documento original.",
  "registration.title": "Una factura no tiene su registro de alta",
  "registration.means":
    "Factura y registro nacen a la vez: el registro se ha borrado, o está en otra cadena.",
  "registration.remedy": "No la vuelvas a emitir ni la anules: recuperamos su registro.",
  "literals.title": "Un registro no dice lo mismo que su factura",
  "literals.means": "El número, el tipo o los importes de la factura difieren de los enviados a la AEAT.",
  "literals.remedy": "No rectifiques todavía: primero vemos cuál de los dos ha cambiado.",
};

const en: Readonly<Record<CheckWord, string>> = {
  "content.title": "A record cannot be read",
  "content.means":
    "What is stored makes no sense any more: someone or something changed it after it was sealed.",
  "content.remedy":
    "Cancel and issue nothing to mend it: we recover it from the copy that was sent to the AEAT.",
  "position.title": "A record is missing from the chain",
  "position.means": "Records are numbered one after the other, and there is a gap, or one is there twice.",
  "position.remedy":
    "Restore nothing yourself: we recover those that are missing. Invoices handed over still stand.",
  "first.title": "The chain does not begin with its first record",
  "first.means": "Only the first one may say that it is: the beginning is missing, or another says so.",
  "first.remedy":
    "Restore nothing yourself: we recover those that are missing. Invoices handed over still stand.",
  "link.title": "A record does not link to the one before",
  "link.means": "Each record repeats number, date and hash of the one before, and here they differ.",
  "link.remedy":
    "Change nothing: we compare both with what was sent to the AEAT and bring them back as sealed.",
  "hash.title": "A hash is not that of its record",
  "hash.means":
    "Computed again, it comes out different: something in the record changed after it was sealed.",
  "hash.remedy":
    "Change nothing: we compare the record with what was sent to the AEAT and bring it back as sealed.",
  "time.title": "A record has an earlier time than the one before it",
  "time.means": "The clock was behind. The order of the chain is right, and the invoice stands.",
  "time.remedy": "Nothing needs to be sent again: tell us, and we look at the clock.",
  "row.title": "What is noted of a record is not what it says",
  "row.means": "The number, date or hash by which we find it differ from those in the record itself.",
  "row.remedy": "Change nothing: what the record says counts, and we correct the note.",
  "issue_date.title": "A date of issue is not the day on which it was sealed",
  "issue_date.means": "The invoice and the time of its record are of different days.",
  "issue_date.remedy":
    "The date of the invoice stays, even if the AEAT gives notice with code 2004: tell us, and we look at the clock.",
  "invoice.title": "A record has no invoice",
  "invoice.means": "Invoice and record are made together: one of them was removed or given another number.",
  "invoice.remedy": "Do not issue it again: we recover the one that is missing.",
  "correction.title": "A correction does not fit what it corrects",
  "correction.means":
    "An amendment or a cancellation names another invoice, or an amendment changes amounts.",
  "correction.remedy": "Do not repeat it: we compare it with what was sent to the AEAT.",
  "number.title": "A number is missing from a series",
  "number.means": "Numbers follow each other, and here one is skipped or there twice.",
  "number.remedy": "Issue no other with that number in any program: we recover the one that is missing.",
  "date.title": "An invoice is dated before the number it follows",
  "date.means": "Within a series dates never go back: that of one of the two has changed.",
  "date.remedy": "Change nothing: we compare both with their records.",
  "series.title": "A series has invoices of another connection",
  "series.means": "Each series belongs to one connection, and here is an invoice that is not its own.",
  "series.remedy": "Do not change the settings of the series: we find out where it comes from.",
  "document.title": "The document of an invoice is missing or has changed",
  "document.means": "What was kept when it was issued is not what is there now.",
  "document.remedy": "Do not hand it over again until we tell you: we recover the original document.",
  "registration.title": "An invoice has no registration record",
  "registration.means":
    "Invoice and record are made together: the record was removed, or is in another chain.",
  "registration.remedy": "Do not issue it again and do not cancel it: we recover its record.",
  "literals.title": "A record does not say what its invoice says",
  "literals.means": "Number, type or amounts of the invoice differ from those sent to the AEAT.",
  "literals.remedy": "Do not correct it yet: first we see which of the two has changed.",
};

export const CHECKS: PageWords<CheckWord> = { es, en };
