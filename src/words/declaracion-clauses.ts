import type { SoftwareConfig } from "../domain/verifactu/software.ts";

export const DECLARATION_TITLE = "DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN";

export interface Clause {
  readonly letter: string;
  readonly label: string;
  readonly text: string;
}

/** Art. 15.1 Orden HAC/1177/2024, with the values that SistemaInformatico carries. */
export function clausesOf(software: SoftwareConfig): readonly Clause[] {
  return [...systemClauses(software), ...producerClauses(software)];
}

/** Letters a to g of article 15.1. */
function systemClauses({ name, code, version }: SoftwareConfig): readonly Clause[] {
  return [
    { letter: "a", label: "Nombre del sistema informático:", text: name },
    { letter: "b", label: "Código identificador del sistema informático:", text: code },
    { letter: "c", label: "Identificador completo de la versión del sistema informático:", text: version },
    {
      letter: "d",
      label:
        "Componentes, hardware y software, de que consta el sistema informático, junto con una breve " +
        "descripción de lo que hace y de sus principales funcionalidades:",
      text: COMPONENTS,
    },
    {
      letter: "e",
      label:
        "Indicación de si el sistema informático se ha producido de tal manera que, a los efectos de " +
        "cumplir con el Reglamento, solo pueda funcionar exclusivamente como «VERI*FACTU»:",
      text: "Sí. Solo puede funcionar como «VERI*FACTU».",
    },
    {
      letter: "f",
      label:
        "Indicación de si el sistema informático permite ser usado por varios obligados tributarios o por " +
        "un mismo usuario para dar soporte a la facturación de varios obligados tributarios:",
      text: "Sí. Cada obligado tributario tiene su propia cuenta, con sus propias cadenas de registros.",
    },
    {
      letter: "g",
      label:
        "Tipos de firma utilizados para firmar los registros de facturación y de evento en el caso de que " +
        "el sistema informático no sea utilizado como «VERI*FACTU»:",
      text: "No procede: el sistema solo se utiliza como «VERI*FACTU» y no firma los registros.",
    },
  ];
}

/** Letters h to l of article 15.1. */
function producerClauses(software: SoftwareConfig): readonly Clause[] {
  const { producerName, producerNif, producerAddress, declarationDate, declarationPlace } = software;
  // Created on use: it would add ten milliseconds to the start of a Worker.
  const longDate = new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" });
  const day = longDate.format(Date.parse(declarationDate));
  return [
    {
      letter: "h",
      label: "Razón social de la entidad productora del sistema informático:",
      text: producerName,
    },
    {
      letter: "i",
      label: "Número de identificación fiscal (NIF) español de la entidad productora:",
      text: producerNif,
    },
    {
      letter: "j",
      label: "Dirección postal completa de contacto de la entidad productora:",
      text: producerAddress,
    },
    { letter: "k", label: "Declaración de cumplimiento:", text: COMPLIANCE },
    {
      letter: "l",
      label:
        "Fecha (día, mes y año) y lugar (población y país) en que se suscribe esta declaración responsable:",
      text: `${day}, ${declarationPlace}`,
    },
  ];
}

const COMPONENTS =
  "Software: servicio en línea formado por una interfaz de programación (API) y una base de datos, " +
  "que se ejecutan en una plataforma en la nube; el usuario no instala nada. Hardware: ninguno " +
  "propio; basta un programa que llame a la API. El sistema recibe los datos de una operación, expide " +
  "la factura y la numera sin saltos, genera a la vez su registro de facturación de alta o de " +
  "anulación con su huella y encadenado al anterior, lo remite de forma automática, continuada y " +
  "consecutiva a la Agencia Estatal de Administración Tributaria, conserva la respuesta a cada " +
  "registro y avisa de las incidencias de remisión y de los registros que faltan por remitir. Ofrece " +
  "la factura con su código QR, permite subsanar registros y anular facturas expedidas por error, " +
  "comprueba las cadenas completas y exporta los registros y las facturas.";

const COMPLIANCE =
  "La entidad productora del sistema informático a que se refiere esta declaración responsable hace " +
  "constar que dicho sistema informático, en la versión indicada en ella, cumple con lo dispuesto en el " +
  "artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria, en el Reglamento que " +
  "establece los requisitos que deben adoptar los sistemas y programas informáticos o electrónicos que " +
  "soporten los procesos de facturación de empresarios y profesionales, y la estandarización de formatos " +
  "de los registros de facturación, aprobado por el Real Decreto 1007/2023, de 5 de diciembre, en la " +
  "Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de " +
  "Administración Tributaria para todo aquello que complete las especificaciones de dicha orden.";
