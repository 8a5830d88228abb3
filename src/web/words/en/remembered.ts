export const remembered = {
  "remembered.title": "Remembered answers",
  "remembered.lead":
    "What you answered in “To review” and asked to have remembered. It decides by itself the orders that ask the same.",
  "remembered.empty":
    "None yet. When you answer in “To review”, the answer can be remembered for the next orders.",
  "remembered.question": "Question",
  "remembered.answer": "Answer",
  "remembered.who": "Who",
  "remembered.used": "Used",
  "remembered.uses": "{n, plural, =0 {by no order} one {by # order} other {by {count} orders}}",
  "remembered.by": "{name}, {date}",
  "remembered.nobody": "Somebody who is gone",
  "remembered.of_profile": "{connection} · {profile}",
  "remembered.forget": "Forget",
  "remembered.forget.of": "Forget: {question}",
  "remembered.forget.title": "Forget the answer",
  "remembered.forget.body": "The next orders will ask again. What was decided does not change.",
  "remembered.more": "See more answers",
  "remembered.territory_review": "How are sales to another part of Spain invoiced?",
  "remembered.zero_rate_basis_missing": "Why are there lines at 0%?",
  "remembered.recipient_incomplete": "How are sales without the customer’s details invoiced?",
  "remembered.customer_credit_review": "What is customer credit?",
} as const;
