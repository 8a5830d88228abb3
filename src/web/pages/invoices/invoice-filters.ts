import { amongIds, type Checks, isDay, isMonth, isPlace, lastDay, oneOf } from "../../parts/filters/known.ts";
import type { Choices, InvoiceFilters } from "./invoice-queries.ts";
import { STATES } from "./invoice-words.ts";

/** The members of the address by their names in the API. */
export const FILTER_PARAMS = {
  ...{ month: "mes", from: "desde", to: "hasta" },
  ...{ document: "documento", state: "estado", series: "serie", connection: "conexion" },
  ...{ search: "q", cursor: "pagina" },
} as const;

/** As the API names the kinds of documents. */
export const DOCUMENTS = ["issued", "rectifying", "replacing", "cancelled"] as const;

/** Series and connections are known once the choices are. */
export function checksOf(choices: Choices | undefined): Checks {
  return {
    ...{ mes: isMonth, desde: isDay, hasta: lastDay("desde"), pagina: isPlace },
    ...{ documento: oneOf(DOCUMENTS), estado: oneOf(STATES), conexion: amongIds(choices?.connections) },
    serie: (value) => choices?.series.some(({ code }) => code === value),
  };
}

/** The filters in the address; an absent member is no filter. */
export function filtersIn(params: URLSearchParams): InvoiceFilters {
  const found = Object.entries(FILTER_PARAMS).flatMap(([name, param]) => {
    const value = params.get(param);
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}
