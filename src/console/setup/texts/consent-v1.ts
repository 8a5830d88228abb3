import type { Language } from "../../../words/words.ts";
import type { Clause, LegalText } from "./legal-text.ts";

/** The facts that the text mentions. Dates are written out in the text's language. */
export interface ConsentFacts {
  readonly isShop: boolean;
  readonly product: string;
  readonly legalName: string;
  readonly nif: string;
  readonly connection: string;
  readonly cutoffDate: string;
  readonly series: readonly string[];
  readonly year: string;
}

/** Version 1 never changes: a new text is a new file with a new version. */
export function consentTextV1(facts: ConsentFacts, language: Language): LegalText {
  const words = language === "es" ? SPANISH : ENGLISH;
  return { version: "1", language, intro: words.intro(facts), clauses: words.clauses(facts) };
}

interface Words {
  readonly intro: (facts: ConsentFacts) => string;
  readonly clauses: (facts: ConsentFacts) => readonly Clause[];
}

const SPANISH: Words = {
  intro: ({ legalName, nif, product, connection }) =>
    `En nombre de ${legalName}, con NIF ${nif}, acepto que la empresa expida con ${product}, como sistema ` +
    `informático de facturación propio, las facturas de la conexión «${connection}», en estas condiciones:`,
  clauses: (facts) => [
    { title: "Qué se factura.", body: facts.isShop ? shopEs(facts) : apiEs(facts) },
    {
      title: "Numeración.",
      body:
        "Cada factura recibe su serie y su número correlativo en el momento de expedirse. Una factura " +
        "expedida no se modifica ni se borra: se corrige con una rectificativa o, si la operación nunca " +
        `existió, se anula. Declaro que las series ${listed(facts.series, "y")} no se usan en ningún otro ` +
        "programa de la empresa.",
    },
    {
      title: "Registro y envío.",
      body:
        "De cada factura y de cada anulación se genera en ese mismo momento un registro de facturación, " +
        "encadenado con el anterior, que se envía a la Agencia Estatal de Administración Tributaria (AEAT) " +
        "de forma automática y sin demora. Contiene los datos de la empresa, los del cliente cuando la " +
        "factura lo identifica, la fecha, la descripción, las bases, las cuotas y el importe total.",
    },
    {
      title: "Duración.",
      body:
        "Desde que se envía el primer registro, el sistema funciona como «Sistema de emisión de facturas " +
        "verificables» (VERI*FACTU) y ha de seguir funcionando así, al menos, hasta el 31 de diciembre de " +
        `${facts.year}; si se usa después de esa fecha, hasta el 31 de diciembre de cada año en que se use. ` +
        "Para dejarlo hay que comunicarlo a la AEAT antes de que acabe el año.",
    },
    {
      title: "Responsabilidad.",
      body:
        "La empresa es la obligada a facturar. Responde de que los datos que envía su tienda o su programa " +
        "son ciertos y completos y de que lo que declara en este programa se ajusta a sus operaciones.",
    },
    {
      title: "Situación de la empresa.",
      body:
        "Declaro que no lleva los libros registro del IVA por el Suministro Inmediato de Información (SII) " +
        "y que su domicilio fiscal no está en territorio foral (Álava, Bizkaia, Gipuzkoa o Navarra), o que " +
        "le corresponde la normativa común.",
    },
    {
      title: "Retirada.",
      body:
        `Puedo retirar este consentimiento cuando quiera en Conexiones › ${facts.connection} › Facturación. ` +
        "Desde ese momento no se expide ninguna factura ni anulación nueva en esta conexión; los registros " +
        "ya generados se siguen enviando y las facturas expedidas se conservan y se pueden consultar. " +
        "Retirarlo no adelanta el fin de VERI*FACTU ni libera a la empresa de facturar sus ventas por otro " +
        "medio que cumpla la norma.",
    },
    {
      title: "Constancia.",
      body: "Quedan guardados quién acepta, en qué momento, la versión de este texto y la fecha elegida.",
    },
  ],
};

