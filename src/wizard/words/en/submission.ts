import type { submission as spanish } from "../es/submission.ts";

export const submission: Record<keyof typeof spanish, string> = {};
