import type { sending as spanish } from "../es/sending.ts";

export const sending: Record<keyof typeof spanish, string> = {
  "resend.count":
    "{n, plural, one {# record is} other {# records are}} not right at the AEAT because of a fault of ours or of the certificate.",
  "resend.body":
    "They are sent once more, with the details of the system as they are now. Invoices and their amounts do not change. If the cause has not been put right, the AEAT will decline them again.",
  "resend.all": "Send {n, plural, one {the record} other {the #}} again",
  "resend.done": "{n, plural, one {# record leaves} other {# records leave}} again within a minute.",
  "resend.refused":
    "{n, plural, one {# cannot be sent again} other {# cannot be sent again}}: open its invoice to see why.",
  "resend.nothing": "None is left to be sent again.",
  "correct.ours": "We are fixing it; there is nothing for you to do.",
  "correct.settle": "Clear it up",
  "correct.open": "See and correct",
  "correct.duplicate":
    "The AEAT already has another record with this number: open it and say whose it is. Until then nothing is corrected.",
  "correct.duplicate.mark": "Number taken twice",
  "verify.lead":
    "Every hash is computed again, and it is checked that no record, number or date is missing or has changed.",
  "verify.running": "{n} records checked…",
  "verify.ok":
    "{n, plural, one {# record} other {# records}} checked: hashes, links, numbers and dates are right.",
  "verify.broken":
    "{n, plural, one {One check does not hold} other {# checks do not hold}}. Write to us with these details.",
  "verify.chain": "{n, plural, one {Once} other {# times, first}} at record {position} of the chain {chain}.",
  "verify.series": "{n, plural, one {Once} other {# times, first}} in the series {series}, number {number}.",
  "verify.times": "{n, plural, one {Once} other {# times}}.",
};
