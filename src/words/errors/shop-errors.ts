import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals about shops that are connected in their own form. */
export const SHOP_ERRORS = {
  shop_missing: conflict({
    en: "No shop is connected here; connect it first.",
    es: "Aquí no hay ninguna tienda conectada; conéctala antes.",
  }),
  shop_platform_fixed: conflict({
    en: "A shop of {platform} is connected here; disconnect it first, or use another connection.",
    es: "Aquí hay conectada una tienda de {platform}; desconéctala antes, o usa otra conexión.",
  }),
  shop_url_invalid: invalid({
    en:
      "This is not the address of the shop; write it without a query, like https://shop.example. Of a " +
      "Shopify shop write the one that ends in .myshopify.com.",
    es:
      "Esta no es la dirección de la tienda; escríbela sin parámetros, como https://tienda.example. De una " +
      "tienda de Shopify escribe la que termina en .myshopify.com.",
  }),
  shop_credentials_incomplete: invalid({
    en: "The shop needs other credentials: {fields}.",
    es: "La tienda necesita otras credenciales: {fields}.",
  }),
  shop_secret_is_theirs: conflict({
    en: "This shop signs with the secret of its own app; enter that one with the credentials.",
    es: "Esta tienda firma con el secreto de su propia aplicación; escríbelo con las credenciales.",
  }),
  shop_not_fetched: conflict({
    en: "The service has no access to this shop; enter its address and credentials first.",
    es: "El servicio no tiene acceso a esta tienda; escribe antes su dirección y sus credenciales.",
  }),
  shop_order_unknown: conflict({
    en: "There is no such order here; look for changes in the shop.",
    es: "Aquí no hay ningún pedido así; busca los cambios en la tienda.",
  }),
  shop_webhooks_by_module: conflict({
    en: "A shop of {platform} has no webhooks of its own: its module delivers, or it is asked for changes.",
    es: "Una tienda de {platform} no tiene webhooks propios: avisa su módulo, o se le piden los cambios.",
  }),
  shop_backfill_running: conflict({
    en: "The earlier orders are being looked for or decided; wait for the end, or end it first.",
    es: "Ya se están buscando o decidiendo los pedidos anteriores; espera a que acabe, o termínalo antes.",
  }),
  shop_backfill_no_more: conflict({
    en: "The shop has no further orders behind this list; begin a new one.",
    es: "La tienda no tiene más pedidos después de esta lista; empieza una nueva.",
  }),
  shop_backfill_missing: conflict({
    en: "There is no list of earlier orders; look for them first.",
    es: "No hay ninguna lista de pedidos anteriores; búscalos antes.",
  }),
  shop_backfill_not_listed: conflict({
    en: "The list of earlier orders is not finished; confirm it once it is.",
    es: "La lista de pedidos anteriores no está terminada; confírmala cuando lo esté.",
  }),
  shop_backfill_order_unknown: invalid({
    en: "One of these orders is not on the list or cannot be confirmed; load the list again.",
    es: "Alguno de estos pedidos no está en la lista o no se puede confirmar; carga la lista otra vez.",
  }),
  shop_signature_invalid: {
    status: 401,
    retryable: false,
    sentence: {
      en: "The signature does not match these bytes; enter the secret in the shop again.",
      es: "La firma no corresponde a estos bytes; escribe otra vez el secreto en la tienda.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
