import type { profiles as spanish } from "../es/profiles.ts";

export const profiles: Record<keyof typeof spanish, string> = {};
