/** The details of a company that its owner sets, as they are kept. */
export interface CompanyDetails {
  readonly legalName: string;
  readonly address1: string;
  readonly postcode: string;
  readonly city: string;
  /** ClaveRegimen of S1 lines that name none. */
  readonly defaultRegime: string;
  /** The entry in the commercial register, printed at the foot (article 24 Código de Comercio). */
  readonly registry?: string | undefined;
}

/** The regimes that a company may choose as its usual one. */
export const DEFAULT_REGIMES = ["01", "07", "18"] as const;

type DetailName = keyof CompanyDetails;

/** Every detail, in the order of the form. */
const LISTED: Readonly<Record<DetailName, true>> = {
  legalName: true,
  address1: true,
  postcode: true,
  city: true,
  defaultRegime: true,
  registry: true,
};

/** Columns, changes and versions follow this list. */
export const COMPANY_DETAILS = namesOf(LISTED);

function namesOf(listed: Readonly<Record<DetailName, true>>): readonly DetailName[] {
  // Object.keys types the names as strings.
  return Object.keys(listed) as DetailName[];
}

/** The values of these names, in their order. */
export function detailsIn<Row extends { readonly [Name in DetailName]?: unknown }>(
  row: Row,
): Pick<Row, DetailName & keyof Row> {
  const values = COMPANY_DETAILS.map((name) => [name, row[name]]);
  // The compiler does not follow the members of a list.
  return Object.fromEntries(values) as Pick<Row, DetailName & keyof Row>;
}

/** The details of a row, in which null says that one is not set. */
export function companyDetails(
  row: {
    readonly [Name in DetailName]-?: CompanyDetails[Name] | null;
  },
): CompanyDetails {
  const set = Object.entries(detailsIn(row)).filter(([, value]) => value !== null && value !== undefined);
  // The names are those of `CompanyDetails`; only optional details are missing.
  return Object.fromEntries(set) as unknown as CompanyDetails;
}

/** How customers reach a company, and what electronic formats want to know of it besides. */
export interface ContactDetails {
  /** BT-43, and the address for replies to mailed invoices. */
  readonly email?: string;
  readonly phone?: string;
  readonly province?: string;
  /** The parts of a person's name, as Facturae writes them. */
  readonly firstName?: string;
  readonly surname1?: string;
  readonly surname2?: string;
}

/** The issuer as of the day of issue, as the invoice keeps it. */
export interface Issuer extends Omit<CompanyDetails, "legalName" | "defaultRegime">, ContactDetails {
  readonly name: string;
  readonly nif: string;
}
