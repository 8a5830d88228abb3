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
  invitation_for_another: {
    status: 403,
    retryable: false,
    en: "This invitation is for another e-mail address; sign in with the address that it was sent to.",
    es: "Esta invitación es para otra dirección de correo; entra con la dirección a la que se envió.",
  },
  offer_ended: conflict({
    en: "This offer of ownership does not stand any more; ask an owner for another.",
    es: "Este ofrecimiento de titularidad ya no está vigente; pide otro a un titular.",
  }),
  name_invalid: invalid({
    en: "A name has no web or e-mail address in it; write the name alone, with a space behind full stops.",
    es:
      "Un nombre no lleva direcciones web ni de correo; escribe solo el nombre, con un espacio detrás de " +
      "los puntos.",
  }),
  quota_exceeded: {
    ...conflict({ en: "{limit}.", es: "{limit}." }),
    statusOfWaiting: 429,
  },
  company_contested: conflict({
    en:
      "Somebody else proves to be this company; until we have settled it there are no new keys, owners, " +
      "exports or representations. Write to us.",
    es:
      "Otra persona acredita ser esta empresa; hasta que lo resolvamos no hay claves, titulares, " +
      "exportaciones ni representaciones nuevas. Escríbenos.",
  }),
  company_not_verified: conflict({
    en: "The company’s NIF is not proven yet; verify the company first.",
    es: "Aún no se ha acreditado el NIF de la empresa; verifica antes la empresa.",
  }),
  company_verified_already: conflict({
    en: "The company is verified already; there is nothing to prove.",
    es: "La empresa ya está verificada; no hay nada que acreditar.",
  }),
  proof_text_ended: conflict({
    en: "The text that was signed holds for a day and for one proof; ask for another and sign it.",
    es: "El texto firmado vale un día y para una sola acreditación; pide otro y fírmalo.",
  }),
  proof_document_invalid: invalid({
    en: "Choose the signed document as a PDF of at most 2 MB.",
    es: "Elige el documento firmado en PDF, de 2 MB como máximo.",
  }),
  certificate_proof_off: conflict({
    en: "Proof by certificate is not available yet; send the signed document as a PDF.",
    es: "La acreditación con certificado aún no está disponible; envía el documento firmado en PDF.",
  }),
  signature_invalid: invalid({
    en: "{reason}; sign the text again with your certificate, or send the signed document as a PDF.",
    es: "{reason}; vuelve a firmar el texto con tu certificado o envía el documento firmado en PDF.",
  }),
  claim_open: conflict({
    en: "There is a claim of this company already; we will write to you when it is settled.",
    es: "Ya hay una reclamación de esta empresa; te escribiremos cuando esté resuelta.",
  }),
  nothing_to_claim: conflict({
    en: "No other company has this NIF verified; verify yours instead.",
    es: "Ninguna otra empresa tiene verificado este NIF; verifica la tuya.",
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
