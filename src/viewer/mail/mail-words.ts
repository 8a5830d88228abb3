import type { Bilingual } from "../../words/words.ts";

/** The words of a mail with an invoice; labels and statements of the invoice itself are those of the page. */
export const MAIL_WORDS = {
  subject: { es: "Factura {number} de {issuer}", en: "Invoice {number} from {issuer}" },
  attached: { es: "Adjuntamos la factura.", en: "The invoice is attached." },
  number: { es: "Número", en: "Number" },
  date: { es: "Fecha", en: "Date" },
  total: { es: "Total", en: "Total" },
  toPay: { es: "Total a pagar", en: "Total to pay" },
  toRefund: { es: "Total a devolver", en: "Total to be refunded" },
  due: { es: "Vencimiento", en: "Due date" },
  paid: { es: "Pagada el", en: "Paid on" },
  order: { es: "Pedido", en: "Order" },
  replies: {
    es: "{issuer} recibe las respuestas a este mensaje.",
    en: "{issuer} receives the replies to this message.",
  },
  noReplies: {
    es: "Este mensaje se envía en nombre de {issuer}; las respuestas no le llegan.",
    en: "This message is sent on behalf of {issuer}; replies do not reach them.",
  },
} as const satisfies Record<string, Bilingual>;
