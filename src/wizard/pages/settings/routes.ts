import type { RouteObject } from "react-router";

export const settingsPages: RouteObject[] = [];
