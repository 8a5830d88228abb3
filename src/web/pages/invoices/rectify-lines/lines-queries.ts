import { useQuery } from "@tanstack/react-query";
import type { InferRequestType } from "hono/client";
import { answer, api } from "../../../api/client.ts";
import { useCompany } from "../../../app/session.tsx";

const rectifications = api.accounts[":account"].invoices[":invoice"].rectifications;

type Body = InferRequestType<typeof rectifications.preview.$post>["json"];
export type SaleChange = Body["what"];
export type LinesPart = NonNullable<Body["lines"]>[number];

export interface LinesBody {
  readonly what: SaleChange;
  readonly lines: readonly LinesPart[];
  readonly cause: string;
}

/** Read anew with every preview and after every act. */
const RECTIFIED = "rectified-lines";

/** The key of all previews of an invoice. */
export function previewsOf(account: string, invoice: string) {
  return [RECTIFIED, account, invoice] as const;
}

/**
 * What would be issued, by the decision that issues it. The last preview stays while the next is on its way;
 * `asked` says which one it is of.
 */
export function useLinesPreview(invoice: string, body: LinesBody, isAsked = true) {
  const { account } = useCompany();
  return useQuery({
    queryKey: [...previewsOf(account.id, invoice), body],
    queryFn: async () => ({ asked: body, preview: await fetchPreview(account.id, invoice, body) }),
    placeholderData: (before, query) => (query?.queryKey[2] === invoice ? before : undefined),
    staleTime: 0,
    // The form begins with the lines of the first one, which must not be of before an act.
    gcTime: 0,
    enabled: isAsked,
  });
}

function fetchPreview(account: string, invoice: string, { lines, ...body }: LinesBody) {
  return answer(
    rectifications.preview.$post({ param: { account, invoice }, json: { ...body, lines: [...lines] } }),
  );
}

export type LinesPreview = Awaited<ReturnType<typeof fetchPreview>>;
export type Line = LinesPreview["lines"][number];
export type LinesDraft = LinesPreview["drafts"][number];

/** The total that is confirmed, and what was left of the invoice when it was shown. */
interface Seen {
  readonly total: string;
  readonly left: string;
}

export interface LinesAct extends LinesBody {
  readonly expects: Seen;
}

export function rectifyLines(
  account: string,
  invoice: string,
  { requestId, lines, ...act }: LinesAct & { readonly requestId: string },
) {
  return answer(
    rectifications.$post({
      param: { account, invoice },
      json: { ...act, lines: [...lines], idempotency_key: requestId },
    }),
  );
}
