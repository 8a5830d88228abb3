import type { orders as spanish } from "../es/orders.ts";

export const orders: Record<keyof typeof spanish, string> = {};
