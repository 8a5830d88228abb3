import type { people as spanish } from "../es/people.ts";

export const people: Record<keyof typeof spanish, string> = {};
