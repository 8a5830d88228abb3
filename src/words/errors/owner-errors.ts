import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals that only owners and users of the console receive. */
export const OWNER_ERRORS = {
  // Verbs of an owner
  issuer_exists: conflict({
    en:
      "A verified company with the tax ID {nif} exists already; ask its owner for access, or claim it if " +
      "it is yours.",
    es:
      "Ya existe una empresa verificada con el NIF {nif}; pide acceso a su titular, o reclámala si es " +
      "tuya.",
  }),
  accent_invalid: invalid({
    en: "A colour is # and six hexadecimal digits, such as #274684; correct it.",
    es: "Un color es # y seis cifras hexadecimales, como #274684; corrígelo.",
  }),
  logo_unreadable: invalid({
    en: "We could not read that image. Use a PNG without interlacing.",
    es: "No hemos podido leer esa imagen. Usa un PNG sin entrelazar.",
  }),
  logo_too_large: invalid({
    en: "A logo has at most {width} × {height} pixels and {kilobytes} KB; send a smaller one.",
    es: "Un logotipo tiene como mucho {width} × {height} píxeles y {kilobytes} KB; envía uno más pequeño.",
  }),
  person_name_of_company: invalid({
    en: "Only a person has a first name and surnames; leave them empty.",
    es: "Solo una persona tiene nombre y apellidos; déjalos vacíos.",
  }),
  person_name_differs: invalid({
    en: "First name and surnames must read “{name}” together, as in the tax details.",
    es: "El nombre y los apellidos juntos tienen que decir «{name}», como en los datos fiscales.",
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
    en: "Enter the address with https:// and without a path.",
    es: "Escribe la dirección con https:// y sin ruta.",
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

  // Any page of the console
  signed_out: {
    status: 401,
    retryable: false,
    sentence: {
      en: "Your session has expired. Sign in again and you will come back to this page.",
      es: "La sesión ha caducado. Entra otra vez y volverás a esta página.",
    },
  },
  read_only: {
    status: 403,
    retryable: false,
    sentence: {
      en: "Your access is read only. Ask an owner of the company.",
      es: "Tu acceso es solo de lectura. Pídeselo a un titular de la empresa.",
    },
  },
  foreign_origin: {
    status: 403,
    retryable: false,
    sentence: {
      en: "The request does not come from the console; open the console and do it there.",
      es: "La petición no viene de la consola; ábrela y hazlo allí.",
    },
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
    sentence: {
      en: "There is no room for another company at the moment; we have been told, try again tomorrow.",
      es: "Ahora mismo no hay sitio para otra empresa; ya estamos avisados, inténtalo mañana.",
    },
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
    sentence: {
      en: "This invitation is for another e-mail address; sign in with the address that it was sent to.",
      es: "Esta invitación es para otra dirección de correo; entra con la dirección a la que se envió.",
    },
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

  // Settings
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
  keys_not_by_hand: conflict({
    en: "People issue by hand through this connection; open a connection for your program and its keys.",
    es: "Por esta conexión facturan personas a mano; abre una conexión para tu programa y sus claves.",
  }),
  connection_needed: conflict({
    en: "The company has no connection yet; connect your shop or your program first.",
    es: "La empresa aún no tiene ninguna conexión; conecta antes tu tienda o tu programa.",
  }),
  order_unknown: invalid({
    en: "There is no order “{order}” on this connection; check its number.",
    es: "En esta conexión no hay ningún pedido «{order}»; comprueba el número.",
  }),

  // Addresses of a shop that are not called
  callback_url_too_long: invalid({
    en: "The address has more than {limit} characters; use a shorter one.",
    es: "La dirección tiene más de {limit} caracteres; usa una más corta.",
  }),
  callback_url_invalid: invalid({
    en: "That is not a whole address, such as https://shop.example/orders; correct it.",
    es: "Eso no es una dirección completa, como https://tienda.example/pedidos; corrígela.",
  }),
  callback_url_not_https: invalid({
    en: "Enter an address that starts with https://.",
    es: "Escribe una dirección que empiece por https://.",
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

  // Webhooks
  webhook_events_missing: invalid({
    en: "No event is chosen; choose one at least.",
    es: "No se ha elegido ningún evento; elige al menos uno.",
  }),
  webhook_event_unknown: invalid({
    en: "There is no event called “{event}”; choose among those of the list.",
    es: "No existe ningún evento llamado «{event}»; elige entre los de la lista.",
  }),
  webhook_already_registered: conflict({
    en: "This address is registered already; change its events, or rotate its secret if you have lost it.",
    es: "Esta dirección ya está registrada; cambia sus eventos o, si no tienes su secreto, renuévalo.",
  }),
  too_many_webhooks: conflict({
    en: "There are {limit} addresses already; remove one that you no longer need.",
    es: "Ya hay {limit} direcciones; quita alguna que ya no necesites.",
  }),
  webhook_not_found: conflict({
    en: "This connection has no such webhook; reload the list and choose again.",
    es: "Esta conexión no tiene ese webhook; vuelve a cargar la lista y elige otra vez.",
  }),
  webhook_ended: conflict({
    en: "This webhook is called no more; register its address again.",
    es: "A este webhook ya no se le llama; registra de nuevo su dirección.",
  }),
  webhook_delivery_not_found: conflict({
    en: "There is no such delivery any more: they are kept for 30 days; reload the list and choose again.",
    es: "Ese envío ya no existe: se conservan 30 días; vuelve a cargar la lista y elige otra vez.",
  }),
} as const satisfies Record<string, ErrorRow>;
