import type { IssueDraft } from "../domain/invoice/decide-issue.ts";
import type { InvoiceDocument } from "../domain/invoice/document.ts";
import { documentaryOf, recipientOf } from "../domain/invoice/documentary.ts";
import { registrationOf } from "../domain/invoice/invoice-record.ts";
import type { InvoiceView } from "../domain/invoice/invoice-view.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import { invariant } from "../domain/shared/result.ts";

interface Identity {
  readonly fullNumber: string;
  readonly issueDate: CivilDate;
}

/** A decided document as the draft of its record: legal form and recipient follow from its request. */
export function draftOf(document: InvoiceDocument): IssueDraft {
  const { request } = document;
  const documentary = documentaryOf(request);
  invariant(documentary.ok, "a decided document has one of the legal forms");
  const identifier = recipientOf(request, documentary.value);
  return {
    ...{ document, documentary: documentary.value, links: [] },
    ...(identifier.ok && identifier.value ? { identifier: identifier.value } : {}),
  };
}

/** A decided invoice that was not issued, as its sheet is drawn: without a record, and so without a QR. */
export function unissuedView(draft: IssueDraft, identity: Identity): InvoiceView {
  const content = registrationOf(draft, identity, {
    ...{ reference: "", chain: { first: true }, generatedAt: `${identity.issueDate}T12:00:00+01:00` },
    system: NO_SOFTWARE,
  });
  const series = identity.fullNumber.slice(0, identity.fullNumber.lastIndexOf("-"));
  return {
    ...{ invoiceId: "", origin: "", externalId: "", series, number: 1, requestId: "" },
    ...identity,
    environment: "production",
    trial: true,
    document: draft.document,
    alta: {
      ...{ recordId: "", requestId: "", state: "not_submitted" },
      record: { content, position: 1, hash: "0".repeat(64) },
    },
    corrections: [],
    rectifiedBy: [],
  };
}

const NO_SOFTWARE = {
  ...{ producerName: "", producerNif: "", name: "", code: "", version: "", installationNumber: "" },
  ...{ verifactuOnly: true, multipleIssuersPossible: true, multipleIssuers: false },
};
