import type { wizard as spanish } from "../es/wizard.ts";

export const wizard: Record<keyof typeof spanish, string> = {};
