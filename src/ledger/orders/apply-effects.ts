import type { Warning } from "../../domain/invoice/document.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import type { OrderDecision, OrderEffect } from "../../domain/order/decision.ts";
import { originText } from "../../domain/order/order-origin.ts";
import { invariant, ok, type Result } from "../../domain/shared/result.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import { annulInvoice } from "../issue/annul-invoice.ts";
import { storable } from "../issue/decide-group.ts";
import { type DecisionDeps, numberInvoice } from "../issue/number-invoice.ts";

export interface Carrying {
  readonly idExternal: string;
  readonly requestId: string;
  readonly working: LedgerDraft;
  readonly deps: DecisionDeps;
}

type Carried = Result<void, Refusal<"document_too_large">>;

/**
 * Numbers the decided effects in their order. It stops if one cannot be kept: the draft is then discarded.
 */
export function applyEffects(decision: OrderDecision, carrying: Carrying): Carried {
  for (const effect of decision.effects) {
    const carried = effect.effect === "annul" ? annul(effect, carrying) : issue(effect, decision, carrying);
    if (!carried.ok) return carried;
  }
  return ok(undefined);
}

type Issue = Extract<OrderEffect, { readonly effect: "issue" }>;
type Annul = Extract<OrderEffect, { readonly effect: "annul" }>;

function issue(effect: Issue, decision: OrderDecision, carrying: Carrying): Carried {
  const { idExternal, requestId, working, deps } = carrying;
  const { payments, stem, origin } = effect;
  const late: readonly Warning[] = decision.warnings.flatMap(({ code, facts }) =>
    code === "issued_late" && origin.of === "order" ? [{ code, facts }] : [],
  );
  const draft = {
    ...effect.draft,
    document: {
      ...effect.draft.document,
      warnings: [...effect.draft.document.warnings, ...late],
      ...(payments.length > 0 ? { payments } : {}),
    },
  };
  const document = storable(draft.document);
  if (!document.ok) return document;
  const toNumber = {
    draft,
    document: document.value,
    origin: originText(idExternal, origin),
    stem,
    requestId,
  };
  numberInvoice(toNumber, { working, installation: installationOf(working), deps });
  return ok(undefined);
}

function annul({ invoiceId, acted }: Annul, carrying: Carrying): Carried {
  const { idExternal, requestId, working, deps } = carrying;
  const target = [...working.invoices.values()].find(({ view }) => view.invoiceId === invoiceId);
  invariant(target, "an invoice that is annulled was read with its order");
  const events = acted.map(({ id }) => id).join(", ");
  const reason = `order ${idExternal}: ${events}`.slice(0, REASON_LENGTH);
  annulInvoice(target, { reason, requestId }, { working, installation: installationOf(working), deps });
  return ok(undefined);
}

const REASON_LENGTH = 500;

function installationOf({ settings }: LedgerDraft): Installation {
  invariant(settings.installation, "only a connection with an installation decides to issue");
  return settings.installation;
}
