import { countryName, date, money, percent } from "../../words/format.ts";
import { isWord, type Say } from "../../words/words.tsx";

/** An unknown verb of a newer service is shown unchanged. */
export function verbText(verb: string, say: Say): string {
  const id = `activity.verb.${verb}`;
  return isWord(id) ? say(id) : verb;
}

export interface FactText {
  readonly what: string;
  readonly before?: string;
  readonly after: string;
}

/** Ids mean nothing to people: their names are shown or can be found elsewhere. */
const UNTOLD = new Set([
  ...["profile", "key", "key_sha256", "connection", "webhook", "delivery", "person", "invitation"],
  ...["document_sha256", "invoice_id", "profile_id", "event_id", "text_sha256"],
]);

/** The facts of a request; a changed one with its earlier value. */
export function factsText(facts: Readonly<Record<string, string>>, say: Say): readonly FactText[] {
  const moved = facts.from !== undefined && facts.to !== undefined;
  return Object.entries(facts).flatMap(([name, value]): FactText[] => {
    if (UNTOLD.has(name) || name.endsWith("_before") || (moved && name === "from")) return [];
    // An operator's decision has the id of the proof, the owner's own its kind.
    if (name === "proof" && !isWord(`activity.proof.${value}`)) return [];
    const before = moved && name === "to" ? facts.from : facts[`${name}_before`];
    // The rate of an answer is one of a tax, but for this one.
    const isOfExchange = name === "rate" && facts.answer === "enter_exchange_rate";
    const text = (value: string) => (isOfExchange ? value : valueText(name, value, say));
    return [
      {
        what: isOfExchange
          ? say("activity.fact.exchange_rate")
          : nameText(moved && name === "to" ? "moved" : name, say),
        ...(before === undefined ? {} : { before: text(before) }),
        after: text(value),
      },
    ];
  });
}

/** Before the shop's own status, whose meaning was changed. */
const OF_STATUS = "status ";
/** Before the name of a discount whose kind was declared. */
const OF_DISCOUNT = "discount ";

function nameText(name: string, say: Say): string {
  if (name.startsWith("treatment ")) {
    return say("treat.change", { code: name.slice("treatment ".length) });
  }
  if (name.startsWith(OF_DISCOUNT)) {
    return say("activity.fact.discount", { name: name.slice(OF_DISCOUNT.length) });
  }
  if (name.startsWith(OF_STATUS)) {
    const status = name.slice(OF_STATUS.length);
    return say("activity.fact.status", { status: wordOr(`shop.status.${status}`, status, say) });
  }
  const id = `activity.fact.${name}`;
  return isWord(id) ? say(id) : name;
}

const VALUE_WORDS: Readonly<Record<string, string>> = {
  issuingMode: "mode",
  customerCredit: "credit",
  voucherKind: "voucher",
  zeroRateBasis: "zero",
  foreignSales: "foreign",
  euConsumer: "foreign",
  euBusiness: "foreign",
  outsideEu: "foreign",
  otherSpanish: "foreign",
  article42: "art42",
  action: "tags",
  role: "role",
  kind: "conn.kind",
  to: "verify.state",
  proof: "activity.proof",
  change: "activity.change",
  treatment: "treat",
  as: "treat",
};

function valueText(name: string, value: string, say: Say): string {
  if (value === "true" || value === "false") return say(value === "true" ? "yes" : "no");
  if (value === "null" || value === "none") return say("profile.undeclared");
  if (value === "" && name === "store_ids") return say("step2.all");
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return date(value);
  if (name === "limit") return money(value);
  if (name === "answer") return answerText(value, say);
  if (name === "rate" && /^\d+(\.\d+)?$/.test(value)) return percent(value);
  if (name === "country") return countryName(value);
  if (name === "events")
    return value
      .split(",")
      .map((event) => wordOr(`hooks.event.${event}`, event, say))
      .join(", ");
  if (name === "changed")
    return value
      .split(", ")
      .map((one) => wordOr(`activity.fact.${one}`, one, say))
      .join(", ");
  if (name.startsWith("treatment ")) return treatmentValue(value, say);
  if (name.startsWith(OF_DISCOUNT)) return wordOr(`treat.${value}`, value, say);
  if (name === "payment") return paymentValue(value, say);
  if (name.startsWith(OF_STATUS)) {
    return value === "-" ? say("shop.means.unmapped") : wordOr(`shop.means.${value}`, value, say);
  }
  const family = VALUE_WORDS[name];
  return family === undefined ? value : wordOr(`${family}.${value}`, value, say);
}

/** As the story of the order has it; the reason of a dismissal is a fact of its own. */
function answerText(value: string, say: Say): string {
  if (value === "dismiss") return say("activity.answer.dismiss");
  return wordOr(`order.deed.${value}`, value, say);
}

/** The means, and the end of the account. */
function paymentValue(value: string, say: Say): string {
  const [means = "", end] = value.split(" ");
  const name = wordOr(`payment.means.${means}`, value, say);
  return end === undefined ? name : `${name}, …${end}`;
}

function treatmentValue(value: string, say: Say): string {
  const [as = "", ...rate] = value.split(" ");
  const name = wordOr(`treat.${as}`, value, say);
  return rate.length > 0 ? `${name}, ${rate.join("\u00A0")}` : name;
}

function wordOr(id: string, otherwise: string, say: Say): string {
  return isWord(id) ? say(id) : otherwise;
}
