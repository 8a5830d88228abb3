import type { overview as spanish } from "../es/overview.ts";

export const overview: Record<keyof typeof spanish, string> = {};
