import type { RouteObject } from "react-router";

export const invoicesPages: RouteObject[] = [];
