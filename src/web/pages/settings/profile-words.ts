import { percent } from "../../words/format.ts";
import type { Say, WordId } from "../../words/words.tsx";
import { paymentChecks } from "./payment-fields.tsx";
import { isSame, type ProfileForm, plainNumber, type TreatmentRow } from "./profile-form.ts";

export interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

type Named = Exclude<keyof ProfileForm, "treatments">;

const FIELDS: Readonly<Record<Named, WordId>> = {
  name: "profile.name",
  channel: "profile.channel",
  store_id: "profile.store",
  stem: "profile.stem",
  issuing_mode: "profile.mode",
  customer_credit: "profile.credit",
  voucher_kind: "profile.vouchers",
  zero_rate_basis: "profile.zero",
  eu_consumer: "profile.eu_consumer",
  eu_business: "profile.eu_business",
  outside_eu: "profile.outside_eu",
  other_spanish: "profile.other_spanish",
  article_4_2: "profile.art42",
  under_authorisation: "profile.authorised",
  discounts_included: "profile.discounts_included",
  rounding_rate: "profile.rounding",
  means: "payment.means",
  iban: "payment.iban.short",
  bic: "payment.bic.short",
  due_days: "payment.due_days.short",
};

/** The changes in words: before and after. */
export function changesIn(
  before: ProfileForm,
  after: ProfileForm,
  { say, storeName }: { readonly say: Say; readonly storeName: (id: string) => string },
): readonly Change[] {
  // Its keys are the names of the record.
  const names = Object.keys(FIELDS) as Named[];
  const textOf = (name: Named, form: ProfileForm) => valueText(name, form[name], { say, storeName });
  const fields = names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ what: say(FIELDS[name]), before: textOf(name, before), after: textOf(name, after) }));
  return [...fields, ...treatmentChanges(before.treatments, after.treatments, say)];
}

function valueText(
  name: Named,
  value: string | boolean,
  { say, storeName }: { readonly say: Say; readonly storeName: (id: string) => string },
): string {
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (value === "") return say("profile.undeclared");
  switch (name) {
    case "store_id":
      return storeName(value);
    case "issuing_mode":
      return say(`mode.${value}` as WordId);
    case "customer_credit":
      return say(`credit.${value}` as WordId);
    case "voucher_kind":
      return say(`voucher.${value}` as WordId);
    case "zero_rate_basis":
      return say(`zero.${value}` as WordId);
    case "eu_consumer":
    case "eu_business":
    case "outside_eu":
    case "other_spanish":
      return say(`foreign.${value}` as WordId);
    case "rounding_rate":
      return isRate(value) ? percent(plainNumber(value)) : value;
    case "means":
      return say(`payment.means.${value}` as WordId);
    case "article_4_2":
      return say(`art42.${value}` as WordId);
    default:
      return value;
  }
}

function treatmentChanges(
  before: readonly TreatmentRow[],
  after: readonly TreatmentRow[],
  say: Say,
): readonly Change[] {
  const codes = new Set([...before, ...after].map(({ code }) => code.trim()));
  return [...codes].flatMap((code) => {
    const [was, is] = [before, after].map((rows) => rows.find((row) => row.code.trim() === code));
    if (was && is && isSame(was, is)) return [];
    const text = (row: TreatmentRow | undefined) =>
      row ? treatmentText(row, say) : say("profile.undeclared");
    return [{ what: say("treat.change", { code }), before: text(was), after: text(is) }];
  });
}

export function treatmentText({ as, rate }: TreatmentRow, say: Say): string {
  const number = plainNumber(rate);
  const name = say(`treat.${as}`);
  return as === "fee" && isRate(rate) ? `${name}, ${percent(number)}` : name;
}

/** Problems shown before sending; the server checks all again. */
export function checksOf(say: Say, isProfile: boolean) {
  const required = (field: string) => (value: string) =>
    value.trim() ? null : say("form.required", { field });
  return {
    ...paymentChecks(say),
    ...(isProfile
      ? { name: required(say("profile.name.the")), stem: required(say("profile.stem.the")) }
      : {}),
    treatments: {
      code: required(say("treat.code.the")),
      rate: (value: string, form: ProfileForm, path: string) => {
        const row = form.treatments[Number(path.split(".")[1])];
        if (row?.as !== "fee") return null;
        return isRate(value) ? null : say("treat.rate.missing");
      },
    },
    rounding_rate: (value: string) =>
      value.trim() === "" || isRate(value) ? null : say("treat.rate.missing"),
  };
}

function isRate(typed: string): boolean {
  return /^\d+(\.\d+)?$/.test(plainNumber(typed));
}
