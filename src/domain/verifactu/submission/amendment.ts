import type { RecordPlace } from "../../invoice/invoice-record.ts";
import { isNaturalPersonNif } from "../../shared/tax-identifier.ts";
import type { RecordIdentifier, RecordRecipient, RegistrationContent } from "../record.ts";
import type { AmendmentFlags } from "./corrections.ts";

/**
 * What an amendment may put right: what is wrong in the record and not in the invoice. Number and date are
 * the key, and amounts are corrected by rectifying invoices. Null takes away.
 */
export interface Amendable {
  readonly issuerName?: string;
  readonly description?: string;
  readonly recipients?: readonly RecordRecipient[];
  readonly operationDate?: string | null;
  readonly agreementNumber?: string | null;
}

/** The complete record again under the same key, in its own place of the chain; the old one stays. */
export function amendmentOf(
  content: RegistrationContent,
  change: Amendable,
  flags: AmendmentFlags,
  place: RecordPlace,
): RegistrationContent {
  return {
    ...amendedContent(content, change),
    ...place,
    amendment: { previousRejection: flags.previousRejection },
  };
}

/** What the record says with the change, in its old place. */
export function amendedContent(content: RegistrationContent, change: Amendable): RegistrationContent {
  const { operationDate: formerDate, agreementNumber: formerNumber, ...kept } = content;
  const { operationDate = formerDate, agreementNumber = formerNumber, ...changed } = change;
  return {
    ...kept,
    ...changed,
    ...(operationDate === undefined || operationDate === null ? {} : { operationDate }),
    ...(agreementNumber === undefined || agreementNumber === null ? {} : { agreementNumber }),
  };
}

/** 1239: recipient not identified, which for a person may mean: not in the census. */
const RECIPIENT_NOT_IDENTIFIED = 1239;

/** What the owner is offered to amend by itself, the code being what the authority said. */
export function remedyFor(code: number | undefined, content: RegistrationContent): Amendable | undefined {
  if (code !== RECIPIENT_NOT_IDENTIFIED || !content.recipients?.some(isPersonByNif)) return undefined;
  return { recipients: content.recipients.map(asNotInCensus) };
}

/** IDType 07 keeps the NIF and says that the census does not have it; entities cannot use it (1131). */
function asNotInCensus(recipient: RecordRecipient): RecordRecipient {
  if (!isPersonByNif(recipient)) return recipient;
  return { name: recipient.name, idType: "07", country: "ES", id: recipient.nif };
}

function isPersonByNif(
  recipient: RecordRecipient,
): recipient is RecordRecipient & Extract<RecordIdentifier, { readonly nif: string }> {
  return "nif" in recipient && isNaturalPersonNif(recipient.nif);
}
