/** A stored document as the invoice that it is of, with the record that its own request comes to. */

import type { InvoiceDocument } from "../../src/domain/invoice/document.ts";
import { documentaryOf } from "../../src/domain/invoice/documentary.ts";
import { registrationOf } from "../../src/domain/invoice/invoice-record.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { taxIdentifierFrom } from "../../src/domain/shared/tax-identifier.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import { A_SYSTEM } from "./records.ts";

const NUMBER = "API-1-2026-000007";
const DAY = civilDate("2026-11-27");

export function storedView(document: InvoiceDocument): InvoiceView {
  const { request } = document;
  const documentary = documentaryOf(request);
  if (!documentary.ok) throw new Error("a stored document is one of the combinations that exist");
  const { vatNumber } = request.recipient ?? {};
  const identifier =
    vatNumber === undefined ? undefined : taxIdentifierFrom({ ...request.recipient, vatNumber });
  const content = registrationOf(
    {
      document,
      documentary: documentary.value,
      links: [],
      ...(identifier?.ok ? { identifier: identifier.value } : {}),
    },
    { fullNumber: NUMBER, issueDate: DAY },
    {
      reference: "is00000000000000000001-1",
      chain: { first: true },
      system: A_SYSTEM,
      generatedAt: `${DAY}T12:00:00+01:00`,
    },
  );
  return {
    invoiceId: "in00000000000000000007",
    origin: `direct:${request.externalId}`,
    externalId: request.externalId,
    series: "API-1-2026",
    number: 7,
    fullNumber: NUMBER,
    issueDate: DAY,
    requestId: "the-first-request",
    environment: "test",
    document,
    alta: { recordId: content.reference, record: seal(content, 1), state: "accepted", requestId: "r" },
    corrections: [],
    rectifiedBy: [],
  };
}
