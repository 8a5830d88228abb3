import type { DeclarationRefusalCode } from "../../domain/billing/declarations.ts";
import type { ConsentRefusal } from "../../domain/connection/consent.ts";
import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals of an owner's declarations. */
export const DECLARATION_ERRORS = {
  // Profiles and their stems
  profile_name_invalid: invalid({
    en: "Give the profile a name of 1 to 60 characters.",
    es: "Pon al perfil un nombre de 1 a 60 caracteres.",
  }),
  profile_name_taken: conflict({
    en: "There is a profile called “{name}” already; choose another name.",
    es: "Ya hay un perfil llamado «{name}»; elige otro nombre.",
  }),
  channel_invalid: invalid({
    en: "A channel has 1 to 32 characters, as the shop sends it; correct it.",
    es: "Un canal tiene de 1 a 32 caracteres, tal como lo envía la tienda; corrígelo.",
  }),
  profile_takes_everything: invalid({
    en: "A profile takes the orders of a channel, a shop, or both; choose one at least.",
    es: "Un perfil recoge los pedidos de un canal, de una tienda o de las dos cosas; elige al menos una.",
  }),
  profile_match_taken: conflict({
    en:
      "The profile “{profile}” takes the same orders, which would then be held; choose another channel " +
      "or shop.",
    es:
      "El perfil «{profile}» recoge los mismos pedidos y quedarían en espera; elige otro canal u otra " +
      "tienda.",
  }),
  stem_of_profiles: conflict({
    en: "The orders of this connection are numbered by its profiles; change the stem of the profile.",
    es: "Los pedidos de esta conexión se numeran con sus perfiles; cambia la raíz del perfil.",
  }),
  stem_numbered: conflict({
    en: "Invoices have been issued with {stem}, so the stem cannot be changed any more.",
    es: "Ya se han emitido facturas con {stem} y la raíz no se puede cambiar.",
  }),
  stem_invalid: invalid({
    en:
      "A stem has capital letters without accents, digits, points and hyphens, and begins and ends with a " +
      "letter or a digit; correct it.",
    es:
      "Una raíz lleva mayúsculas sin acentos, cifras, puntos y guiones, y empieza y acaba en letra o " +
      "cifra; " +
      "corrígela.",
  }),
  stem_reserved: invalid({
    en: "A stem cannot begin with API- or PED-; choose another.",
    es: "Una raíz no puede empezar por API- ni por PED-; elige otra.",
  }),
  stem_too_long: invalid({
    en: "The full number would exceed {longest} characters; shorten the stem.",
    es: "El número entero pasaría de {longest} caracteres; acorta la raíz.",
  }),
  stem_taken: conflict({
    en: "The series {series} is already used by “{where}”; choose another stem.",
    es: "La serie {series} ya la usa «{where}»; elige otra raíz.",
  }),

  // Sales, tags, authorisations and the cutoff
  treatment_code_invalid: invalid({
    en: "The code of an amount has 1 to 255 characters, as the shop sends it; correct it.",
    es: "El código de un importe tiene de 1 a 255 caracteres, tal como lo envía la tienda; corrígelo.",
  }),
  fee_rate_not_allowed: invalid({
    en: "{rate} is no rate of {tax_name} (valid: {allowed}); choose the one of the fee {code}.",
    es: "El {rate} no es un tipo de {tax_name} (valen {allowed}); elige el del recargo {code}.",
  }),
  destinations_contradict: invalid({
    en:
      "This destination says “{stated}” and foreign_sales, which speaks of all four, “{foreign_sales}”; " +
      "send one of the two, or the same in both.",
    es:
      "Este destino dice «{stated}» y foreign_sales, que habla de los cuatro, «{foreign_sales}»; envía uno " +
      "de los dos, o lo mismo en ambos.",
  }),
  foreign_sales_not_allowed: invalid({
    en:
      "The one-stop shop and intra-Community supplies are for companies established where IVA applies; " +
      "choose " +
      "domestic or export.",
    es:
      "La ventanilla única y las entregas intracomunitarias son para empresas establecidas donde rige el " +
      "IVA; elige nacional o exportación.",
  }),
  rounding_rate_invalid: invalid({
    en: "A rate is a percentage from 0 to less than 100, with two decimals at most; correct it.",
    es: "Un tipo es un porcentaje de 0 a menos de 100, con dos decimales como mucho; corrígelo.",
  }),
  authorisation_missing: conflict({
    en: "The company has no active authorisation; enter it in Company › Authorisations first.",
    es: "La empresa no tiene ninguna autorización vigente; escríbela antes en Empresa › Autorizaciones.",
  }),
  tag_invalid: invalid({
    en: "A tag has 1 to 255 characters, as the shop sends it; correct it.",
    es: "Una etiqueta tiene de 1 a 255 caracteres, tal como la envía la tienda; corrígela.",
  }),
  too_much_declared: conflict({
    en:
      "This connection has as many profiles, treatments and tag rules as fit; remove some that you no " +
      "longer need.",
    es:
      "Esta conexión ya tiene todos los perfiles, tratamientos y reglas por etiqueta que caben; quita " +
      "alguno que ya no necesites.",
  }),
  authorisation_number_invalid: invalid({
    en: "Give the number of the authorisation, of 1 to 64 characters.",
    es: "Escribe el número de la autorización, de 1 a 64 caracteres.",
  }),
  authorisation_limit_invalid: invalid({
    en: "The limit is an amount in euros above zero, with two decimals at most; correct it.",
    es: "El límite es un importe en euros mayor que cero, con dos decimales como mucho; corrígelo.",
  }),
  agreement_number_invalid: invalid({
    en:
      "The registration number has 1 to {longest} characters without spaces or accents; copy it from the " +
      "AEAT’s letter.",
    es:
      "El número de registro tiene de 1 a {longest} caracteres sin espacios ni acentos; cópialo de la " +
      "resolución de la AEAT.",
  }),
  agreement_number_required: invalid({
    en:
      "Without a registration number an authorisation is worth up to {ceiling}, and its limit is " +
      "{limit}; add " +
      "the number or lower the limit.",
    es:
      "Sin número de registro una autorización vale hasta {ceiling}, y su límite es de {limit}; añade el " +
      "número o baja el límite.",
  }),
  authorisation_active: conflict({
    en: "The authorisation {number} is active and a company has one at a time; close it first.",
    es: "La autorización {number} está vigente y solo puede haber una; ciérrala antes.",
  }),
  authorisation_not_active: conflict({
    en: "The active authorisation is {active}, not {number}; look at it again.",
    es: "La autorización vigente es {active}, no {number}; vuelve a mirarla.",
  }),
  cutoff_too_late: invalid({
    en: "The start date cannot be later than {latest}; choose an earlier one.",
    es: "La fecha de inicio no puede ser posterior al {latest}; elige una anterior.",
  }),

  // Consent to issuing
  issuer_not_eligible: invalid({
    en: "{legal_name} cannot use VERI*FACTU here because {reason}; if that is wrong, correct it in Company.",
    es: "{legal_name} no puede usar VERI*FACTU aquí porque {reason}; si no es así, corrígelo en Empresa.",
  }),
  consent_text_outdated: conflict({
    en:
      "The text has changed since you read it (version {version}); read version {current} and accept " +
      "that one.",
    es: "El texto ha cambiado desde que lo leíste (versión {version}); lee la versión {current} y acéptala.",
  }),
} as const satisfies Partial<Record<DeclarationRefusalCode | ConsentRefusal["code"], ErrorRow>>;
