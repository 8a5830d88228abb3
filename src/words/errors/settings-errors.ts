import { conflict, type ErrorEntry, invalid } from "./entry.ts";

/** What only the settings of a company can be refused for, beside what the rules refuse. */
export const SETTINGS_ERRORS = {
  name_mismatch: invalid({
    en: "That is not the name of the connection; type “{name}” exactly.",
    es: "Ese no es el nombre de la conexión; escribe «{name}» tal cual.",
  }),
  id_mismatch: invalid({
    en: "That is not the id; type “{id}” exactly.",
    es: "Ese no es el identificador; escribe «{id}» tal cual.",
  }),
  changed_meanwhile: conflict({
    en: "Somebody else changed this while you were editing. Review the changes before saving.",
    es: "Otra persona ha cambiado estos datos mientras los editabas. Revisa los cambios antes de guardar.",
  }),
  two_keys_alive: conflict({
    en: "This connection has two active keys already; retire one before you create another.",
    es: "Esta conexión ya tiene dos claves activas; retira una antes de crear otra.",
  }),
  connection_needed: conflict({
    en: "The company has no connection yet; connect your shop or your program first.",
    es: "La empresa aún no tiene ninguna conexión; conecta antes tu tienda o tu programa.",
  }),
  order_unknown: invalid({
    en: "There is no order “{order}” on this connection; check its number.",
    es: "En esta conexión no hay ningún pedido «{order}»; comprueba el número.",
  }),
} as const satisfies Record<string, ErrorEntry>;
