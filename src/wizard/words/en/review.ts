import type { review as spanish } from "../es/review.ts";

export const review: Record<keyof typeof spanish, string> = {};
