import type { ErrorRow } from "../rows.ts";

/** Errors of the request itself, of the connection and of the service, by status. */
export const REQUEST_ERRORS = {
  malformed_json: {
    status: 400,
    retryable: false,
    sentence: {
      en: "The body is not valid JSON or repeats a member ({detail}); correct it and send it again.",
      es: "El cuerpo no es un JSON válido o repite un campo ({detail}); corrígelo y envíalo otra vez.",
    },
    example: { detail: "syntax error at position 17" },
  },
  unauthorized: {
    status: 401,
    retryable: false,
    sentence: {
      en: "A valid key is missing in the X-API-KEY header; use the one of the connection or create another.",
      es: "Falta una clave válida en la cabecera X-API-KEY; usa la que muestra la conexión o crea otra.",
    },
  },
  direct_invoicing_not_supported_by_connection: {
    status: 403,
    retryable: false,
    sentence: {
      en: "A connection of kind “{kind}” cannot issue invoices through the API; create an API connection.",
      es: "Una conexión de tipo «{kind}» no emite facturas por la API; crea una conexión de API.",
    },
  },
  orders_not_supported_by_connection: {
    status: 403,
    retryable: false,
    sentence: {
      en: "A connection of kind “{kind}” does not accept orders; use a commerce or API connection.",
      es: "Una conexión de tipo «{kind}» no admite pedidos; usa una conexión de tienda o de API.",
    },
  },
  customer_access_disabled: {
    status: 403,
    retryable: false,
    sentence: {
      en:
        "The owner has turned off customer access on this connection; do not show the link until it is on " +
        "again.",
      es:
        "El titular ha desactivado el acceso de los clientes en esta conexión; no muestres el enlace hasta " +
        "que lo active.",
    },
  },
  not_found: {
    status: 404,
    retryable: false,
    sentence: {
      en: "This path does not exist; see /docs for those that do.",
      es: "Esta dirección no existe; consulta las que hay en /docs.",
    },
  },
  invoice_not_found: {
    status: 404,
    retryable: false,
    sentence: {
      en: "There is no invoice with the id “{external_id}” on this connection; check the identifier.",
      es: "No hay ninguna factura con el identificador «{external_id}» en esta conexión; compruébalo.",
    },
  },
  order_not_found: {
    status: 404,
    retryable: false,
    sentence: {
      en: "There is no order with the identifier “{order_id}” on this connection; submit it first.",
      es: "No hay ningún pedido con el identificador «{order_id}» en esta conexión; envíalo antes.",
    },
  },
  format_cannot_express: {
    status: 422,
    retryable: false,
    sentence: {
      en: "This invoice cannot be said in the format {format}; details has each reason with its way out.",
      es: "Esta factura no se puede expresar en el formato {format}; details da cada motivo con su salida.",
    },
    example: { format: "ubl" },
  },
  recipient_email_missing: {
    status: 422,
    retryable: false,
    sentence: {
      en: "Neither the request nor the customer has an e-mail address; send it as “to”.",
      es: "Ni la petición ni el cliente tienen correo; envíalo en «to».",
    },
  },
  invoice_cancelled: {
    status: 409,
    retryable: false,
    sentence: {
      en: "Invoice {number} is cancelled and is not sent by e-mail any more.",
      es: "La factura {number} está anulada y ya no se envía por correo.",
    },
  },
  company_unverified: {
    status: 409,
    retryable: false,
    sentence: {
      en:
        "The company is not verified yet, so its invoices go by e-mail to confirmed addresses of its own " +
        "people only; use one of these, or verify the company at {console_url}.",
      es:
        "La empresa aún no está verificada y sus facturas solo se envían a correos confirmados de su " +
        "propia gente; usa uno de ellos o verifica la empresa en {console_url}.",
    },
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    sentence: {
      en: "This path does not accept {method}; use {allow}.",
      es: "Esta dirección no admite {method}; usa {allow}.",
    },
  },
  invoice_immutable: {
    status: 405,
    retryable: false,
    sentence: {
      en:
        "An issued invoice is neither changed nor deleted; issue a corrective invoice or, if the sale " +
        "never existed, a cancellation.",
      es:
        "Una factura emitida no se modifica ni se borra; emite una rectificativa o, si la venta nunca " +
        "existió, una anulación.",
    },
  },
  idempotency_conflict: {
    status: 409,
    retryable: false,
    sentence: {
      en:
        "An invoice ({number}) with external_id “{external_id}” and other content already exists; use " +
        "another identifier for another invoice.",
      es:
        "Ya hay una factura ({number}) con el external_id «{external_id}» y otro contenido; usa otro " +
        "identificador para otra factura.",
    },
  },
  invoicing_not_enabled: {
    status: 409,
    retryable: false,
    sentence: {
      en: "Invoicing is not turned on for this connection; its owner must give consent at {console_url}.",
      es:
        "La facturación de esta conexión no está activada; el titular tiene que dar su consentimiento en " +
        "{console_url}.",
    },
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    sentence: {
      en: "The body is larger than this path takes ({limit} at most); send less at a time.",
      es:
        "El cuerpo es mayor de lo que admite esta dirección (como máximo {limit}); envía menos datos cada " +
        "vez.",
    },
    example: { limit: { phrase: "bytes", count: { amount: "1048576" } } },
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    sentence: {
      en: "The body must be declared as JSON; send the header Content-Type: application/json.",
      es: "El cuerpo debe declararse como JSON; envía la cabecera Content-Type: application/json.",
    },
  },
  unsupported_encoding: {
    status: 415,
    retryable: false,
    sentence: {
      en:
        "The body must be plain UTF-8 and is declared as “{encoding}”; send it without Content-Encoding " +
        "and with charset=utf-8 or none.",
      es:
        "El cuerpo debe ir sin comprimir y en UTF-8, y se declara como «{encoding}»; envíalo sin " +
        "Content-Encoding y con charset=utf-8 o sin charset.",
    },
  },
  validation_failed: {
    status: 422,
    retryable: false,
    sentence: {
      en: "{problems}; see details and correct them all.",
      es: "{problems}; mira details y corrígelos todos.",
    },
  },
  origin_required: {
    status: 422,
    retryable: false,
    sentence: {
      en: "To embed the invoice, “origin” is missing, the exact https address of the page; add it.",
      es: "Para incrustar la factura falta «origin», la dirección https exacta de la página; añádela.",
    },
  },
  origin_not_allowed: {
    status: 422,
    retryable: false,
    sentence: {
      en: "“{origin}” is not registered on this connection; its owner can add it under Customer access.",
      es: "«{origin}» no está registrada en esta conexión; el titular puede añadirla en Acceso de clientes.",
    },
  },
  inventory_full: {
    status: 422,
    retryable: false,
    sentence: {
      en:
        "This connection keeps {limit} of these, and {count} of those sent are new and do not fit ({ids}); " +
        "the others are stored. Send only those that are in use.",
      es:
        "Esta conexión guarda {limit} de estos elementos, y {count} de los enviados son nuevos y no caben " +
        "({ids}); los demás están guardados. Envía solo los que estén en uso.",
    },
    example: { limit: "500", count: "2", ids: "41, 42" },
  },
  sync_not_ready: {
    status: 423,
    retryable: true,
    sentence: {
      en:
        "The owner has not chosen the shops yet (step 2); pause and try again later without using up " +
        "retries.",
      es:
        "El titular aún no ha elegido las tiendas (paso 2); pausa el envío y reintenta más tarde sin " +
        "descontar intentos.",
    },
  },
  rate_limited: {
    status: 429,
    retryable: true,
    sentence: {
      en: "Too many requests; wait {seconds} seconds and go on.",
      es: "Demasiadas peticiones; espera {seconds} segundos y sigue.",
    },
  },
  internal_error: {
    status: 500,
    retryable: true,
    sentence: {
      en:
        "Something of ours failed, not your request; repeat the same request, it will not be duplicated, " +
        "and if it goes on failing, write to us with the request_id.",
      es:
        "Ha fallado algo nuestro, no tu petición; repite la misma petición, no se duplicará y, si sigue " +
        "fallando, escríbenos con el request_id.",
    },
  },
  temporarily_unavailable: {
    status: 503,
    retryable: true,
    sentence: {
      en: "We cannot serve it now; repeat the same request in {seconds} seconds, it will not be duplicated.",
      es:
        "No hemos podido atenderla ahora; repite la misma petición dentro de {seconds} segundos, no se " +
        "duplicará.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
