import type { company as spanish } from "../es/company.ts";

export const company: Record<keyof typeof spanish, string> = {};
