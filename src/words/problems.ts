import type { Language } from "./language.ts";
import type { Words } from "./rows.ts";
import { type Facts, sentence } from "./sentence.ts";

/** Codes used in `details` of `validation_failed`. */
export const DETAIL_CODES = [
  "unknown_field",
  "unknown_parameter",
  "repeated_parameter",
  "object_expected",
  "required",
  "wrong_type",
  "too_short",
  "too_long",
  "number_out_of_range",
  "not_allowed",
  "control_character",
  "not_trimmed",
  "duplicate_line_id",
  "duplicate_reference",
  "invalid_date",
  "invalid_value",
] as const;
export type DetailCode = (typeof DETAIL_CODES)[number];

interface ProblemRow extends Words {
  readonly code: DetailCode;
}

/** The possible faults of one value. Some codes have several causes, each with its own sentence. */
export const PROBLEMS = {
  unknownField: {
    code: "unknown_field",
    sentence: {
      en: "The field “{path}” does not exist; remove it or correct its name.",
      es: "El campo «{path}» no existe; quítalo o corrige su nombre.",
    },
  },
  unknownParameter: {
    code: "unknown_parameter",
    sentence: {
      en: "The parameter “{path}” does not exist here; remove it or write one of these: {allowed}.",
      es: "El parámetro «{path}» no existe aquí; quítalo o escribe uno de estos: {allowed}.",
    },
  },
  noParameters: {
    code: "unknown_parameter",
    sentence: {
      en: "The parameter “{path}” does not exist here, where there are none; remove it.",
      es: "El parámetro «{path}» no existe aquí, donde no hay ninguno; quítalo.",
    },
  },
  repeatedParameter: {
    code: "repeated_parameter",
    sentence: {
      en: "The parameter “{path}” is given more than once; send it once.",
      es: "El parámetro «{path}» está más de una vez; envíalo una sola vez.",
    },
  },
  bodyNotObject: {
    code: "object_expected",
    sentence: {
      en: "The body must be an object, in braces; send one.",
      es: "El cuerpo debe ser un objeto, entre llaves; envía uno.",
    },
  },
  objectExpected: {
    code: "object_expected",
    sentence: {
      en: "“{path}” must be an object, in braces; correct it.",
      es: "«{path}» debe ser un objeto, entre llaves; corrígelo.",
    },
  },
  required: {
    code: "required",
    sentence: { en: "“{path}” is missing; add it.", es: "Falta «{path}»; añádelo." },
  },
  wrongType: {
    code: "wrong_type",
    sentence: { en: "“{path}” must be {expected}.", es: "«{path}» debe ser {expected}." },
  },
  empty: {
    code: "too_short",
    sentence: { en: "“{path}” is empty; give it a value.", es: "«{path}» está vacío; dale un valor." },
  },
  tooLong: {
    code: "too_long",
    sentence: {
      en: "“{path}” has more than {maximum} {unit}; shorten it.",
      es: "«{path}» tiene más de {maximum} {unit}; acórtalo.",
    },
  },
  tooManyDigits: {
    code: "number_out_of_range",
    sentence: {
      en: "The number in “{path}” has more than 12 integer digits or 6 decimals; round it.",
      es: "El número de «{path}» tiene más de 12 cifras enteras o de 6 decimales; redondéalo.",
    },
  },
  outOfLimits: {
    code: "number_out_of_range",
    sentence: {
      en: "The number in “{path}” must be between {minimum} and {maximum}; correct it.",
      es: "El número de «{path}» debe estar entre {minimum} y {maximum}; corrígelo.",
    },
  },
  zero: {
    code: "number_out_of_range",
    sentence: {
      en: "The number in “{path}” must not be 0; correct it or remove the line.",
      es: "El número de «{path}» no puede ser 0; corrígelo o quita la línea.",
    },
  },
  notPositive: {
    code: "number_out_of_range",
    sentence: {
      en: "The number in “{path}” must be greater than 0; correct it or remove what it belongs to.",
      es: "El número de «{path}» debe ser mayor que 0; corrígelo o quita aquello a lo que pertenece.",
    },
  },
  notAllowed: {
    code: "not_allowed",
    sentence: { en: "“{path}” must be one of {allowed}.", es: "«{path}» debe ser uno de estos: {allowed}." },
  },
  notHere: {
    code: "not_allowed",
    sentence: {
      en: "“{path}” does not go with {invoice_type}; remove it or correct invoice_type.",
      es: "«{path}» no va con {invoice_type}; quítalo o corrige invoice_type.",
    },
  },
  notWithArticle42: {
    code: "not_allowed",
    sentence: {
      en: "“{path}” does not go with legal_basis article_4_2; remove it or correct legal_basis.",
      es: "«{path}» no va con legal_basis article_4_2; quítalo o corrige legal_basis.",
    },
  },
  notWithSubstitution: {
    code: "not_allowed",
    sentence: {
      en: "“{path}” does not go with substitution; send rectification_method difference.",
      es: "«{path}» no va con la sustitución; envía rectification_method difference.",
    },
  },
  goesWith: {
    code: "not_allowed",
    sentence: {
      en: "“{path}” goes only with {members}; remove it, or send what it goes with.",
      es: "«{path}» solo va con {members}; quítalo o envía aquello con lo que va.",
    },
  },
  controlCharacter: {
    code: "control_character",
    sentence: {
      en: "“{path}” contains control characters or broken Unicode; remove them.",
      es: "«{path}» contiene caracteres de control o Unicode roto; quítalos.",
    },
  },
  notTrimmed: {
    code: "not_trimmed",
    sentence: {
      en: "“{path}” begins or ends with spaces; remove them.",
      es: "«{path}» empieza o termina con espacios; quítalos.",
    },
  },
  duplicateReference: {
    code: "duplicate_reference",
    sentence: {
      en: "“{path}” cites an invoice that is cited before; remove it.",
      es: "«{path}» cita una factura ya citada; quítala.",
    },
  },
  duplicateLineId: {
    code: "duplicate_line_id",
    sentence: {
      en: "“{path}” repeats “{line_id}”; give each line a line_id of its own.",
      es: "«{path}» repite «{line_id}»; da a cada línea su propio line_id.",
    },
  },
  invalidDate: {
    code: "invalid_date",
    sentence: {
      en: "“{path}” is not a day of the calendar; write it as YYYY-MM-DD.",
      es: "«{path}» no es un día del calendario; escríbelo como AAAA-MM-DD.",
    },
  },
  invalidValue: {
    code: "invalid_value",
    sentence: {
      en: "“{path}” is not valid: it must be {expected}.",
      es: "«{path}» no vale: debe ser {expected}.",
    },
  },
} as const satisfies Record<string, ProblemRow>;

export type ProblemKind = keyof typeof PROBLEMS;

/** One fault of a value, before it becomes a sentence. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly facts?: Facts;
}

/** The sentence of a problem; the place is one of its facts. */
export function problemSentence({ kind, facts }: Problem, path: string, language: Language): string {
  return sentence(PROBLEMS[kind].sentence, { ...facts, path }, language);
}
