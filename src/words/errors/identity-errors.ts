import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals of signing in, and of the account of a person. */
export const IDENTITY_ERRORS = {
  credentials_wrong: {
    status: 401,
    retryable: false,
    sentence: {
      en: "The e-mail or the password is not right; correct them, or choose a new password by mail.",
      es: "El correo o la contraseña no son correctos; corrígelos o elige otra contraseña por correo.",
    },
  },
  second_factor_required: {
    status: 401,
    retryable: false,
    sentence: {
      en: "Write the 6-digit code that your app shows, or one of your recovery codes.",
      es: "Escribe el código de 6 cifras que muestra tu aplicación, o uno de tus códigos de recuperación.",
    },
  },
  code_wrong: invalid({
    en: "The code is not right or was used already; write the one that your app shows now.",
    es: "El código no es correcto o ya se ha usado; escribe el que muestra ahora tu aplicación.",
  }),
  second_factor_on: conflict({
    en: "Two-step verification is on already; switch it off first to set up another app.",
    es: "La verificación en dos pasos ya está activada; desactívala antes de preparar otra aplicación.",
  }),
  second_factor_off: conflict({
    en: "Two-step verification is off already; load the page again.",
    es: "La verificación en dos pasos ya está desactivada; vuelve a cargar la página.",
  }),
  set_up_ended: conflict({
    en: "That QR code no longer counts; begin again with the new one.",
    es: "Ese código QR ya no vale; empieza otra vez con el nuevo.",
  }),
  sign_in_again: {
    status: 403,
    retryable: false,
    sentence: {
      en: "To change this we need to be sure that it is you; sign in again and repeat it.",
      es: "Para cambiar esto necesitamos estar seguros de que eres tú; entra otra vez y repítelo.",
    },
  },
  too_many_attempts: {
    status: 429,
    retryable: true,
    sentence: {
      en: "Too many attempts; wait {seconds} seconds and try again.",
      es: "Demasiados intentos; espera {seconds} segundos y prueba otra vez.",
    },
  },
  too_many_mails: {
    status: 429,
    retryable: true,
    sentence: {
      en:
        "We have mailed several links to this address already; open the last one, or wait {seconds} " +
        "seconds.",
      es:
        "Ya hemos enviado varios enlaces a este correo; abre el último, o espera {seconds} segundos y pide " +
        "otro.",
    },
  },
  link_ended: conflict({
    en: "The link has expired or was used already; ask for another.",
    es: "El enlace ha caducado o ya se usó; pide otro.",
  }),
  person_name_invalid: invalid({
    en: "Write your name, in one line of 120 characters at most.",
    es: "Escribe tu nombre, en una línea de 120 caracteres como máximo.",
  }),
  email_invalid: invalid({
    en: "That is no e-mail address; write it whole, like name@company.com.",
    es: "Eso no es una dirección de correo; escríbela completa, como nombre@empresa.es.",
  }),
  password_too_short: invalid({
    en: "The password is too short; use twelve characters or more. A long phrase is fine.",
    es: "La contraseña es demasiado corta; usa doce caracteres o más. Una frase larga vale.",
  }),
  password_too_long: invalid({
    en: "The password is too long; use 128 characters at most.",
    es: "La contraseña es demasiado larga; usa 128 caracteres como máximo.",
  }),
  password_guessable: invalid({
    en:
      "That password is easy to guess; use several words that do not go together, without your name or " +
      "your e-mail.",
    es:
      "Esa contraseña es fácil de adivinar; usa varias palabras que no vayan juntas, sin tu nombre ni tu " +
      "correo.",
  }),
  password_wrong: invalid({
    en: "The current password is not right; correct it.",
    es: "La contraseña actual no es correcta; corrígela.",
  }),
  passkey_refused: invalid({
    en: "The passkey could not be verified; try again or use your password.",
    es: "No hemos podido comprobar la llave de acceso; prueba otra vez o usa tu contraseña.",
  }),
  too_many_passkeys: conflict({
    en: "There are {limit} passkeys already; remove one that you no longer use.",
    es: "Ya hay {limit} llaves de acceso; quita alguna que ya no uses.",
  }),
  email_mismatch: invalid({
    en: "That is not the e-mail of your access; write it as it stands above.",
    es: "Ese no es el correo de tu acceso; escríbelo como aparece arriba.",
  }),
  sole_owner: conflict({
    en: "You are the only owner of the company with tax ID {nif}. First name another owner.",
    es: "Eres el único titular de la empresa con NIF {nif}. Antes nombra a otro titular.",
  }),
} as const satisfies Record<string, ErrorRow>;
