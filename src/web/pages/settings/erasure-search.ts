import { answer } from "../../api/client.ts";
import { type ConnectionPlace, ofConnection } from "../setup/setup.ts";

export type ErasedOf = "order" | "client";

export interface Sought {
  readonly of: ErasedOf;
  readonly id: string;
}

export function searchErasable(param: ConnectionPlace, json: Sought) {
  return answer(ofConnection.erasure.preview.$post({ param, json }));
}

export type ErasableFound = Awaited<ReturnType<typeof searchErasable>>;
