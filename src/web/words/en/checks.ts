import type { checks as spanish } from "../es/checks.ts";

export const checks: Record<keyof typeof spanish, string> = {
  "check.content.title": "A record cannot be read",
  "check.content.means":
    "What is stored makes no sense any more: someone or something changed it after it was sealed.",
  "check.content.remedy":
    "Cancel and issue nothing to mend it: we recover it from the copy that was sent to the AEAT.",
  "check.position.title": "A record is missing from the chain",
  "check.position.means":
    "Records are numbered one after the other, and there is a gap, or one is there twice.",
  "check.position.remedy":
    "Restore nothing yourself: we recover those that are missing. Invoices handed over still stand.",
  "check.first.title": "The chain does not begin with its first record",
  "check.first.means": "Only the first one may say that it is: the beginning is missing, or another says so.",
  "check.first.remedy":
    "Restore nothing yourself: we recover those that are missing. Invoices handed over still stand.",
  "check.link.title": "A record does not link to the one before",
  "check.link.means": "Each record repeats number, date and hash of the one before, and here they differ.",
  "check.link.remedy":
    "Change nothing: we compare both with what was sent to the AEAT and bring them back as sealed.",
  "check.hash.title": "A hash is not that of its record",
  "check.hash.means":
    "Computed again, it comes out different: something in the record changed after it was sealed.",
  "check.hash.remedy":
    "Change nothing: we compare the record with what was sent to the AEAT and bring it back as sealed.",
  "check.time.title": "A record has an earlier time than the one before it",
  "check.time.means": "The clock was behind. The order of the chain is right, and the invoice stands.",
  "check.time.remedy": "Nothing needs to be sent again: tell us, and we look at the clock.",
  "check.row.title": "What is noted of a record is not what it says",
  "check.row.means": "The number, date or hash by which we find it differ from those in the record itself.",
  "check.row.remedy": "Change nothing: what the record says counts, and we correct the note.",
  "check.issue_date.title": "A date of issue is not the day on which it was sealed",
  "check.issue_date.means": "The invoice and the time of its record are of different days.",
  "check.issue_date.remedy":
    "The date of the invoice stays, even if the AEAT gives notice with code 2004: tell us, and we look at the clock.",
  "check.invoice.title": "A record has no invoice",
  "check.invoice.means":
    "Invoice and record are made together: one of them was removed or given another number.",
  "check.invoice.remedy": "Do not issue it again: we recover the one that is missing.",
  "check.correction.title": "A correction does not fit what it corrects",
  "check.correction.means":
    "An amendment or a cancellation names another invoice, or an amendment changes amounts.",
  "check.correction.remedy": "Do not repeat it: we compare it with what was sent to the AEAT.",
  "check.number.title": "A number is missing from a series",
  "check.number.means": "Numbers follow each other, and here one is skipped or there twice.",
  "check.number.remedy":
    "Issue no other with that number in any program: we recover the one that is missing.",
  "check.date.title": "An invoice is dated before the number it follows",
  "check.date.means": "Within a series dates never go back: that of one of the two has changed.",
  "check.date.remedy": "Change nothing: we compare both with their records.",
  "check.series.title": "A series has invoices of another connection",
  "check.series.means": "Each series belongs to one connection, and here is an invoice that is not its own.",
  "check.series.remedy": "Do not change the settings of the series: we find out where it comes from.",
  "check.document.title": "The document of an invoice is missing or has changed",
  "check.document.means": "What was kept when it was issued is not what is there now.",
  "check.document.remedy": "Do not hand it over again until we tell you: we recover the original document.",
  "check.registration.title": "An invoice has no registration record",
  "check.registration.means":
    "Invoice and record are made together: the record was removed, or is in another chain.",
  "check.registration.remedy": "Do not issue it again and do not cancel it: we recover its record.",
  "check.literals.title": "A record does not say what its invoice says",
  "check.literals.means": "Number, type or amounts of the invoice differ from those sent to the AEAT.",
  "check.literals.remedy": "Do not correct it yet: first we see which of the two has changed.",
};
