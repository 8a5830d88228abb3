import type { RouteObject } from "react-router";

export const ordersPages: RouteObject[] = [];
