import type { Say } from "../../words/words.tsx";

export const TERRITORIES = ["peninsula", "canarias", "ceuta_melilla"] as const;
export const REGIMES = ["01", "07", "18"] as const;

export const EMPTY_COMPANY: {
  legal_name: string;
  nif: string;
  address1: string;
  postcode: string;
  city: string;
  registry: string;
  territory: (typeof TERRITORIES)[number];
  default_regime: (typeof REGIMES)[number];
  common_rules_apply: boolean;
  not_in_sii: boolean;
} = {
  ...{ legal_name: "", nif: "", address1: "", postcode: "", city: "", registry: "" },
  ...{ territory: "peninsula", default_regime: "01", common_rules_apply: false, not_in_sii: false },
};

export function companyOf({ not_in_sii, ...company }: typeof EMPTY_COMPANY) {
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

export function territoryFor(postcode: string): (typeof TERRITORIES)[number] {
  const province = postcode.trim().slice(0, 2);
  if (province === "35" || province === "38") return "canarias";
  return province === "51" || province === "52" ? "ceuta_melilla" : "peninsula";
}

/** Checks shown at once; the server checks everything. */
export function checksOf(say: Say) {
  const required = (field: string) => (value: string) =>
    value.trim() ? null : say("form.required", { field });
  return {
    legal_name: required(say("company.name.the")),
    nif: (value: string) =>
      /^[A-Z0-9]{9}$/i.test(value.replace(/[\s.-]/g, "")) ? null : say("form.nif_shape"),
    address1: required(say("company.address.the")),
    postcode: (value: string) =>
      /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(value.trim()) ? null : say("company.postcode_bad"),
    city: required(say("company.city.the")),
    not_in_sii: (value: boolean) => (value ? null : say("company.sii.required")),
  };
}
