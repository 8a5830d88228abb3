import type { submission as spanish } from "../es/submission.ts";

export const submission: Record<keyof typeof spanish, string> = {
  "unsent.title":
    "A technical incident has stopped submission to the AEAT since {since}. {n, plural, one {# record is} other {# records are}} still to be sent.",
  "unsent.body": "We keep trying; there is nothing you need to do, and you can go on selling.",
  "unsent.link": "See submissions",
  "unsent.since.today": "{time}",
  "unsent.since.day": "{day} at {time}",
  "representation.title": "Your signature is missing to send records to the AEAT",
  "representation.body":
    "{n, plural, one {# record is} other {# records are}} waiting. VERI*FACTU requires sending at once: sign the representation as soon as you can.",
  "representation.action": "Sign now",
  "submission.title": "AEAT submissions",
  "submission.queue": "Queue",
  "submission.unsent": "In the queue",
  "submission.oldest": "The oldest",
  "submission.last": "Last sent",
  "submission.next": "Next send",
  "submission.next.now": "As soon as possible",
  "submission.next.under_way": "Sending {n, plural, one {# record} other {# records}} now",
  "submission.never": "None yet",
  "submission.none": "None",
  "submission.empty": "Nothing is pending.",
  "submission.no_chain": "There are no records to send yet. They will appear with the first invoice.",
  "submission.installation": "Installation {number}",
  "submission.closed": "Closed chain",
  "submission.test": "Test environment",
  "submission.incident":
    "Incident since {moment}. {n, plural, one {One attempt} other {# attempts}} without an answer.",
  "submission.stopped.certificate_refused":
    "The AEAT does not take our certificate. We know, and keep trying.",
  "submission.stopped.message_refused":
    "The AEAT does not take the batches of this chain: “{text}”. We know, and keep trying.",
  "submission.stopped.suspended":
    "The AEAT has suspended our access for a while; records wait, your sales go on and you need do nothing.",
  "submission.resume": "Try again now",
  "submission.representation": "The representation is missing: without your signature no record leaves.",
  "submission.correct": "Records to correct",
  "submission.correct.none": "There is no record to correct.",
  "submission.batches": "Last batches",
  "submission.batches.of": "Last batches of “{connection}”",
  "submission.batches.none": "No batch has been sent yet.",
  "submission.batch.when": "Sent",
  "submission.batch.records": "Records",
  "submission.batch.came": "Result",
  "submission.batch.csv": "CSV",
  "submission.batch.incident": "as an incident",
  "submission.came.answered": "Answered",
  "submission.came.no_answer": "No answer",
  "submission.came.refused": "Not taken",
  "submission.came.under_way": "Sending",
  "submission.more": "See more batches",
  "submission.verify": "Verify the chain",
  "submission.verify.lead":
    "Every hash is computed again, and it is checked that no record, number or date is missing or has changed.",
  "submission.verify.connection": "Connection",
  "submission.verify.running": "{n} records checked…",
  "record.verify.ok":
    "{n, plural, one {# record} other {# records}} checked: hashes, links, numbers and dates are right.",
  "record.verify.broken":
    "{n, plural, one {One check does not hold} other {# checks do not hold}}. Write to us with these details and change nothing.",
  "record.verify.place.chain":
    "{check}: {n, plural, one {once} other {# times}}, first at record {position} of {chain}",
  "record.verify.place.series":
    "{check}: {n, plural, one {once} other {# times}}, first at {series}, number {number}",
};
