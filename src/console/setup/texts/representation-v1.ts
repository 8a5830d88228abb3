import type { Language } from "../../../words/words.ts";
import type { LegalText } from "./legal-text.ts";

export const CAPACITIES = ["self_employed", "director", "attorney"] as const;
export type Capacity = (typeof CAPACITIES)[number];

export interface RepresentationFacts {
  readonly legalName: string;
  readonly nif: string;
  readonly address: string;
  readonly representative: string;
  readonly representativeNif: string;
  readonly signer: string;
  readonly signerNif: string;
  readonly capacity: Capacity;
  /** The document that proves an attorney's power. */
  readonly power: string;
  readonly product: string;
  /** A long date, with the name of the month. */
  readonly date: string;
}

const CAPACITY_WORDS: Readonly<Record<Language, Readonly<Record<Capacity, string>>>> = {
  es: {
    self_employed: "titular (autónomo)",
    director: "administrador o administradora",
    attorney: "apoderado o apoderada",
  },
  en: { self_employed: "owner (self-employed)", director: "director", attorney: "attorney-in-fact" },
};

/**
 * The grant that lets the representative submit the records (Resolución of 18-12-2024, BOE 31-12-2024). The
 * Spanish text is binding and stored; the English text is a translation.
 */
export function representationTextV1(facts: RepresentationFacts, language: Language): LegalText {
  const { intro, clauses } = language === "es" ? spanish(facts) : english(facts);
  return { version: "1", language, intro, clauses };
}

function spanish(facts: RepresentationFacts): Pick<LegalText, "intro" | "clauses"> {
  const { legalName, nif, address, signer, signerNif, capacity, power, product, date } = facts;
  const proof = power === "" ? "" : `, según ${power}`;
  return {
    intro:
      `${signer}, con NIF ${signerNif}, en calidad de ${CAPACITY_WORDS.es[capacity]}${proof} de ${legalName}, ` +
      `con NIF ${nif} y domicilio fiscal en ${address}, otorga representación a ${facts.representative}, con ` +
      `NIF ${facts.representativeNif}, colaborador social de la Agencia Estatal de Administración Tributaria ` +
      "(AEAT), en estos términos:",
    clauses: [
      {
        title: "Alcance.",
        body:
          "Presentar por vía electrónica ante la AEAT, en nombre del representado, los registros de " +
          `facturación de alta y de anulación que genera ${product}, consultar los presentados y recibir las ` +
          "respuestas. La representación no comprende ningún otro trámite.",
      },
      {
        title: "Datos.",
        body:
          "El representado autoriza a que se traten los datos de esos registros solo para presentarlos y " +
          "responde de que son ciertos.",
      },
      {
        title: "Duración.",
        body:
          "Vale desde hoy hasta que se revoque. La revocación puede hacerse en cualquier momento en Empresa › " +
          "Representación y pone fin a la presentación desde ese instante.",
      },
      {
        title: "Acreditación.",
        body:
          "El representante conserva este documento y lo pone a disposición de la AEAT cuando se le " +
          "requiera.",
      },
      {
        title: "Fecha y firma.",
        body: `Firmado electrónicamente el ${date} por ${signer}, NIF ${signerNif}.`,
      },
    ],
  };
}

function english(facts: RepresentationFacts): Pick<LegalText, "intro" | "clauses"> {
  const { legalName, nif, address, signer, signerNif, capacity, power, product, date } = facts;
  const proof = power === "" ? "" : `, as proved by ${power}`;
  return {
    intro:
      `${signer}, tax ID ${signerNif}, acting as ${CAPACITY_WORDS.en[capacity]}${proof} of ${legalName}, tax ` +
      `ID ${nif}, registered at ${address}, grants representation to ${facts.representative}, tax ID ` +
      `${facts.representativeNif}, a registered filing agent of the Spanish Tax Agency (AEAT), on these terms:`,
    clauses: [
      {
        title: "Scope.",
        body:
          "To file electronically with the AEAT, in the name of the represented, the billing records of issue " +
          `and cancellation that ${product} creates, to query those filed, and to receive the answers. The ` +
          "representation covers nothing else.",
      },
      {
        title: "Data.",
        body:
          "The represented allows the data of those records to be processed for filing them only, and answers " +
          "for their truth.",
      },
      {
        title: "Duration.",
        body:
          "From today until it is revoked, which can be done at any time in Company › Representation and ends " +
          "the filing from that instant.",
      },
      {
        title: "Proof.",
        body: "The representative keeps this document and shows it to the AEAT on demand.",
      },
      {
        title: "Date and signature.",
        body: `Signed electronically on ${date} by ${signer}, tax ID ${signerNif}.`,
      },
    ],
  };
}
