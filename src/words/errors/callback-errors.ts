import type { CallbackUrlRefusal } from "../../domain/callback/url.ts";
import { type ErrorEntry, invalid } from "./entry.ts";

/** Addresses of a shop that are not called. */
export const CALLBACK_ERRORS = {
  callback_url_too_long: invalid({
    en: "The address has more than {limit} characters; use a shorter one.",
    es: "La dirección tiene más de {limit} caracteres; usa una más corta.",
  }),
  callback_url_invalid: invalid({
    en: "That is not a whole address, such as https://shop.example/orders; correct it.",
    es: "Eso no es una dirección completa, como https://tienda.example/pedidos; corrígela.",
  }),
  callback_url_not_https: invalid({
    en: "The address begins with {scheme}; only https is called: correct it.",
    es: "La dirección empieza por {scheme} y solo se llama por https; corrígela.",
  }),
  callback_url_with_credentials: invalid({
    en: "The address carries a user or a password; remove them, because every call is signed.",
    es: "La dirección lleva usuario o contraseña; quítalos, porque cada llamada va firmada.",
  }),
  callback_url_with_fragment: invalid({
    en: "The address has a part behind #, which no server receives; remove it.",
    es: "La dirección lleva una parte tras #, que ningún servidor recibe; quítala.",
  }),
  callback_url_port_not_allowed: invalid({
    en: "The address names port {port} and only 443 is called; remove it.",
    es: "La dirección indica el puerto {port} y solo se llama al 443; quítalo.",
  }),
  callback_url_ip_address: invalid({
    en: "{host} is an IP address; use the name of the host.",
    es: "{host} es una dirección IP; usa el nombre del servidor.",
  }),
  callback_url_host_not_public: invalid({
    en: "{host} is no name of the public internet; use one that can be reached from anywhere.",
    es: "{host} no es un nombre de la internet pública; usa uno accesible desde cualquier sitio.",
  }),
  callback_url_own_host: invalid({
    en: "{host} is this service itself; use the address of your shop.",
    es: "{host} es este mismo servicio; usa la dirección de tu tienda.",
  }),
  callback_url_with_store_ids: invalid({
    en: "The address brings {parameter}, which the service adds by itself; remove it.",
    es: "La dirección ya trae {parameter}, que lo añade el propio servicio; quítalo.",
  }),
} as const satisfies Record<CallbackUrlRefusal["code"], ErrorEntry>;
