import type { invoices as spanish } from "../es/invoices.ts";

export const invoices: Record<keyof typeof spanish, string> = {};
