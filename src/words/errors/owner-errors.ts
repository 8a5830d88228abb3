import { conflict, type ErrorEntry, invalid } from "./entry.ts";

/** What only the owner of an account can meet. */
export const OWNER_ERRORS = {
  issuer_exists: conflict({
    en:
      "A verified company with the tax ID {nif} exists already; ask its owner for access, or claim it if " +
      "it is yours.",
    es:
      "Ya existe una empresa verificada con el NIF {nif}; pide acceso a su titular, o reclámala si es " +
      "tuya.",
  }),
  inventory_missing: conflict({
    en: "The module has not told which shops there are; turn it on, wait for them to appear here and choose.",
    es: "El módulo aún no ha dicho qué tiendas hay; actívalo, espera a que aparezcan aquí y elígelas.",
  }),
  no_store_chosen: invalid({
    en: "No shop is chosen; choose one at least, or all of them.",
    es: "No has elegido ninguna tienda; elige al menos una, o todas.",
  }),
  store_unknown: invalid({
    en: "The module has told of no shop called {stores}; choose among those that appear here.",
    es: "El módulo no ha dicho que exista la tienda {stores}; elige entre las que aparecen aquí.",
  }),
  consent_missing: conflict({
    en: "Invoicing is not turned on for this connection and there is nothing to change; turn it on first.",
    es: "La facturación de esta conexión no está activada y no hay nada que cambiar; actívala antes.",
  }),
  callback_missing: conflict({
    en: "This connection has no address to call; enter it first.",
    es: "Esta conexión no tiene ninguna dirección a la que llamar; escríbela antes.",
  }),
  origin_invalid: invalid({
    en:
      "“{origin}” is not the address of a page's origin; give it exactly, with https:// and no path, like " +
      "https://shop.example.",
    es:
      "«{origin}» no es el origen de una página; escríbelo exacto, con https:// y sin ruta, como " +
      "https://tienda.example.",
  }),
  too_many_origins: conflict({
    en: "There are {limit} pages already; remove one that you no longer need.",
    es: "Ya hay {limit} páginas; quita alguna que ya no necesites.",
  }),
  setup_not_completed: conflict({
    en: "The shops are not chosen yet (step 2); choose them first.",
    es: "Aún no están elegidas las tiendas (paso 2); elígelas antes.",
  }),
  representation_document_invalid: invalid({
    en: "The signed document could not be read; choose the signed file again.",
    es: "No se ha podido leer el documento firmado; vuelve a elegir el archivo firmado.",
  }),
  representation_signer_invalid: invalid({
    en: "Write who signed the document, in at most {limit} characters.",
    es: "Escribe quién firmó el documento, con {limit} caracteres como máximo.",
  }),
  representation_date_invalid: invalid({
    en: "The document cannot have been signed on {date}, a day still to come; correct the date.",
    es: "El documento no puede estar firmado el {date}, que aún no ha llegado; corrige la fecha.",
  }),
} as const satisfies Record<string, ErrorEntry>;
