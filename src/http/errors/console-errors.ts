import { conflict, type ErrorEntry, invalid } from "./entry.ts";

/** What only who uses the console can meet, whatever they do there. */
export const CONSOLE_ERRORS = {
  signed_out: {
    status: 401,
    retryable: false,
    en: "Your session has expired. Sign in again and you will come back to this page.",
    es: "La sesión ha caducado. Entra otra vez y volverás a esta página.",
  },
  read_only: {
    status: 403,
    retryable: false,
    en: "Your access is read only. Ask an owner of the company.",
    es: "Tu acceso es solo de lectura. Pídeselo a un titular de la empresa.",
  },
  foreign_origin: {
    status: 403,
    retryable: false,
    en: "The request does not come from the console; open the console and do it there.",
    es: "La petición no viene de la consola; ábrela y hazlo allí.",
  },
  nif_invalid: invalid({
    en:
      "A Spanish tax ID has 9 characters with its check character, like B12345674 or 12345678Z; correct " +
      "it.",
    es: "Un NIF tiene 9 caracteres con su control, como B12345674 o 12345678Z; corrígelo.",
  }),
  postcode_invalid: invalid({
    en: "A Spanish postcode has 5 digits and begins with 01 to 52; correct it.",
    es: "Un código postal español tiene 5 cifras y empieza por 01 a 52; corrígelo.",
  }),
  territory_mismatch: invalid({
    en: "The address is in {place}, where sales carry another tax; choose where yours are taxed.",
    es:
      "El domicilio está en {place}, donde las ventas llevan otro impuesto; elige dónde tributan las " +
      "tuyas.",
  }),
  ledgers_full: {
    status: 503,
    retryable: true,
    en: "There is no room for another company at the moment; we have been told, try again tomorrow.",
    es: "Ahora mismo no hay sitio para otra empresa; ya estamos avisados, inténtalo mañana.",
  },
  power_missing: invalid({
    en: "Say which document proves the power, such as a deed with its date.",
    es: "Di qué documento acredita el poder, como una escritura con su fecha.",
  }),
  invitation_ended: conflict({
    en: "This invitation has expired or was used already; ask for another.",
    es: "Esta invitación ha caducado o ya se usó; pide otra.",
  }),
  last_owner: conflict({
    en: "The company needs one owner at least; make somebody else an owner first.",
    es: "La empresa necesita al menos un titular; nombra antes a otra persona.",
  }),
  already_member: conflict({
    en: "{email} already has access to the company.",
    es: "{email} ya tiene acceso a la empresa.",
  }),
} as const satisfies Record<string, ErrorEntry>;
