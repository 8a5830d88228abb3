import { useCompany } from "./session.tsx";

/** How many orders wait for the owner; undefined until it is known. */
export function useReviewCount(): number | undefined {
  useCompany();
  return undefined;
}
