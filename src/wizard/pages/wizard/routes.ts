import type { RouteObject } from "react-router";

export const wizardPages: RouteObject[] = [];
