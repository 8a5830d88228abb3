import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";

/** Everything that the signed grant says of who grants it and to whom. */
export interface GrantFacts {
  readonly legalName: string;
  readonly nif: string;
  readonly address: string;
  readonly signedBy: string;
  readonly signerNif: string;
  readonly capacity: "owner" | "director" | "attorney";
  readonly power?: string;
  readonly representative: string;
  readonly representativeNif: string;
  readonly representativeAddress: string;
  readonly signedOn: CivilDate;
}

export interface GrantPart {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export interface GrantDocument {
  readonly title: string;
  readonly parts: readonly GrantPart[];
  /** The text byte for byte, and its hash: what is signed is this. */
  readonly text: string;
  readonly sha256: string;
}

const TITLE =
  "Representación para la remisión por medios electrónicos de los registros de facturación a la Agencia " +
  "Estatal de Administración Tributaria";

const LONG_DATE = new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" });

const CAPACITIES: Readonly<Record<GrantFacts["capacity"], string>> = {
  owner: "titular de la actividad",
  director: "administrador o administradora de la entidad",
  attorney: "apoderado o apoderada",
};

/** In Spanish always: the text that counts. */
export function grantDocument(facts: GrantFacts): GrantDocument {
  const parts = [grantor(facts), grant(facts), limits(facts), duration(), signature(facts)];
  const blocks = parts.flatMap(({ title, paragraphs }) => [title, ...paragraphs]);
  const text = `${[TITLE, ...blocks].join("\n\n")}\n`;
  return { title: TITLE, parts, text, sha256: sha256Hex(text) };
}

function grantor(facts: GrantFacts): GrantPart {
  const { legalName, nif, address, signedBy, signerNif, capacity, power } = facts;
  const asOwner = `${signedBy}, con NIF ${signerNif}, como ${CAPACITIES[capacity]}`;
  const proved = power === undefined ? "" : `, según el documento que lo acredita (${power})`;
  return {
    title: "Quién otorga la representación",
    paragraphs: [
      `${legalName}, con NIF ${nif} y domicilio fiscal en ${address}, obligado tributario.`,
      `Actúa en su nombre ${asOwner}${proved}.`,
    ],
  };
}

function grant(facts: GrantFacts): GrantPart {
  const { representative, representativeNif, representativeAddress } = facts;
  return {
    title: "A quién y para qué",
    paragraphs: [
      `El obligado tributario otorga su representación a ${representative}, con NIF ${representativeNif} y ` +
        `domicilio en ${representativeAddress}, colaborador social en la aplicación de los tributos.`,
      "La representación comprende la remisión, por medios electrónicos y en la sede electrónica de la " +
        "Agencia Estatal de Administración Tributaria, de los registros de facturación de alta y de " +
        "anulación generados por el sistema informático de facturación del obligado tributario, la " +
        "subsanación de esos registros, la recepción de las respuestas y la consulta de los registros " +
        "remitidos.",
    ],
  };
}

function limits({ representative }: GrantFacts): GrantPart {
  return {
    title: "Qué no comprende",
    paragraphs: [
      `La representación no autoriza a ${representative} a presentar declaraciones ni autoliquidaciones, a ` +
        "acceder a otros datos tributarios, a recibir notificaciones ni a actuar en ningún otro trámite o " +
        "procedimiento.",
      "Los datos de los registros son los que genera el obligado tributario, que responde de su veracidad.",
    ],
  };
}

function duration(): GrantPart {
  return {
    title: "Duración y revocación",
    paragraphs: [
      "La representación vale desde su firma y por tiempo indefinido, hasta que el obligado tributario la " +
        "revoque. La revocación surte efecto desde que se comunica en el propio sistema informático.",
      "El documento se otorga con arreglo al artículo 46 de la Ley 58/2003, de 17 de diciembre, General " +
        "Tributaria, y al modelo aprobado por la Resolución de 18 de diciembre de 2024 de la Dirección " +
        "General de la Agencia Estatal de Administración Tributaria (BOE de 31 de diciembre de 2024).",
      "El representante conserva este documento a disposición de la Agencia Estatal de Administración " +
        "Tributaria, que puede pedirlo en cualquier momento.",
    ],
  };
}

function signature({ signedBy, signerNif, legalName, signedOn }: GrantFacts): GrantPart {
  const day = LONG_DATE.format(Date.parse(signedOn));
  return {
    title: "Firma",
    paragraphs: [
      `${signedBy}, con NIF ${signerNif}, declara que los datos son ciertos y que puede otorgar esta ` +
        `representación en nombre de ${legalName}.`,
      `Firmado electrónicamente el ${day}.`,
    ],
  };
}
