import type { PageWords } from "./words-of-page.ts";

/** The tab where data of people are erased. */
const es = {
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

export type ErasureWord = keyof typeof es;

const en: Readonly<Record<ErasureWord, string>> = {
  "erasure.title": "Erase a person’s data",
  "erasure.lead":
    "When a customer asks for their data to be erased (article 17 of the GDPR), what has not been invoiced " +
    "is erased here. Invoices, and the orders that they were issued from, are kept as long as the law has " +
    "it. Erase the data in the shop as well: nothing of it is erased from here.",
  "erasure.of": "What is erased",
  "erasure.of.order": "One order",
  "erasure.of.client": "A customer, with all of their orders",
  "erasure.id.order": "Id of the order",
  "erasure.id.client": "Id of the customer",
  "erasure.id.hint": "Exactly as the shop has it.",
  "erasure.look": "Look",
  "erasure.found": "Will be erased",
  "erasure.found.client": "What the shop told of the customer.",
  "erasure.found.orders":
    "{n, plural, one {# order without an invoice} other {# orders without an invoice}}, with all that the " +
    "shop sent:",
  "erasure.found.nothing.order": "Nothing: this order was invoiced.",
  "erasure.found.nothing.client": "Nothing: only invoices are left of this person.",
  "erasure.more": "There are more orders without an invoice: erase these and look again.",
  "erasure.kept": "Will be kept",
  "erasure.kept.one": "Order {order}: {numbers}, until {date}",
  "erasure.kept.law":
    "The law has invoices kept with the data that they were issued from: article 30 of the Código de " +
    "Comercio, articles 66 and 70 of the LGT, articles 19 and 20 of RD 1619/2012. Article 17.3.b of the GDPR " +
    "excepts them from erasure: answer the request with that.",
  "erasure.button": "Erase…",
  "erasure.confirm.title": "Erase the data",
  "erasure.confirm.body":
    "This cannot be undone. If the shop sends an erased order again, it is refused: neither kept nor " +
    "invoiced. The activity will say that it was done, and name nobody.",
  "erasure.confirm.type": "Type {id} to confirm it",
  "erasure.confirm.act": "Erase",
  "erasure.done": "Data erased.",
  "erasure.gone.asked": "This order was erased on {date}.",
  "erasure.gone.aged": "This order was erased on {date}, after two years without a change.",
  "erasure.gone.retention":
    "The invoice of this order was deleted on {date}, after the term of the law. The order cannot be " +
    "admitted again: it would be invoiced twice.",
  "erasure.admit": "Admit it again…",
  "erasure.admit.title": "Admit the order again",
  "erasure.admit.body": "If the shop sends it again, it counts as a new order and may be invoiced.",
  "erasure.admit.act": "Admit again",
  "erasure.admit.done": "The order will be taken if the shop sends it again.",
};

export const ERASURE_WORDS: PageWords<ErasureWord> = { es, en };
