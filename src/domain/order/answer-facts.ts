import type { AreaRate } from "../place/kept-rates.ts";
import { masked } from "../shared/masked.ts";
import { assertNever } from "../shared/result.ts";
import { normalizeText } from "../shared/text.ts";
import type { EnteredRecipient, OrderAnswer, OwnSales, OwnTreatment } from "./answer.ts";
import { saidDestinations, statedMembers, statedRecipient } from "./answer-applied.ts";
import { comparableCode } from "./normalize-text.ts";

type AuditFacts = Readonly<Record<string, string>>;

/** What the audit log keeps of an answer: which, and of a person no more than the end of an identifier. */
export function answerFacts(answer: OrderAnswer, kept: readonly AreaRate[] = []): AuditFacts {
  return { answer: answer.answer, ...detailsOf(answer, kept) };
}

function detailsOf(answer: OrderAnswer, [kept]: readonly AreaRate[]): AuditFacts {
  switch (answer.answer) {
    case "release":
    case "approve":
    case "issue":
    case "issue_cancellation":
      return {};
    case "assign_profile":
      return { profile_id: answer.profileId };
    case "declare_treatment":
      return { code: comparableCode(answer.code), ...treatmentFacts(answer.treatment) };
    case "declare_sales":
      return salesFacts(answer.sales);
    case "enter_recipient":
      return recipientFacts(answer.recipient);
    case "enter_country":
      return { country: answer.country };
    case "enter_exchange_rate":
      return { rate: answer.rate, date: answer.date };
    case "keep_oss_rate":
      return { from: answer.from, ...(kept ? { area: kept.area, rate: kept.rate } : {}) };
    case "rounding":
      return { rate: answer.rate };
    case "declare_discount":
      return { name: answer.name, as: answer.as };
    case "mark_distinct":
    case "confirm_annulment":
      return { event_id: answer.eventId };
    case "share_event": {
      const shares = answer.shares.map(({ rate, gross }) => `${rate} %: ${gross}`).join(", ");
      return { event_id: answer.eventId, shares };
    }
    case "ask_full_invoice":
      return answer.recipient ? recipientFacts(answer.recipient) : {};
    case "dismiss": {
      const which = answer.which?.map(({ code }) => code).join(", ");
      return { why: normalizeText(answer.why), ...(which === undefined ? {} : { which }) };
    }
    default:
      return assertNever(answer);
  }
}

/** Each destination by its own name. */
function salesFacts(sales: OwnSales): AuditFacts {
  const facts: [string, string][] = statedMembers(sales)
    .filter((member) => member !== "destinations")
    .map((member) => [member, String(sales[member])]);
  return { ...Object.fromEntries(facts), ...saidDestinations(sales) };
}

function treatmentFacts(treatment: OwnTreatment): AuditFacts {
  return { treatment: treatment.as, ...(treatment.as === "fee" ? { rate: treatment.rate } : {}) };
}

/** Which members were entered. Names and addresses are with the order, where they can be deleted. */
function recipientFacts(recipient: EnteredRecipient): AuditFacts {
  const stated = statedRecipient(recipient);
  const { vatNumber } = stated;
  return {
    members: Object.keys(stated).join(", "),
    ...(vatNumber === undefined || vatNumber === "" ? {} : { identifier: masked(vatNumber) }),
  };
}
