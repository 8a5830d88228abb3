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
  shop_signature_invalid: {
    status: 401,
    retryable: false,
    sentence: {
      en: "The signature does not match these bytes; enter the secret in the shop again.",
      es: "La firma no corresponde a estos bytes; escribe otra vez el secreto en la tienda.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
