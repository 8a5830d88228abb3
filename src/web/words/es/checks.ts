import type { ProofCheck } from "../../../domain/proof/checks.ts";

/** Every check has all of it: what does not hold, what it means, what to do. */
type CheckWord = `check.${ProofCheck}.${"title" | "means" | "remedy"}`;

export const checks: Readonly<Record<CheckWord, string>> = {
  "check.content.title": "Un registro no se puede leer",
  "check.content.means": "Lo guardado ya no se entiende: alguien o algo lo ha cambiado después de sellarlo.",
  "check.content.remedy":
    "No anules ni emitas nada para arreglarlo: lo recuperamos de la copia que se envió a la AEAT.",
  "check.position.title": "Falta un registro en la cadena",
  "check.position.means": "Los registros van numerados uno tras otro y hay un hueco, o uno está dos veces.",
  "check.position.remedy":
    "No restaures nada por tu cuenta: recuperamos los que falten. Tus facturas ya entregadas siguen valiendo.",
  "check.first.title": "El comienzo de la cadena no es el primer registro",
  "check.first.means": "Solo el primero puede decir que lo es: falta el comienzo, u otro dice serlo.",
  "check.first.remedy":
    "No restaures nada por tu cuenta: recuperamos los que falten. Tus facturas ya entregadas siguen valiendo.",
  "check.link.title": "Un registro no enlaza con el anterior",
  "check.link.means":
    "Cada registro repite el número, la fecha y la huella del anterior, y aquí no coinciden.",
  "check.link.remedy":
    "No cambies nada: comparamos los dos con lo que se envió a la AEAT y los dejamos como se sellaron.",
  "check.hash.title": "Una huella no corresponde a su registro",
  "check.hash.means": "Al volver a calcularla sale otra: algún dato del registro cambió después de sellarlo.",
  "check.hash.remedy":
    "No cambies nada: comparamos el registro con lo que se envió a la AEAT y lo dejamos como se selló.",
  "check.time.title": "Un registro tiene una hora anterior a la del que le precede",
  "check.time.means": "El reloj iba retrasado. El orden de la cadena es el bueno, y la factura vale.",
  "check.time.remedy": "No hay que enviar nada otra vez: dínoslo y miramos el reloj.",
  "check.row.title": "Lo anotado de un registro no coincide con lo que dice",
  "check.row.means":
    "El número, la fecha o la huella que usamos para buscarlo difieren de los del propio registro.",
  "check.row.remedy": "No cambies nada: vale lo que dice el registro, y corregimos la anotación.",
  "check.issue_date.title": "Una fecha de expedición no es la del día en que se selló",
  "check.issue_date.means": "La factura y la hora de su registro son de días distintos.",
  "check.issue_date.remedy":
    "La fecha de la factura se queda como está, aunque la AEAT avise con el código 2004: dínoslo y miramos el reloj.",
  "check.invoice.title": "Un registro no tiene su factura",
  "check.invoice.means":
    "Factura y registro nacen a la vez: una de las dos cosas se ha borrado o cambiado de número.",
  "check.invoice.remedy": "No la vuelvas a emitir: recuperamos la que falta.",
  "check.correction.title": "Una corrección no encaja con lo que corrige",
  "check.correction.means":
    "Una subsanación o una anulación nombra otra factura, o una subsanación cambia los importes.",
  "check.correction.remedy": "No la repitas: la comparamos con lo que se envió a la AEAT.",
  "check.number.title": "Falta un número en una serie",
  "check.number.means": "Los números van seguidos, y aquí hay un salto o uno repetido.",
  "check.number.remedy": "No emitas otra con ese número en ningún programa: recuperamos la que falta.",
  "check.date.title": "Una factura tiene fecha anterior a la del número que le precede",
  "check.date.means": "Dentro de una serie las fechas no retroceden: la de una de las dos ha cambiado.",
  "check.date.remedy": "No cambies nada: comparamos las dos con sus registros.",
  "check.series.title": "Una serie mezcla facturas de otra conexión",
  "check.series.means": "Cada serie es de una sola conexión, y aquí hay una factura que no es suya.",
  "check.series.remedy": "No cambies la configuración de las series: buscamos de dónde viene.",
  "check.document.title": "El documento de una factura falta o ha cambiado",
  "check.document.means": "Lo que se guardó al emitirla no es lo que hay ahora.",
  "check.document.remedy":
    "No la entregues otra vez hasta que te avisemos: recuperamos el documento original.",
  "check.registration.title": "Una factura no tiene su registro de alta",
  "check.registration.means":
    "Factura y registro nacen a la vez: el registro se ha borrado, o está en otra cadena.",
  "check.registration.remedy": "No la vuelvas a emitir ni la anules: recuperamos su registro.",
  "check.literals.title": "Un registro no dice lo mismo que su factura",
  "check.literals.means":
    "El número, el tipo o los importes de la factura difieren de los enviados a la AEAT.",
  "check.literals.remedy": "No rectifiques todavía: primero vemos cuál de los dos ha cambiado.",
};
