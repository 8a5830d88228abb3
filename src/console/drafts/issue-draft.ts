import type { DraftStore, IssuedDraft, StoredDraft } from "../../db/drafts/draft-store.ts";
import type { SeenDraft } from "../../domain/invoice/draft.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { ByHandOutcome } from "../../ledger/issue/by-hand-outcomes.ts";
import type { OwnerCalls } from "../../ledger/rpc.ts";
import type { Language } from "../../words/words.ts";
import { type DraftProblem, preparedDraft } from "./content.ts";

/** One company's drafts, and the ways to its connection for invoices by hand. */
export interface DraftDesk {
  readonly accountId: string;
  readonly environment: "test" | "production";
  readonly language: Language;
  readonly drafts: Pick<DraftStore, "read" | "findIssued" | "findConnection">;
  readonly owner: (connectionId: string) => Pick<OwnerCalls, "issueByHand">;
}

interface Deciding extends Pick<StoredDraft, "id" | "content"> {
  readonly requestId: string;
  /** Absent for a preview. */
  readonly act?: { readonly userId: string; readonly seen: SeenDraft };
}

export type DecidedDraft =
  | ByHandOutcome
  | { readonly outcome: "misshapen"; readonly problems: readonly DraftProblem[] };

/** The shape by the contract, then the law by the connection's object. */
export async function decideDraft(
  { id, content, requestId, act }: Deciding,
  { accountId, environment, language, drafts, owner }: DraftDesk,
): Promise<DecidedDraft> {
  const prepared = preparedDraft(id, content, language);
  if (!prepared.ok) return { outcome: "misshapen", problems: prepared.error };
  const byHand = await drafts.findConnection(accountId, environment);
  // The company was verified since, and its connection is for tests: no other is open yet.
  if (!byHand) return { outcome: "refused", refusal: refuse("invoicing_not_enabled").error };
  const { connectionId } = byHand;
  const request = { requestId, invoice: prepared.value, ...(act ? { act } : {}) };
  return owner(connectionId).issueByHand(connectionId, request);
}

export interface DraftIssue {
  readonly id: string;
  readonly requestId: string;
  readonly userId: string;
  /** The version and the result that the person has seen. */
  readonly expects: SeenDraft & { readonly version: number };
}

type Judged = Exclude<
  DecidedDraft,
  { readonly outcome: "previewed" | "issued" | "replayed" | "stale" | "conflict" }
>;

export type DraftIssueOutcome =
  | { readonly outcome: "issued" | "replayed"; readonly made: Omit<IssuedDraft, "total"> }
  /** Another has saved it since: nothing was issued. */
  | { readonly outcome: "changed"; readonly draft: StoredDraft }
  /** It was issued as something else than this person has seen, or discarded. */
  | { readonly outcome: "gone"; readonly issued: IssuedDraft | undefined }
  | { readonly outcome: "stale"; readonly draft: StoredDraft; readonly preview: StalePreview }
  | Judged;

type StalePreview = Extract<ByHandOutcome, { readonly outcome: "stale" }>["preview"];

/** The invoice of a draft, once however often it is asked for. The draft ends in the batch of its invoice. */
export async function issueDraft(
  { id, requestId, userId, expects: { version, ...seen } }: DraftIssue,
  desk: DraftDesk,
): Promise<DraftIssueOutcome> {
  const draft = await desk.drafts.read(desk.accountId, id);
  if (!draft) return issuedBefore(id, seen, desk);
  if (draft.version !== version) return { outcome: "changed", draft };
  const decided = await decideDraft({ ...draft, requestId, act: { userId, seen } }, desk);
  switch (decided.outcome) {
    case "issued":
    case "replayed": {
      const { invoiceId, fullNumber } = decided.invoice;
      return { outcome: decided.outcome, made: { invoiceId, fullNumber } };
    }
    case "stale":
      return { ...decided, draft };
    // Another person issued this draft with other contents after it was read here.
    case "conflict":
      return { outcome: "gone", issued: await desk.drafts.findIssued(desk.accountId, id) };
    case "previewed":
      throw new Error("an issue is no preview");
    default:
      return decided;
  }
}

/** The draft ended with its invoice: the same issue is a replay. */
async function issuedBefore(
  id: string,
  { number, total }: SeenDraft,
  { accountId, drafts }: DraftDesk,
): Promise<DraftIssueOutcome> {
  const issued = await drafts.findIssued(accountId, id);
  if (issued?.fullNumber !== number || issued.total !== total) return { outcome: "gone", issued };
  const { invoiceId, fullNumber } = issued;
  return { outcome: "replayed", made: { invoiceId, fullNumber } };
}
