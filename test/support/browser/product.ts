import { inject } from "vitest";
import type { Product } from "./setup.ts";

/** The product that no other file uses while this one runs. */
export function ownProduct(): Product {
  const product = inject("products")[Number(process.env.VITEST_POOL_ID) - 1];
  if (!product) throw new Error(`no product for the worker ${process.env.VITEST_POOL_ID}`);
  return product;
}
