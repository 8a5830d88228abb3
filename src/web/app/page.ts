import type { ComponentType } from "react";
import type { Area } from "../words/areas.ts";
import { loadWords } from "../words/words.tsx";

/** A page that is loaded when first opened, with the words of its areas. */
export function page(areas: readonly Area[], load: () => Promise<ComponentType>) {
  return async () => {
    const [Component] = await Promise.all([load(), loadWords(areas)]);
    return { Component };
  };
}
