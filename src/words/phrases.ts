import type { PhraseCode } from "../domain/shared/fact.ts";
import type { Bilingual } from "./language.ts";

/** The words of every phrase that a rule may use; a phrase without words does not compile. */
export const PHRASES: Readonly<Record<PhraseCode, Bilingual>> = {
  // Documents: parties and date of the operation
  every_combination: {
    en:
      "F1, F3 or R1 to R4 with art6_full; F1 or R1 to R4 with art7_simplified and " +
      "qualified_simplified_art_7_2_3; F2 or R5 with art7_simplified; F2 or R5 with art6_full and " +
      "no_recipient_article_6_1_d",
    es:
      "F1, F3 o R1 a R4 con art6_full; F1 o R1 a R4 con art7_simplified y " +
      "qualified_simplified_art_7_2_3; F2 o R5 con art7_simplified; F2 o R5 con art6_full y " +
      "no_recipient_article_6_1_d",
  },
  attestation_combinations: {
    en: "F2 with art7_simplified; F1 with art7_simplified and qualified_simplified_art_7_2_3",
    es: "F2 con art7_simplified; F1 con art7_simplified y qualified_simplified_art_7_2_3",
  },
  no_rate_in_euros: { en: "the invoice is in euros", es: "la factura está en euros" },
  rate_not_above_zero: { en: "it is not above zero", es: "no es mayor que cero" },
  rate_date_in_future: { en: "its date is in the future", es: "su fecha es posterior a hoy" },
  send_no_rate: {
    en: "send neither exchange_rate nor exchange_rate_date",
    es: "no envíes ni exchange_rate ni exchange_rate_date",
  },
  give_rate: {
    en: "give {currency} per euro, dated today or earlier",
    es: "indica {currency} por euro, con fecha de hoy o anterior",
  },
  bytes: { en: "{count} bytes", es: "{count} bytes" },

  nif_control_character: {
    en: "the form or the control character of the NIF is wrong",
    es: "el formato o el carácter de control del NIF no es correcto",
  },
  no_vat_number_or_nif: {
    en: "it is neither a NIF nor an EU VAT number",
    es: "no es ni un NIF ni un NIF-IVA",
  },
  country_missing: { en: "its country is missing", es: "falta su país" },
  country_without_eu_vat: {
    en: "{country} issues no EU VAT numbers",
    es: "{country} no asigna NIF-IVA",
  },
  country_not_listed: {
    en: "the AEAT’s list of countries does not have {country}: give the country that issued the document",
    es: "la AEAT no tiene {country} en su lista de países: indica el que expidió el documento",
  },
  prefix_contradicts_country: {
    en: "its prefix is {prefix} and its country {country}",
    es: "su prefijo es {prefix} y su país, {country}",
  },
  vat_form: {
    en: "it does not have the form of a VAT number of {prefix}",
    es: "no tiene el formato de un NIF-IVA de {prefix}",
  },
  id_type_unknown: { en: "id_type {id_type} does not exist", es: "no existe el id_type {id_type}" },
  id_type_07_needs_spain: {
    en: "id_type 07 goes with country ES only",
    es: "el id_type 07 solo va con el país ES",
  },
  id_type_07_needs_person: {
    en: "id_type 07 needs a valid NIF of a natural person",
    es: "el id_type 07 exige un NIF válido de persona física",
  },
  spain_needs_nif: {
    en: "country ES goes with a NIF, or with id_type 03 or 07",
    es: "con el país ES va un NIF, o bien el id_type 03 o 07",
  },
  id_form: {
    en: "it must have 1 to 20 characters, none of them < > \" ' =",
    es: "debe tener de 1 a 20 caracteres, sin < > \" ' =",
  },
  prefix_not_in_force: {
    en: "prefix {prefix} was not in force on {date}",
    es: "el prefijo {prefix} no estaba en vigor el {date}",
  },
  e5_needs_vat_number: {
    en: "an intra-Community supply (E5) needs the recipient’s EU VAT number, no NIF or other document",
    es: "una entrega intracomunitaria (E5) exige el NIF-IVA del destinatario, no un NIF u otro documento",
  },
  regime_10_needs_nif: {
    en: "regime 10 needs the NIF of the recipient",
    es: "el régimen 10 exige el NIF del destinatario",
  },
  regime_14_needs_public_body: {
    en: "regime 14 needs the NIF of a public body, which begins with P, Q, S or V",
    es: "el régimen 14 exige el NIF de una Administración, que empieza por P, Q, S o V",
  },

  over_20_years_ago: { en: "it is more than 20 years ago", es: "es de hace más de 20 años" },
  after_next_year: { en: "it is later than next year", es: "es posterior al año próximo" },
  future_needs_regime: {
    en: "only lines of regime 14 or 15 may lie in the future",
    es: "solo las líneas de régimen 14 o 15 admiten una fecha futura",
  },
  regime_14_needs_future: {
    en: "regime 14 needs a date later than the issue date",
    es: "el régimen 14 exige una fecha posterior a la de expedición",
  },
  correct_operation_date: {
    en: "correct operation_date or leave it out",
    es: "corrige operation_date o quítala",
  },
  send_operation_date: {
    en: "send the right one as operation_date",
    es: "envía la correcta en operation_date",
  },
  send_later_operation_date: {
    en: "send an operation_date after today",
    es: "envía una operation_date posterior a hoy",
  },
  correct_cited_date: {
    en: "correct the issue_date of the cited invoice, or send operation_date",
    es: "corrige el issue_date de la factura citada o envía operation_date",
  },

  // Lines, and attestations about them
  other_taxes: { en: "other taxes", es: "otros impuestos" },
  one_stop_shop: { en: "the one-stop shop", es: "la ventanilla única" },
  one_stop_shop_sales: { en: "one-stop shop", es: "ventanilla única" },
  use_regime: { en: "use {regimes}", es: "usa {regimes}" },
  use_no_regime: { en: "send no regime", es: "no envíes regime" },
  use_regime_with: { en: "use it with {values}", es: "úsalo con {values}" },
  e7_e8_are_igic: {
    en: "use E1 to E6, since E7 and E8 are of IGIC alone (type_tax 03)",
    es: "usa E1 a E6, porque E7 y E8 son solo del IGIC (type_tax 03)",
  },
  identify_with_f1: {
    en: "use F1 with the recipient’s identifier",
    es: "usa F1 con el identificador del destinatario",
  },
  send_rate_0: {
    en: "send 0, or S1 if tax is charged",
    es: "envía 0, o S1 si repercutes el impuesto",
  },
  send_net_prices: {
    en: "send net prices, or S1 if tax is charged",
    es: "envía los precios sin impuesto, o S1 si lo repercutes",
  },
  remove_margin: {
    en: "remove it, or send regime 03 or 05 with S1",
    es: "quítalo o envía regime 03 o 05 con S1",
  },
  correct_without_margin: {
    en: "the invoice cited was issued without it: remove it, or rectify by substitution",
    es: "la factura citada se expidió sin él: quítalo o rectifica por sustitución",
  },
  use_rate: { en: "use one of these: {rates}", es: "usa uno de estos: {rates}" },
  use_one_stop_shop_rate: {
    en: "use one from 0 to 30 with at most two decimals",
    es: "usa uno de 0 a 30 con dos decimales como máximo",
  },
  use_two_decimals: {
    en: "use one with at most two decimals",
    es: "usa uno con dos decimales como máximo",
  },
  use_surcharge: { en: "use {surcharges} or remove it", es: "usa {surcharges} o quítalo" },
  remove_surcharge: { en: "remove it", es: "quítalo" },

  lines_missing: { en: "missing lines: {lines}", es: "líneas que faltan: {lines}" },
  lines_unknown: {
    en: "lines that the invoice does not have: {lines}",
    es: "líneas que no están en la factura: {lines}",
  },
  lines_repeated: { en: "repeated lines: {lines}", es: "líneas repetidas: {lines}" },
  line_without_id: { en: "no.\u00a0{line} (without line_id)", es: "n.º\u00a0{line} (sin line_id)" },
  attest_or_send_full: {
    en: "request a full invoice or add simplified_attestation covering every line",
    es: "pide una factura completa o añade simplified_attestation con todas sus líneas",
  },
  take_back_and_send_full: {
    en: "take it back whole with an R5 and issue a full invoice of the sale",
    es: "devuélvela entera con una R5 y emite una factura completa de la venta",
  },
  authorisation: { en: "number {number}, limit {limit}", es: "número {number}, límite {limit}" },
  no_authorisation: { en: "none", es: "ninguna" },

  // Invoices that act on others
  issued_here_otherwise: {
    en: "it was issued through this connection, and {found}",
    es: "se emitió por esta conexión y {found}",
  },
  member_is: { en: "its {member} is {value}", es: "su {member} es {value}" },
  correct_or_cite: {
    en: "correct what you state of it, or cite it by its external_id “{external_id}”",
    es: "corrige lo que indicas de ella o cítala por su external_id «{external_id}»",
  },
  issued_for_order: {
    en: "it was issued for the order “{order}” of this connection",
    es: "se emitió por el pedido «{order}» de esta conexión",
  },
  correct_in_order: {
    en: "correct it through that order, with its correction_events",
    es: "rectifícala desde ese pedido, con sus correction_events",
  },
  issued_through: {
    en: "it was issued through the connection “{connection}” of this issuer",
    es: "se emitió por la conexión «{connection}» del mismo emisor",
  },
  correct_there: { en: "correct it through that connection", es: "rectifícala desde esa conexión" },
  not_in_books: {
    en: "no invoice of this connection has that number",
    es: "ninguna factura de esta conexión tiene ese número",
  },
  correct_number: {
    en: "correct the number, or cite the invoice by its external_id",
    es: "corrige el número o cita la factura por su external_id",
  },
  send_its_recipient: { en: "send its recipient", es: "envía su mismo destinatario" },
  send_its_recipient_or_substitute: {
    en: "send its recipient, or rectify by substitution if that one was wrong",
    es: "envía su mismo destinatario o, si era otro, rectifica por sustitución",
  },
  period_beside_invoices: {
    en: "it takes the place of rectifies, and both were sent",
    es: "ocupa el lugar de rectifies y se han enviado los dos",
  },
  keep_one: { en: "leave one of the two out", es: "quita uno de los dos" },
  period_reversed: { en: "it begins after its end", es: "empieza después de terminar" },
  period_not_over: { en: "its last day is in the future", es: "su último día es posterior a hoy" },
  period_dates_operation: {
    en: "its last day, {date}, is the operation date, and another one was sent",
    es: "su último día, {date}, es la fecha de operación y se ha enviado otra",
  },
  correct_period: { en: "correct rectified_period", es: "corrige rectified_period" },
  remove_operation_date: { en: "leave operation_date out", es: "quita operation_date" },
  cited_twice: { en: "it is cited twice", es: "se cita dos veces" },
  cite_once: { en: "cite it once", es: "cítala una sola vez" },
  issued_in_future: {
    en: "its issue date is in the future",
    es: "su fecha de expedición es posterior a hoy",
  },
  correct_issue_date: { en: "correct its issue_date", es: "corrige su issue_date" },
  corrected: { en: "corrected", es: "rectificada" },
  substituted: { en: "substituted", es: "sustituida" },
  replaced: { en: "replaced", es: "sustituida" },
  by_difference: { en: "{invoice_type} by difference", es: "{invoice_type} por diferencias" },
  send_full: {
    en: "send one of R1 to R4 with art6_full",
    es: "envía una de R1 a R4 con art6_full",
  },
  send_qualified: {
    en: "send one of R1 to R4 with art7_simplified and qualified_simplified_art_7_2_3",
    es: "envía una de R1 a R4 con art7_simplified y qualified_simplified_art_7_2_3",
  },
  send_simplified: {
    en: "send R5 with art7_simplified, or F3 to replace it",
    es: "envía R5 con art7_simplified, o F3 para sustituirla",
  },
  send_without_recipient: {
    en: "send R5 with art6_full and no_recipient_article_6_1_d",
    es: "envía R5 con art6_full y no_recipient_article_6_1_d",
  },
  send_r1_to_r4: { en: "send one of R1 to R4", es: "envía una de R1 a R4" },
  send_r5_or_f3: { en: "send R5, or F3 to replace it", es: "envía R5, o F3 para sustituirla" },
  cite_the_corrected: {
    en: "cite the invoice that {reference} corrects",
    es: "cita la factura rectificada por {reference}",
  },
  cites_full: { en: "F1, F3 or R1 to R4 with art6_full", es: "F1, F3 o R1 a R4 con art6_full" },
  cites_qualified: {
    en: "F1 or R1 to R4 with qualified_simplified_art_7_2_3",
    es: "F1 o R1 a R4 con qualified_simplified_art_7_2_3",
  },
  cites_simplified: { en: "F2 or R5 with art7_simplified", es: "F2 o R5 con art7_simplified" },
  cites_without_recipient: {
    en: "F2 or R5 with no_recipient_article_6_1_d",
    es: "F2 o R5 con no_recipient_article_6_1_d",
  },
  cites_replaceable: {
    en: "F2 with art7_simplified and its R5",
    es: "F2 con art7_simplified y sus R5",
  },
  cites_no_part: {
    en: "invoices that are not by difference themselves",
    es: "facturas que no sean a su vez por diferencias",
  },
  invoice_corrected_by: {
    en: "the invoice that {number} corrects",
    es: "la factura rectificada por {number}",
  },
  amounts: { en: "{base} + {tax}", es: "{base} + {tax}" },
  amounts_of_margin: { en: "price {price}, margin {margin}", es: "precio {price}, margen {margin}" },
  outside_margin: { en: "{amount} beside the margin", es: "{amount} fuera del margen" },
  of_margin: { en: "{amount} of margin", es: "{amount} de margen" },
  amounts_with_surcharge: { en: "{base} + {tax} + {surcharge}", es: "{base} + {tax} + {surcharge}" },
  amounts_at: { en: "{rate}: {amounts}", es: "{rate}: {amounts}" },
  correct_rest_or_cancel: {
    en: "correct what remains, or cancel {successor} first, if it should not exist either",
    es: "rectifica lo que quede o anula antes {successor}, si tampoco debió existir",
  },
  undone: { en: "undone", es: "deshecha" },
  followed: { en: "followed", es: "continuada" },
  act_on: { en: "act on {successor}", es: "actúa sobre {successor}" },
  correct_its_tickets: {
    en:
      "to correct amounts, send an R5 by difference of the simplified invoice and then an F3 of that R5; " +
      "if it named the wrong recipient, undo it with an F3 of exactly minus its amounts and issue another",
    es:
      "para corregir importes, envía una R5 por diferencias de la factura simplificada y después una F3 de " +
      "esa R5; si el destinatario era otro, deshazla con una F3 de exactamente menos sus importes y emite " +
      "otra",
  },
  cites_no_f3: {
    en: "full invoices that are not F3",
    es: "facturas completas que no sean F3",
  },
  undo_f3: {
    en:
      "if {successor} should be another, undo it first with an F3 of exactly minus its amounts that cites " +
      "the same simplified invoices",
    es:
      "si {successor} debía ser otra, deshazla antes con una F3 de exactamente menos sus importes que cite " +
      "las mismas simplificadas",
  },
  replace_again: {
    en: "issue a new F3 of the simplified invoices, if they are to be replaced",
    es: "emite una F3 nueva de las facturas simplificadas, si deben sustituirse",
  },
  send_by_difference: {
    en: "send an R5 by difference and then an F3 of that R5",
    es: "envía una R5 por diferencias y después una F3 de esa R5",
  },
  rectify_apart: {
    en: "send one R5 for the simplified invoices of each F3, because each R5 is followed by an F3 of its own",
    es: "envía una R5 por las simplificadas de cada F3, porque a cada R5 le sigue una F3 propia",
  },
  undo_both: {
    en:
      "undo both with one F3 of exactly minus their amounts, or cancel {successor} first, if it should not " +
      "exist either",
    es:
      "deshaz ambas con una F3 de exactamente menos sus importes o anula antes {successor}, si tampoco " +
      "debió existir",
  },
  follow_or_undo: {
    en: "send an R5 and then an F3 of that R5, or cancel {successor} first, if it should not exist either",
    es: "envía una R5 y después una F3 de esa R5, o anula antes {successor}, si tampoco debió existir",
  },
  act_on_successor: {
    en: "correct {successor}, or cancel it first, if it should not exist either",
    es: "rectifica {successor} o anúlala antes, si tampoco debió existir",
  },

  // Orders: facts that the shop left out, declarations of the owner, missing members of a client
  not_stated: { en: "not stated", es: "sin indicar" },
  amount_not_stated: { en: "an amount not stated", es: "un importe sin indicar" },
  an_owner: { en: "An owner", es: "un titular" },
  at_rate: { en: "at {rate}", es: "al {rate}" },
  all_at_rate: { en: "everything at {rate}", es: "todo lo que va al {rate}" },
  in_all: { en: "in all", es: "en total" },
  payment: { en: "means of payment", es: "medio de pago" },
  discount: { en: "discount", es: "descuento" },
  fee: { en: "fee with tax", es: "recargo con impuesto" },
  multi_purpose: {
    en: "multi-purpose (taxed when used)",
    es: "polivalentes (el impuesto se paga al usarlas)",
  },
  single_purpose: {
    en: "single-purpose (taxed when sold)",
    es: "univalentes (el impuesto se paga al venderlas)",
  },
  peninsula: { en: "the mainland and Balearics", es: "la Península y Baleares" },
  canarias: { en: "the Canaries", es: "Canarias" },
  ceuta_melilla: { en: "Ceuta and Melilla", es: "Ceuta y Melilla" },
  ceuta: { en: "Ceuta", es: "Ceuta" },
  melilla: { en: "Melilla", es: "Melilla" },
  eu_consumer: { en: "consumers in the EU", es: "consumidores de la UE" },
  eu_business: { en: "businesses in the EU", es: "empresas de la UE" },
  outside_eu: { en: "buyers outside the EU", es: "compradores de fuera de la UE" },
  other_spanish: { en: "other parts of Spain", es: "otras partes de España" },
  oss: { en: "the one-stop shop (OSS)", es: "la ventanilla única (OSS)" },
  intra_community: { en: "an intra-Community supply", es: "la entrega intracomunitaria" },
  not_located: { en: "a sale not located here", es: "la no sujeción por localización" },
  export: { en: "an export", es: "la exportación" },
  domestic: { en: "a domestic sale", es: "la venta nacional" },
  no_rate_known: { en: "none that is known", es: "ninguno conocido" },
  northern_ireland: { en: "Northern Ireland", es: "Irlanda del Norte" },
  azores: { en: "the Azores", es: "las Azores" },
  madeira: { en: "Madeira", es: "Madeira" },
  corsica: { en: "Corsica", es: "Córcega" },
  aegean_islands: {
    en: "the Aegean islands with reduced rates",
    es: "las islas del Egeo con tipos rebajados",
  },
  jungholz_mittelberg: { en: "Jungholz and Mittelberg", es: "Jungholz y Mittelberg" },
  heligoland: { en: "Heligoland", es: "Heligoland" },
  busingen: { en: "Büsingen", es: "Büsingen" },
  livigno: { en: "Livigno", es: "Livigno" },
  campione: { en: "Campione d'Italia", es: "Campione de Italia" },
  mount_athos: { en: "Mount Athos", es: "el Monte Athos" },
  vat_number: { en: "the tax ID", es: "el NIF" },
  first_name: { en: "the first name", es: "el nombre" },
  last_name: { en: "the last name", es: "el apellido" },
  company: { en: "the company name", es: "la razón social" },
  address1: { en: "the address", es: "la dirección" },
  postcode: { en: "the postcode", es: "el código postal" },
  city: { en: "the city", es: "la población" },
  country: { en: "the country", es: "el país" },
  tax_rate: { en: "the tax rate", es: "el tipo de impuesto" },
  tax_lines: { en: "the tax of the lines", es: "el impuesto de las líneas" },
  tax_totals: { en: "the totals by tax rate", es: "los totales por tipo de impuesto" },
  discounts: { en: "the discounts", es: "los descuentos" },
  transactions: { en: "the payments", es: "los cobros" },
  refund_above_paid: { en: "a refund above what was paid", es: "un reembolso mayor que lo pagado" },
  id: { en: "the identifier", es: "el identificador" },
  order_date: { en: "the date of the order", es: "la fecha del pedido" },
  total: { en: "the total", es: "el total" },
  currency: { en: "the currency", es: "la moneda" },
  amount: { en: "an amount", es: "un importe" },
  lines: { en: "the lines of the order", es: "las líneas del pedido" },
  pages: { en: "a part of the list of the order", es: "una parte de la lista del pedido" },
  taxes_included: {
    en: "whether prices include tax",
    es: "si los precios llevan el impuesto incluido",
  },
  unmapped_total: { en: "an amount of unknown meaning", es: "un importe de significado desconocido" },
  time_zone: { en: "the shop’s time zone", es: "la zona horaria de la tienda" },
  order: { en: "the order itself", es: "el propio pedido" },

  // Owners only
  issuer_name: { en: "the name of your company", es: "el nombre de tu empresa" },
  description_text: { en: "the description", es: "la descripción" },
  recipient_name: { en: "the customer’s name", es: "el nombre del cliente" },
  rectify_by_substitution: {
    en: "rectify the invoice by substitution, with the right recipient",
    es: "rectifica la factura por sustitución, con el destinatario correcto",
  },
  reverse_through_order: {
    en:
      "have the shop cancel the order, which takes the invoice back, and send a new one with the right " +
      "client",
    es: "cancela el pedido en la tienda, lo que rectifica la factura, y envía otro con el cliente correcto",
  },
  rates_not_in_force: {
    en: "some rate of the invoice was not in force on that day",
    es: "ese día no estaba vigente alguno de los tipos de la factura",
  },
  foral_territory: {
    en: "its registered address is in {province}, a foral territory",
    es: "su domicilio fiscal está en {province}, que es territorio foral",
  },
  signature_unreadable: {
    en: "The file is no CAdES signature",
    es: "El archivo no es una firma CAdES",
  },
  signature_of_other_text: {
    en: "Another text was signed",
    es: "Se ha firmado otro texto",
  },
  signature_broken: {
    en: "The signature does not verify",
    es: "La firma no es correcta",
  },
  signature_weak: {
    en: "The certificate or the signature uses SHA-1 or a short key, where SHA-256 and 2048 bits are wanted",
    es: "El certificado o la firma usan SHA-1 o una clave corta: hacen falta SHA-256 y 2048 bits",
  },
  signature_untrusted: {
    en: "The certificate is of no issuer of the Spanish trusted list",
    es: "El certificado no es de un prestador de la lista de confianza española",
  },
  signature_out_of_time: {
    en: "The certificate has expired or is not valid yet",
    es: "El certificado ha caducado o aún no es válido",
  },
  signature_unqualified: {
    en: "The certificate is not a qualified one for signatures or seals",
    es: "El certificado no es cualificado de firma o de sello",
  },
  signature_revoked: {
    en: "The certificate is revoked",
    es: "El certificado está revocado",
  },
  signature_revocation_unknown: {
    en: "Its issuer did not say whether the certificate is revoked, so it does not count now",
    es: "Su prestador no ha dicho si el certificado está revocado y por eso ahora no vale",
  },
  signature_without_nif: {
    en: "The certificate names no NIF",
    es: "El certificado no lleva ningún NIF",
  },
  signature_of_another: {
    en: "The certificate is of {nif} and not of this company",
    es: "El certificado es de {nif} y no de esta empresa",
  },
  quota_companies: {
    en: "You have {most} companies that are not verified; verify one of them before you open another",
    es: "Tienes {most} empresas sin verificar; verifica alguna antes de abrir otra",
  },
  quota_companies_day: {
    en: "You have opened {most} companies within a day; open the next one later",
    es: "Ya son {most} empresas abiertas en un día; abre la siguiente más tarde",
  },
  quota_drafts: {
    en: "There are {most} drafts, and there may be no more; issue or discard one of them",
    es: "Hay {most} borradores y no puede haber más; emite o descarta alguno",
  },
  quota_connections: {
    en: "The company has {most} connections, and there may be no more; use one of them",
    es: "La empresa tiene {most} conexiones y no puede haber más; usa una de ellas",
  },
  quota_connections_for_tests: {
    en: "The company has {most} connections for tests; use one of them, or verify the company",
    es: "La empresa tiene {most} conexiones de pruebas; usa una de ellas o verifica la empresa",
  },
  quota_invitations_hour: {
    en: "You have sent {most} invitations within an hour; send the next one later",
    es: "Ya son {most} invitaciones en una hora; envía la siguiente más tarde",
  },
  quota_invitations_day: {
    en: "You have sent {most} invitations within a day; send the next one later",
    es: "Ya son {most} invitaciones en un día; envía la siguiente más tarde",
  },
  quota_open_invitations: {
    en:
      "The company is not verified and has {most} open invitations; withdraw one of them, or verify the " +
      "company",
    es:
      "La empresa está sin verificar y tiene {most} invitaciones abiertas; retira alguna o verifica la " +
      "empresa",
  },
  quota_people: {
    en: "The company has {most} people, open invitations counted; one of them has to leave first",
    es: "La empresa tiene ya {most} personas, con las invitaciones abiertas; antes tiene que salir alguna",
  },
  quota_receiver_day: {
    en: "That address was sent {most} invitations within a day; invite it again later",
    es: "A esa dirección se le han enviado {most} invitaciones en un día; invítala más tarde",
  },
  quota_proof_texts: {
    en: "You have asked for {most} texts to sign within a day; sign the last one, or ask again later",
    es: "Ya son {most} textos pedidos en un día; firma el último o pide otro más tarde",
  },
  quota_proofs: {
    en: "You have shown {most} proofs within a day; show another one later",
    es: "Ya son {most} acreditaciones enviadas en un día; envía otra más tarde",
  },
  books_in_sii: {
    en: "the company keeps its VAT books through the SII",
    es: "la empresa lleva los libros de IVA por el SII",
  },

  // Why an order was erased
  order_asked: {
    en: "its data were erased, and only its owner can admit it again, in the console",
    es: "sus datos se suprimieron, y solo el titular puede volver a admitirlo, en la consola",
  },
  order_aged: {
    en: "two years had passed without a change, and only its owner can admit it again, in the console",
    es: "pasaron dos años sin cambios, y solo el titular puede volver a admitirlo, en la consola",
  },
  order_retention: {
    en: "its invoice is not kept any longer, and it is not invoiced a second time",
    es: "su factura ya no se conserva, y no se factura por segunda vez",
  },
};