function shopEs({ cutoffDate }: ConsentFacts): string {
  return (
    `Los pedidos de las tiendas elegidas con fecha del ${cutoffDate} o posterior, y las rectificativas que ` +
    "resulten de sus devoluciones y cambios. Cada factura se expide automáticamente, sin que yo la " +
    "confirme, salvo las que el sistema deje en espera y las que yo haya decidido revisar."
  );
}

function apiEs({ cutoffDate }: ConsentFacts): string {
  return (
    "Las facturas que el programa de la empresa pida por la API: cada petición válida expide una factura en " +
    "firme, no un borrador. Los pedidos que envíe esta conexión se facturan si su fecha es del " +
    `${cutoffDate} o posterior; esa fecha no limita las facturas pedidas por la API.`
  );
}

const ENGLISH: Words = {
  intro: ({ legalName, nif, product, connection }) =>
    `On behalf of ${legalName}, tax ID ${nif}, I accept that the company issues the invoices of the ` +
    `connection “${connection}” with ${product}, as its own invoicing system, on these terms:`,
  clauses: (facts) => [
    { title: "What is invoiced.", body: facts.isShop ? shopEn(facts) : apiEn(facts) },
    {
      title: "Numbering.",
      body:
        "Each invoice receives its series and its consecutive number at the moment it is issued. An issued " +
        "invoice is neither changed nor deleted: it is corrected by a corrective invoice or, if the " +
        `transaction never existed, cancelled. I declare that the series ${listed(facts.series, "and")} are ` +
        "not used in any other program of the company.",
    },
    {
      title: "Record and submission.",
      body:
        "For each invoice and each cancellation a billing record is created at that same moment, chained to " +
        "the previous one, and sent to the Spanish Tax Agency (AEAT) automatically and without delay. It " +
        "contains the company’s details, the customer’s where the invoice identifies the customer, the " +
        "date, the description, the taxable amounts, the taxes and the total.",
    },
    {
      title: "Duration.",
      body:
        "From the first record sent, the system works as a “Sistema de emisión de facturas verificables” " +
        `(VERI*FACTU) and must go on doing so at least until 31 December ${facts.year}; if it is used after ` +
        "that date, until 31 December of each year in which it is used. To leave, the AEAT must be told " +
        "before the year ends.",
    },
    {
      title: "Responsibility.",
      body:
        "The company is the one obliged to invoice. It answers for the truth and completeness of the data " +
        "that its shop or program sends, and for what it declares in this program being true of its " +
        "transactions.",
    },
    {
      title: "Situation of the company.",
      body:
        "I declare that it does not keep its VAT books through the SII and that its registered address is " +
        "not in a foral territory (Álava, Bizkaia, Gipuzkoa or Navarre), or that the common rules apply to " +
        "it.",
    },
    {
      title: "Withdrawal.",
      body:
        `I may withdraw this consent at any time in Connections › ${facts.connection} › Invoicing. From then ` +
        "on no new invoice or cancellation is issued on this connection; records already created are still " +
        "sent, and issued invoices are kept and can be consulted. Withdrawing neither ends VERI*FACTU " +
        "earlier nor frees the company from invoicing its sales by another lawful means.",
    },
    { title: "Evidence.", body: "Who accepts, when, the version of this text and the date chosen are kept." },
  ],
};

function shopEn({ cutoffDate }: ConsentFacts): string {
  return (
    `Orders of the chosen shops dated ${cutoffDate} or later, and the corrective invoices that follow from ` +
    "their refunds and changes. Each invoice is issued automatically, without my confirming it, except " +
    "those that the system puts on hold and those that I have chosen to review."
  );
}

function apiEn({ cutoffDate }: ConsentFacts): string {
  return (
    "The invoices that the company’s program requests through the API: each valid request issues a firm " +
    "invoice, not a draft. Orders sent by this connection are invoiced if dated " +
    `${cutoffDate} or later; that date does not limit invoices requested through the API.`
  );
}

function listed(names: readonly string[], and: string): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${and} ${last}`;
}
