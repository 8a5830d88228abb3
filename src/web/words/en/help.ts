import type { help as spanish } from "../es/help.ts";

export const help: Record<keyof typeof spanish, string> = {
  "help.title": "Help",
  "help.search": "Search help",
  "help.write": "Write to us",
  "help.here": "About this page",
  "help.found": "{n, plural, =0 {Nothing} one {# answer} other {# answers}}",
  "help.none": "Nothing with “{q}”. Write to us and we will answer.",
  "help.overview.attention.q": "What does “Needs your attention” show?",
  "help.overview.attention.a":
    "What does not go on without you: orders that wait for an answer, records that the AEAT did not accept, and missing signatures. Each line leads to where it is settled. If it is not there, nothing is pending.",
  "help.overview.figures.q": "What do the figures of the month count?",
  "help.overview.figures.a":
    "The invoices of the month, by their date of issue. Cancelled ones are counted apart and not summed; tests are not counted.",
  "help.overview.bars.q": "What do the bars mean?",
  "help.overview.bars.a":
    "The invoices of each day by what the AEAT says of their record: accepted, pending, accepted with errors or declined. Press an entry of the key to see those invoices.",
  "help.review.why.q": "Why does an order wait?",
  "help.review.why.a":
    "Because something is missing or in doubt that only you can settle, such as what a discount is or how sales to another country are invoiced. Until then nothing is issued.",
  "help.review.late.q": "How long can I take to decide?",
  "help.review.late.a":
    "The column with the day says when the invoice should be issued. After that day the order is marked as late, and can be invoiced all the same.",
  "help.review.many.q": "Can I answer several at once?",
  "help.review.many.a":
    "Yes: those that ask the same question come together and are answered at once; you can leave some out. Those that also wait for something else stay in the list.",
  "help.review.dismiss.q": "What happens when I dismiss an order?",
  "help.review.dismiss.a":
    "No invoice is issued for it, and the reason stays in the activity. If the shop changes it later, it is looked at again.",
  "help.invoices.find.q": "How do I find an invoice?",
  "help.invoices.find.a":
    "By its number or three digits of it in a row, by the order, by the tax ID or by the customer’s name. Filters are combined with the search and stay in the address of the page.",
  "help.invoices.delete.q": "Can I delete an invoice?",
  "help.invoices.delete.a":
    "No: the law does not allow it. If there was no sale, it is cancelled; if something changed, it is corrected. Both are in the invoice’s menu and are recorded.",
  "help.invoices.states.q": "What is the difference between declined and accepted with errors?",
  "help.invoices.states.a":
    "Accepted with errors: the AEAT has it, and its record should be corrected. Declined: the AEAT does not have it, and the record has to be corrected and sent again. The invoice that your customer got is valid in both cases.",
  "help.invoices.gaps.q": "Can there be a gap in the numbers?",
  "help.invoices.gaps.a": "No. Each series goes on without gaps; a cancelled invoice keeps its number.",
  "help.orders.find.q": "How do I find an order?",
  "help.orders.find.a":
    "Type how its number, its reference, the customer’s name or their surname begins; accents do not matter. All orders are searched: during a search the other filters do not count.",
  "help.orders.states.q": "What does the state of an order say?",
  "help.orders.states.a":
    "Whether it has an invoice, waits for your answer, is from before the start of invoicing, or is not invoiced, for example because it was cancelled.",
  "help.orders.before.q": "Why are there orders without an invoice from before the start?",
  "help.orders.before.a":
    "Because they were placed before the day from which you invoice here. You can bring back those that you did not invoice elsewhere: tick them in the list.",
  "help.orders.twice.q": "Can an order be invoiced twice?",
  "help.orders.twice.a":
    "No. Each order is recognised by its id in the shop, even if it comes several times.",
  "help.submission.wait.q": "Do I have to send anything?",
  "help.submission.wait.a":
    "No. Records leave by themselves, at once or when the AEAT allows it. If its service does not answer, they are tried again and you can go on selling.",
  "help.submission.fix.q": "How do I correct a declined record?",
  "help.submission.fix.a":
    "Open the invoice from the list: at the top is what the AEAT said, with the button to correct it. The invoice does not change, only its record.",
  "help.submission.chain.q": "What does “Check the chain” check?",
  "help.submission.chain.a":
    "That no record is missing or has changed: each has the hash of the one before. You can repeat it whenever you like.",
  "help.connections.key.q": "I have lost the key of a connection",
  "help.connections.key.a":
    "It cannot be shown again. Create another in the tab Keys, change it in your shop and retire the old one.",
  "help.connections.none.q": "No orders come in",
  "help.connections.none.a":
    "See in the connection when the last one came and what its state says. Most often a key was retired or a shop is not ticked.",
  "help.connections.stop.q": "What happens when I withdraw consent?",
  "help.connections.stop.a":
    "That connection stops issuing at once. What was issued stays as it is, and orders are kept in case you give it again.",
  "help.profiles.what.q": "What is a profile for?",
  "help.profiles.what.a":
    "For invoicing some of your orders in another way: in another series, with other treatments, or only those of one shop. What matches none follows the general rules.",
  "help.profiles.series.q": "Can I change a series?",
  "help.profiles.series.a": "Yes, for the next invoices. Issued ones keep their number.",
  "help.profiles.try.q": "Can I try it before saving?",
  "help.profiles.try.a": "Yes: “Try with an order” says which profile applies and why, and issues nothing.",
  "help.company.nif.q": "Why do I have to verify the company?",
  "help.company.nif.a":
    "So that nobody invoices under another’s tax ID. Until you prove it, everything you issue is a test without validity.",
  "help.company.people.q": "How do I give my accountant access?",
  "help.company.people.a":
    "Under People, invite them as accountant: they see and download everything, and change nothing.",
  "help.company.data.q": "Our address has changed",
  "help.company.data.a":
    "Change it under Tax details. It applies to the next invoices; issued ones do not change.",
  "help.activity.who.q": "What does the activity show?",
  "help.activity.who.a":
    "Each change by a person or a connection: who, when, and the value before and after. It cannot be edited or deleted.",
  "help.activity.unknown.q": "There is something that I do not recognise",
  "help.activity.unknown.a":
    "Change your password and close the other sessions under Security; then check People and the keys of each connection.",
  "help.activity.filter.q": "How do I find a change?",
  "help.activity.filter.a": "Filter by person, by area or by date.",
};
