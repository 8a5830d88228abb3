import type { erasure as spanish } from "../es/erasure.ts";

export const erasure: Record<keyof typeof spanish, string> = {
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
