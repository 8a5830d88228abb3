import type { filters as spanish } from "../es/filters.ts";

export const filters: Record<keyof typeof spanish, string> = {
  "filter.from": "From",
  "filter.to": "To",
  "filter.range": "Period",
  "filter.range.this_month": "This month",
  "filter.range.last_month": "Last month",
  "filter.range.this_quarter": "This quarter",
  "filter.range.last_quarter": "Last quarter",
  "filter.range.this_year": "This year",
  "filter.document": "Document",
  "filter.document.issued": "Issued",
  "filter.document.rectifying": "Corrective",
  "filter.document.replacing": "Replacements",
  "filter.document.cancelled": "Cancelled",
  "filter.chip": "{name}: {value}",
  "filter.search": "Search",
  "filter.set": "Filters in use",
  "filter.remove": "Remove the filter {name}",
  "filter.clear": "Clear filters",
};
