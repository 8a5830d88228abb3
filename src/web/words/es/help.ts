export const help = {
  "help.title": "Ayuda",
  "help.search": "Buscar en la ayuda",
  "help.write": "Escríbenos",
  "help.here": "Sobre esta página",
  "help.found": "{n, plural, =0 {Nada} one {# respuesta} other {# respuestas}}",
  "help.none": "Nada con «{q}». Escríbenos y te contestamos.",
  "help.overview.attention.q": "¿Qué es «Necesita tu atención»?",
  "help.overview.attention.a":
    "Lo que no sigue sin ti: pedidos que esperan una respuesta, registros que la AEAT no aceptó y firmas que faltan. Cada línea lleva a donde se resuelve. Si no aparece, no hay nada pendiente.",
  "help.overview.figures.q": "¿Qué cuentan las cifras del mes?",
  "help.overview.figures.a":
    "Las facturas emitidas en el mes, por su fecha de expedición. Las anuladas se cuentan aparte y no suman; las pruebas no se cuentan.",
  "help.overview.bars.q": "¿Qué significan las barras?",
  "help.overview.bars.a":
    "Las facturas de cada día según lo que dice la AEAT de su registro: aceptado, pendiente, aceptado con errores o rechazado. Pulsa una entrada de la leyenda para ver esas facturas.",
  "help.review.why.q": "¿Por qué espera un pedido?",
  "help.review.why.a":
    "Porque falta un dato o hay una duda que solo tú puedes resolver, como qué es un descuento o cómo se factura a otro país. Hasta entonces no se emite nada.",
  "help.review.late.q": "¿Hasta cuándo puedo decidir?",
  "help.review.late.a":
    "La columna del día dice cuándo debería estar emitida la factura. Pasado ese día se marca como retrasado, y se puede emitir igual.",
  "help.review.many.q": "¿Puedo responder a varios a la vez?",
  "help.review.many.a":
    "Sí: los que hacen la misma pregunta salen juntos y se responden de una vez; puedes dejar alguno fuera. Los que esperen además por otra cosa seguirán en la lista.",
  "help.review.dismiss.q": "¿Qué pasa si descarto un pedido?",
  "help.review.dismiss.a":
    "No se emite factura de él y el motivo queda en la actividad. Si la tienda lo cambia después, se vuelve a mirar.",
  "help.invoices.find.q": "¿Cómo encuentro una factura?",
  "help.invoices.find.a":
    "Por su número o tres cifras seguidas de él, por el pedido, por el NIF o por el nombre del cliente. Los filtros se combinan con la búsqueda y quedan en la dirección de la página.",
  "help.invoices.delete.q": "¿Puedo borrar una factura?",
  "help.invoices.delete.a":
    "No: la ley no lo permite. Si no hubo venta, se anula; si algo cambió, se rectifica. Las dos cosas están en el menú de la factura y quedan registradas.",
  "help.invoices.states.q": "¿Qué diferencia hay entre rechazada y aceptada con errores?",
  "help.invoices.states.a":
    "Aceptada con errores: la AEAT la tiene, y conviene corregir el registro. Rechazada: no la tiene, y hay que corregirlo y enviarlo otra vez. La factura que recibió tu cliente vale en los dos casos.",
  "help.invoices.gaps.q": "¿Puede quedar un hueco en la numeración?",
  "help.invoices.gaps.a": "No. Cada serie sigue el orden sin saltos; una factura anulada conserva su número.",
  "help.orders.find.q": "¿Cómo encuentro un pedido?",
  "help.orders.find.a":
    "Escribe cómo empieza su número, su referencia, el nombre del cliente o sus apellidos; da igual con tildes o sin ellas. Se busca en todos los pedidos: mientras hay una búsqueda, los demás filtros no cuentan.",
  "help.orders.states.q": "¿Qué dice el estado de un pedido?",
  "help.orders.states.a":
    "Si ya tiene factura, espera tu respuesta, es anterior al inicio de la facturación o no se factura, por ejemplo porque se canceló.",
  "help.orders.before.q": "¿Por qué hay pedidos sin factura anteriores al inicio?",
  "help.orders.before.a":
    "Porque se hicieron antes de la fecha desde la que facturas aquí. Puedes traer los que no hayas facturado en otro sitio: márcalos en la lista.",
  "help.orders.twice.q": "¿Puede facturarse dos veces un pedido?",
  "help.orders.twice.a":
    "No. Cada pedido se reconoce por su identificador en la tienda, aunque llegue varias veces.",
  "help.submission.wait.q": "¿Tengo que enviar algo yo?",
  "help.submission.wait.a":
    "No. Los registros salen solos, al momento o cuando la AEAT lo permite. Si su servicio no responde, se vuelve a intentar y puedes seguir vendiendo.",
  "help.submission.fix.q": "¿Cómo corrijo un registro rechazado?",
  "help.submission.fix.a":
    "Abre la factura desde la lista: arriba está lo que dijo la AEAT y el botón para corregirlo. La factura no cambia, solo su registro.",
  "help.submission.chain.q": "¿Qué comprueba «Comprobar la cadena»?",
  "help.submission.chain.a":
    "Que ningún registro falte ni haya cambiado: cada uno lleva la huella del anterior. Puedes repetirlo cuando quieras.",
  "help.connections.key.q": "He perdido la clave de una conexión",
  "help.connections.key.a":
    "No se puede volver a mostrar. Crea otra en la pestaña Claves, cámbiala en tu tienda y retira la antigua.",
  "help.connections.none.q": "No llegan pedidos",
  "help.connections.none.a":
    "Mira en la conexión cuándo llegó el último y qué dice su estado. Lo más común es una clave retirada o una tienda sin marcar.",
  "help.connections.stop.q": "¿Qué pasa si retiro el consentimiento?",
  "help.connections.stop.a":
    "Esa conexión deja de emitir al momento. Lo emitido sigue como está, y los pedidos quedan guardados por si vuelves a darlo.",
  "help.profiles.what.q": "¿Para qué sirve un perfil?",
  "help.profiles.what.a":
    "Para que parte de tus pedidos se facture de otra manera: con otra serie, otro tratamiento o solo lo de una tienda. Lo que no coincide con ninguno sigue las reglas generales.",
  "help.profiles.series.q": "¿Puedo cambiar una serie?",
  "help.profiles.series.a": "Sí, para las próximas facturas. Las emitidas conservan su número.",
  "help.profiles.try.q": "¿Puedo probar antes de guardar?",
  "help.profiles.try.a": "Sí: «Probar con un pedido» dice qué perfil le toca y por qué, sin emitir nada.",
  "help.company.nif.q": "¿Por qué debo verificar la empresa?",
  "help.company.nif.a":
    "Para que nadie facture con el NIF de otro. Hasta que lo acredites, todo lo que emitas es una prueba sin validez.",
  "help.company.people.q": "¿Cómo doy acceso a mi asesoría?",
  "help.company.people.a": "En Personas, invítala como asesoría: lo ve y lo descarga todo, y no cambia nada.",
  "help.company.data.q": "He cambiado de domicilio",
  "help.company.data.a":
    "Cámbialo en Datos fiscales. Vale para las próximas facturas; las emitidas no cambian.",
  "help.activity.who.q": "¿Qué aparece en la actividad?",
  "help.activity.who.a":
    "Cada cambio de una persona o de una conexión: quién, cuándo, y el valor de antes y el de después. No se puede editar ni borrar.",
  "help.activity.unknown.q": "Hay algo que no reconozco",
  "help.activity.unknown.a":
    "Cambia tu contraseña y cierra las demás sesiones en Seguridad; después revisa Personas y las claves de cada conexión.",
  "help.activity.filter.q": "¿Cómo encuentro un cambio?",
  "help.activity.filter.a": "Filtra por persona, por área o por fecha.",
} as const;
