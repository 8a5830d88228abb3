import type { palette as spanish } from "../es/palette.ts";

export const palette: Record<keyof typeof spanish, string> = {
  "palette.title": "Go to…",
  "palette.none": "Nothing with “{q}”.",
  "palette.found": "{n, plural, =0 {Nothing} one {# result} other {# results}}",
  "palette.group.pages": "Pages",
  "palette.group.invoices": "Invoices",
  "palette.group.orders": "Orders",
  "palette.group.customers": "Customers",
  "palette.group.acts": "Actions",
  "palette.page.drafts": "Invoices: drafts",
  "palette.page.verification": "Company: verification",
  "palette.page.people": "Company: people",
  "palette.page.representation": "Company: representation",
  "palette.act.invoice": "New invoice",
  "palette.act.connect": "Add a connection",
  "palette.act.invite": "Invite a person",
  "palette.act.dark": "Dark appearance",
  "palette.act.light": "Light appearance",
  "palette.act.language": "Cambiar a español",
};
