import type { Context } from "hono";
import { z } from "zod";
import { isPlainText } from "../../domain/shared/text.ts";
import type { Problem } from "../../words/words.ts";
import { LONGEST_EXTERNAL_ID } from "./invoice-body.ts";
import { list } from "./values.ts";

export const INCLUDES = ["qr_svg", "xml"] as const;
export type Include = (typeof INCLUDES)[number];

const LONGEST_INCLUDE = 200;
const MOST_INCLUDES = 20;
const NOT_INCLUDED: Problem = { kind: "notAllowed", facts: { allowed: INCLUDES.join(", ") } };

export const PREVIEW_VALUES = ["true", "false"] as const;

/** What the query of any route says: each route has some of these parameters, and no others. */
export const apiQuery = z.object({
  /** `?include=qr_svg,xml` or `?include=qr_svg&include=xml`. */
  include: list(z.string().max(LONGEST_INCLUDE), MOST_INCLUDES)
    .optional()
    .transform((sent = [], context): ReadonlySet<Include> => {
      const names = sent.flatMap((part) => part.split(","));
      const known = INCLUDES.filter((include) => names.includes(include));
      if (names.every((name) => name === "" || known.some((include) => include === name)))
        return new Set(known);
      context.addIssue({ code: "custom", params: { problem: NOT_INCLUDED } });
      return z.NEVER;
    }),
  preview: z
    .enum(PREVIEW_VALUES)
    .optional()
    .transform((sent) => sent === "true"),
});

export type ApiQuery = z.output<typeof apiQuery>;

/** A parameter may be given more than once only where it is a list. */
export const LISTED_PARAMETERS: readonly string[] = ["include"] satisfies readonly (keyof ApiQuery)[];

/**
 * The external_id in the path; undefined when nothing can have it. The router's own decoding passes broken
 * escapes through, and "%FF" would then be found under an id that is spelt so.
 */
export function externalIdInPath(c: Context): string | undefined {
  const encoded = c.req.path.split("/")[4] ?? "";
  try {
    const id = decodeURIComponent(encoded);
    return isPlainText(id) && id !== "" && [...id].length <= LONGEST_EXTERNAL_ID ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The same for a sentence that says that nothing was found. */
export function externalIdAsSent(c: Context): string {
  return externalIdInPath(c) ?? c.req.path.split("/")[4] ?? "";
}
