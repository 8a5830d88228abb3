import type { SalesSettings } from "../billing/sales-settings.ts";
import type { TaxGroup } from "../invoice/document.ts";
import type {
  Attestation,
  DocumentaryFlag,
  DocumentaryRegime,
  InvoiceType,
  Recipient,
} from "../invoice/request.ts";
import type { IssuingSettings } from "../invoice/settings.ts";
import { ARTICLE_4_2_CEILING, SIMPLIFIED_LIMIT } from "../invoice/simplified.ts";
import { type Decimal, isAtMost, lesser } from "../shared/decimal.ts";
import { err, ok, type Result } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { amountOf } from "./fact-text.ts";
import type { ClientFacts } from "./facts.ts";
import type { Reason } from "./reasons.ts";
import { type ClientMember, incompleteReason, namedOnly, type Party } from "./recipient.ts";

export interface DocumentKind {
  readonly invoiceType: InvoiceType;
  readonly regime: DocumentaryRegime;
  readonly flags: readonly DocumentaryFlag[];
  readonly recipient?: Recipient;
  readonly identifier?: TaxIdentifier;
  /** The basis of a simplified invoice above the limit; its lines are added later. */
  readonly attestation?: Omit<Attestation, "lineIds">;
}

export interface Documented {
  readonly party: Party;
  readonly client: ClientFacts;
  readonly groups: readonly TaxGroup[];
  /** Before payments, tax included. */
  readonly totalEur: Decimal;
  readonly sales: SalesSettings;
  readonly authorisation: IssuingSettings["authorisation"];
}

const SIMPLIFIED = { invoiceType: "F2", regime: "art7_simplified", flags: [] } as const;

/**
 * Full for an identified client, simplified up to its limits; otherwise the order waits for the client's
 * data.
 */
export function chooseDocument(order: Documented): Result<DocumentKind, Reason> {
  const { party, groups } = order;
  if (party.is === "complete") {
    const { recipient, identifier } = party;
    return ok({ invoiceType: "F1", regime: "art6_full", flags: [], recipient, identifier });
  }
  if (party.is === "incomplete" || groups.some(needsIdentifier)) return err(incompleteReason(party.missing));
  if (groups.some(isLocatedElsewhere)) {
    const flags = ["no_recipient_article_6_1_d"] as const;
    const named = namedOnly(party.name, order.client);
    return ok({ invoiceType: "F2", regime: "art6_full", flags, ...named });
  }
  return simplified(order, party.missing);
}

/** Article 4 RD 1619/2012, by the owner's declarations about these sales. */
function simplified(order: Documented, missing: readonly ClientMember[]): Result<DocumentKind, Reason> {
  const { totalEur, sales, authorisation, client } = order;
  const ticket = { ...SIMPLIFIED, ...namedOnly("", client) };
  if (isAtMost(totalEur, SIMPLIFIED_LIMIT)) return ok(ticket);
  const isConsumer = (client.company ?? "").trim() === "";
  if (isConsumer && sales.article42 !== undefined && isAtMost(totalEur, ARTICLE_4_2_CEILING)) {
    const attestation = {
      legalBasis: "article_4_2",
      buyerRole: "consumer",
      operation: sales.article42,
    } as const;
    return ok({ ...ticket, attestation });
  }
  const ceiling = authorisation && lesser(authorisation.limit, ARTICLE_4_2_CEILING);
  if (isConsumer && sales.underAuthorisation && authorisation && ceiling && isAtMost(totalEur, ceiling)) {
    const { number, limit } = authorisation;
    const attestation = {
      legalBasis: "tax_authority_authorisation",
      buyerRole: "consumer",
      authorisation: { number, limit },
    } as const;
    return ok({ ...ticket, attestation });
  }
  const limit = isConsumer ? limitOf(sales, ceiling) : SIMPLIFIED_LIMIT;
  return err(incompleteReason(missing, { total: amountOf(totalEur, "EUR"), limit: amountOf(limit, "EUR") }));
}

function limitOf(sales: SalesSettings, ceiling: Decimal | undefined): Decimal {
  if (sales.article42 !== undefined) return ARTICLE_4_2_CEILING;
  return (sales.underAuthorisation ? ceiling : undefined) ?? SIMPLIFIED_LIMIT;
}

/** Recargo de equivalencia is for retailers, E5 for businesses: both need an identified client. */
function needsIdentifier({ surchargeRate, qualification }: TaxGroup): boolean {
  return surchargeRate !== undefined || qualification === "E5";
}

/** Article 6.1.d RD 1619/2012; no simplified invoice has such a line (article 4.4). */
function isLocatedElsewhere({ qualification }: TaxGroup): boolean {
  return qualification === "N2";
}
