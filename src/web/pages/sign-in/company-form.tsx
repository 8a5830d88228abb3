import type { ReactNode } from "react";
import type { DEFAULT_REGIMES } from "../../../domain/invoice/issuer.ts";
import type { Territory } from "../../../domain/invoice/settings.ts";
import { nifFault } from "../../../domain/shared/nif-control.ts";
import { TextInput } from "../../parts/fields.tsx";
import { type Say, useWords } from "../../words/words.tsx";

/** Details that a company may leave empty and that its invoices print, with the words of each. */
export const PRINTED_DETAILS = [
  {
    name: "registry",
    maxLength: 250,
    label: "company.registry",
    short: "company.registry.short",
    hint: "company.registry.hint",
  },
] as const;

type PrintedDetail = (typeof PRINTED_DETAILS)[number]["name"];

/** As a form has them: an absent one is empty. */
export function printedIn(
  company: Readonly<Partial<Record<PrintedDetail, string | undefined>>>,
): Record<PrintedDetail, string> {
  const { registry = "" } = company;
  return { registry };
}

interface PrintedForm {
  readonly errors: Readonly<Partial<Record<string, ReactNode>>>;
  getInputProps(path: PrintedDetail): object;
}

export function PrintedFields({ form, className = "" }: { form: PrintedForm; className?: string }) {
  const say = useWords();
  return PRINTED_DETAILS.map(({ name, label, hint, maxLength }) => (
    <TextInput
      key={name}
      id={name}
      className={className}
      label={say(label)}
      description={say(hint)}
      maxLength={maxLength}
      {...form.getInputProps(name)}
    />
  ));
}

export interface CompanyForm extends Record<PrintedDetail, string> {
  legal_name: string;
  nif: string;
  address1: string;
  postcode: string;
  city: string;
  territory: Territory;
  default_regime: (typeof DEFAULT_REGIMES)[number];
  common_rules_apply: boolean;
  not_in_sii: boolean;
}

export const EMPTY_COMPANY: CompanyForm = {
  ...{ legal_name: "", nif: "", address1: "", postcode: "", city: "", ...printedIn({}) },
  ...{ territory: "peninsula", default_regime: "01", common_rules_apply: false, not_in_sii: false },
};

export function companyOf({ not_in_sii, ...company }: CompanyForm) {
  return { ...company, keeps_books_in_sii: !not_in_sii };
}

const FORAL: Readonly<Record<string, string>> = {
  "01": "Álava",
  "20": "Gipuzkoa",
  "31": "Navarra",
  "48": "Bizkaia",
};

export function foralProvince(postcode: string): string | undefined {
  return FORAL[postcode.trim().slice(0, 2)];
}

export function territoryFor(postcode: string): Territory {
  const province = postcode.trim().slice(0, 2);
  if (province === "35" || province === "38") return "canarias";
  return province === "51" || province === "52" ? "ceuta_melilla" : "peninsula";
}

/** Before the server answers: the form of a NIF, then its control character. */
export function nifProblem(typed: string, say: Say): string | null {
  const fault = nifFault(typed);
  return fault === undefined ? null : say(fault === "shape" ? "form.nif_shape" : "form.nif");
}

/** Checks shown at once; the server checks everything. */
export function checksOf(say: Say) {
  const required = (field: string) => (value: string) =>
    value.trim() ? null : say("form.required", { field });
  return {
    legal_name: required(say("company.name.the")),
    nif: (value: string) => nifProblem(value, say),
    address1: required(say("company.address.the")),
    postcode: (value: string) =>
      /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(value.trim()) ? null : say("company.postcode_bad"),
    city: required(say("company.city.the")),
    common_rules_apply: (value: boolean, { postcode }: CompanyForm) => {
      const province = foralProvince(postcode);
      return value || province === undefined ? null : say("company.foral.required", { province });
    },
    not_in_sii: (value: boolean) => (value ? null : say("company.sii.required")),
  };
}
