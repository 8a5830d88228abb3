import type { connections as spanish } from "../es/connections.ts";

export const connections: Record<keyof typeof spanish, string> = {};
