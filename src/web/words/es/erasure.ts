export const erasure = {
  "erasure.title": "Suprimir los datos de una persona",
  "erasure.lead":
    "Cuando un cliente pide la supresión de sus datos (artículo 17 del RGPD), aquí se borra lo que no se " +
    "ha facturado. Las facturas y los pedidos a los que corresponden se conservan durante el plazo legal. " +
    "Suprime también los datos en la tienda: lo que se borra aquí no se borra allí.",
  "erasure.of": "Qué se suprime",
  "erasure.of.order": "Un pedido",
  "erasure.of.client": "Un cliente, con todos sus pedidos",
  "erasure.id.order": "Identificador del pedido",
  "erasure.id.client": "Identificador del cliente",
  "erasure.id.hint": "Tal como figura en la tienda.",
  "erasure.look": "Buscar",
  "erasure.found": "Se suprime",
  "erasure.found.client": "La ficha del cliente.",
  "erasure.found.orders":
    "{n, plural, one {# pedido sin factura} other {# pedidos sin factura}}, con todo lo que envió la tienda:",
  "erasure.found.nothing.order": "Nada: este pedido se facturó.",
  "erasure.found.nothing.client": "Nada: de esta persona solo quedan facturas.",
  "erasure.more": "Hay más pedidos sin factura: suprime estos y vuelve a buscar.",
  "erasure.kept": "Se conserva",
  "erasure.kept.one": "Pedido {order}: {numbers}, hasta el {date}",
  "erasure.kept.law":
    "La ley obliga a conservar las facturas y los datos con los que se expidieron: artículo 30 del Código " +
    "de Comercio, artículos 66 y 70 de la LGT y artículos 19 y 20 del Reglamento de facturación (RD " +
    "1619/2012). El artículo 17.3.b del RGPD los excluye del derecho de supresión: indícalo al contestar a " +
    "la solicitud.",
  "erasure.button": "Suprimir…",
  "erasure.confirm.title": "Suprimir los datos",
  "erasure.confirm.body":
    "No se puede deshacer. Si la tienda vuelve a enviar un pedido suprimido, se rechaza: ni se guarda ni " +
    "se factura. En la actividad queda constancia de la supresión, sin nombrar a nadie.",
  "erasure.confirm.type": "Escribe {id} para confirmar",
  "erasure.confirm.act": "Suprimir",
  "erasure.done": "Datos suprimidos.",
  "erasure.gone.asked": "Este pedido se suprimió el {date}.",
  "erasure.gone.aged": "Este pedido se suprimió el {date}, tras dos años sin cambios.",
  "erasure.gone.retention":
    "La factura de este pedido se eliminó el {date}, vencido el plazo legal de conservación. El pedido no " +
    "puede volver a admitirse: se facturaría dos veces.",
  "erasure.admit": "Volver a admitirlo…",
  "erasure.admit.title": "Volver a admitir el pedido",
  "erasure.admit.body": "Si la tienda lo envía otra vez, se tratará como un pedido nuevo y podrá facturarse.",
  "erasure.admit.act": "Volver a admitir",
  "erasure.admit.done": "El pedido se admitirá si la tienda lo envía otra vez.",
} as const;
