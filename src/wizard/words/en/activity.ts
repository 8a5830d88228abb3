import type { activity as spanish } from "../es/activity.ts";

export const activity: Record<keyof typeof spanish, string> = {};
