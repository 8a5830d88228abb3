import type { PageWords } from "./words-of-page.ts";

/** The tab where data of people are erased. */
const es = {
  "erasure.title": "Suprimir los datos de una persona",
  "erasure.lead":
    "Cuando un cliente pide la supresión de sus datos (artículo 17 del RGPD), aquí se borra lo que no se " +
    "ha facturado. Las facturas, y los pedidos de los que salieron, se conservan el plazo que manda la " +
    "ley. Suprime también los datos en la tienda: de aquí no se borra nada de ella.",
  "erasure.of": "Qué se suprime",
  "erasure.of.order": "Un pedido",
  "erasure.of.client": "Un cliente, con todos sus pedidos",
  "erasure.id.order": "Identificador del pedido",
  "erasure.id.client": "Identificador del cliente",
  "erasure.id.hint": "Tal como lo tiene la tienda.",
  "erasure.look": "Buscar",
  "erasure.found": "Se suprime",
  "erasure.found.client": "La ficha del cliente.",
  "erasure.found.orders":
    "{n, plural, one {# pedido sin factura} other {# pedidos sin factura}}, con todo lo que envió la tienda:",
  "erasure.found.nothing": "Nada: de esta persona solo quedan facturas.",
  "erasure.more": "Hay más pedidos: suprime estos y busca otra vez.",
  "erasure.kept": "Se conserva",
  "erasure.kept.one": "Pedido {order}: {numbers}, hasta el {date}",
  "erasure.kept.law":
    "Hay factura, y la ley obliga a conservarla con los datos de los que salió: artículo 30 del Código de " +
    "Comercio, artículos 66 y 70 de la LGT y artículos 19 y 20 del RD 1619/2012. El artículo 17.3.b del " +
    "RGPD lo exceptúa de la supresión; responde así a la solicitud.",
  "erasure.button": "Suprimir…",
  "erasure.confirm.title": "Suprimir los datos",
  "erasure.confirm.body":
    "No se puede deshacer. Si la tienda vuelve a enviar un pedido suprimido, se rechaza: ni se guarda ni " +
    "se factura. Queda en la actividad que se hizo, sin nombrar a nadie.",
  "erasure.confirm.type": "Escribe {id} para confirmarlo",
  "erasure.confirm.act": "Suprimir",
  "erasure.done": "Datos suprimidos.",
  "erasure.gone.asked": "Este pedido se suprimió el {date}.",
  "erasure.gone.aged": "Este pedido se suprimió el {date}: nadie lo necesitaba desde hacía dos años.",
  "erasure.gone.retention":
    "La factura de este pedido dejó de conservarse el {date}, terminado el plazo legal. No se puede volver " +
    "a admitir: recibiría una segunda factura.",
  "erasure.admit": "Volver a admitirlo…",
  "erasure.admit.title": "Volver a admitir el pedido",
  "erasure.admit.body":
    "Si la tienda lo envía otra vez, se tratará como un pedido nuevo y puede acabar en factura.",
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
  "erasure.found.nothing": "Nothing: only invoices are left of this person.",
  "erasure.more": "There are more orders: erase these and look again.",
  "erasure.kept": "Will be kept",
  "erasure.kept.one": "Order {order}: {numbers}, until {date}",
  "erasure.kept.law":
    "There is an invoice, and the law has it kept with the data that it was issued from: article 30 of the " +
    "Código de Comercio, articles 66 and 70 of the LGT, articles 19 and 20 of RD 1619/2012. Article 17.3.b " +
    "of the GDPR excepts it from erasure; answer the request with that.",
  "erasure.button": "Erase…",
  "erasure.confirm.title": "Erase the data",
  "erasure.confirm.body":
    "This cannot be undone. If the shop sends an erased order again, it is refused: neither kept nor " +
    "invoiced. The activity will say that it was done, and name nobody.",
  "erasure.confirm.type": "Type {id} to confirm it",
  "erasure.confirm.act": "Erase",
  "erasure.done": "Data erased.",
  "erasure.gone.asked": "This order was erased on {date}.",
  "erasure.gone.aged": "This order was erased on {date}: nobody had needed it for two years.",
  "erasure.gone.retention":
    "The invoice of this order is kept no longer since {date}, when the term of the law was over. It " +
    "cannot be admitted again: it would get a second invoice.",
  "erasure.admit": "Admit it again…",
  "erasure.admit.title": "Admit the order again",
  "erasure.admit.body": "If the shop sends it again, it counts as a new order and may be invoiced.",
  "erasure.admit.act": "Admit again",
  "erasure.admit.done": "The order will be taken if the shop sends it again.",
};

export const ERASURE_WORDS: PageWords<ErasureWord> = { es, en };
