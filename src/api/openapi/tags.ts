/** What operations are sorted by, in the order of the document. */
export const TAGS = {
  Invoices: "Direct issuance, for connections of kind api whose owner has consented.",
  Orders: "What a shop sells and takes back; the service decides what is invoiced.",
  "Customer access": "An order's invoices for the customer who bought.",
  Shop: "What an installation says of itself: its stores, its statuses, its customers, its module.",
  Service: "Whether it runs, and what it says of itself.",
  Webhooks: "What the service sends to the callers who want to hear of events.",
} as const;

export type Tag = keyof typeof TAGS;
