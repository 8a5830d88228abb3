export const submission = {
  "unsent.title":
    "Una incidencia impide enviar a la AEAT desde {since}. {n, plural, one {Falta # registro} other {Faltan # registros}} por enviar.",
  "unsent.body": "Lo seguimos intentando; no tienes que hacer nada y puedes seguir vendiendo.",
  "unsent.link": "Ver envíos",
  "unsent.since.today": "{article} {time}",
  "unsent.since.day": "el {day} a {article} {time}",
  "representation.title": "Falta tu firma para enviar registros a la AEAT",
  "representation.body":
    "{n, plural, one {Hay # registro} other {Hay # registros}} sin enviar. VERI*FACTU exige enviarlos al momento: firma la representación cuanto antes.",
  "representation.action": "Firmar ahora",
  "submission.title": "Envíos a la AEAT",
  "submission.queue": "Cola",
  "submission.unsent": "En cola",
  "submission.oldest": "El más antiguo",
  "submission.last": "Último envío",
  "submission.next": "Próximo envío",
  "submission.next.now": "En cuanto sea posible",
  "submission.next.under_way": "Enviando ahora {n, plural, one {# registro} other {# registros}}",
  "submission.never": "Todavía ninguno",
  "submission.none": "Ninguno",
  "submission.empty": "No hay nada pendiente.",
  "submission.no_chain": "Aún no hay registros que enviar. Aparecerán con la primera factura.",
  "submission.installation": "Instalación {number}",
  "submission.closed": "Cadena cerrada",
  "submission.test": "Entorno de pruebas",
  "submission.incident":
    "Incidencia desde el {moment}. {n, plural, one {Un intento} other {# intentos}} sin respuesta.",
  "submission.stopped.certificate_refused":
    "La AEAT no admite nuestro certificado. Ya lo sabemos y lo seguimos intentando.",
  "submission.stopped.message_refused":
    "La AEAT no admite los lotes de esta cadena: «{text}». Ya lo sabemos y lo seguimos intentando.",
  "submission.stopped.suspended":
    "La AEAT ha suspendido nuestro acceso por un tiempo; los registros esperan, tus ventas siguen y no tienes que hacer nada.",
  "submission.resume": "Reintentar ahora",
  "submission.representation": "Falta la representación: sin tu firma no sale ningún registro.",
  "submission.correct": "Registros por corregir",
  "submission.correct.none": "No hay ningún registro que corregir.",
  "submission.batches": "Últimos lotes",
  "submission.batches.of": "Últimos lotes de «{connection}»",
  "submission.batches.none": "Todavía no se ha enviado ningún lote.",
  "submission.batch.when": "Enviado",
  "submission.batch.records": "Registros",
  "submission.batch.came": "Resultado",
  "submission.batch.csv": "CSV",
  "submission.batch.incident": "con incidencia",
  "submission.came.answered": "Respondido",
  "submission.came.no_answer": "Sin respuesta",
  "submission.came.refused": "No admitido",
  "submission.came.under_way": "Enviando",
  "submission.more": "Ver más lotes",
  "submission.verify": "Comprobar la cadena",
  "submission.verify.lead":
    "Se vuelve a calcular cada huella y se comprueba que ningún registro, número ni fecha falte o haya cambiado.",
  "submission.verify.connection": "Conexión",
  "submission.verify.running": "Comprobados {n} registros…",
  "record.verify.ok":
    "{n, plural, one {# registro comprobado} other {# registros comprobados}}: huellas, enlaces, números y fechas correctos.",
  "record.verify.broken":
    "{n, plural, one {Hay una comprobación que no cuadra} other {Hay # comprobaciones que no cuadran}}. Escríbenos con este detalle y no cambies nada.",
  "record.verify.place.chain":
    "{check}: {n, plural, one {# vez} other {# veces}}, la primera en el registro {position} de {chain}",
  "record.verify.place.series":
    "{check}: {n, plural, one {# vez} other {# veces}}, la primera en {series}, número {number}",
} as const;
