import type { DraftPreview, SeenDraft } from "../../domain/invoice/draft.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import type { IssueRefusal } from "../../domain/invoice/refusal.ts";
import type { GateRefusal } from "../core/outcomes.ts";

/** An invoice by hand, asked or issued. Plain values, because they cross RPC. */
export interface ByHandRequest {
  readonly requestId: string;
  /** Its external_id belongs to the draft, so that a repeat is a replay. */
  readonly invoice: PreparedInvoice;
  /** Absent for a preview. */
  readonly act?: { readonly userId: string; readonly seen: SeenDraft };
}

export type ByHandOutcome =
  | { readonly outcome: "previewed"; readonly preview: DraftPreview }
  /** It would have another number or total than the person has seen; nothing was issued. */
  | { readonly outcome: "stale"; readonly preview: DraftPreview }
  | { readonly outcome: "issued" | "replayed"; readonly invoice: InvoiceView }
  /** The draft was issued with other contents. */
  | { readonly outcome: "conflict"; readonly fullNumber: string }
  | { readonly outcome: "refused"; readonly refusal: IssueRefusal }
  | GateRefusal;
