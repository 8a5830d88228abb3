import type { RecordPlace } from "../../invoice/invoice-record.ts";
import { isNaturalPersonNif } from "../../shared/tax-identifier.ts";
import type { RecordIdentifier, RecordRecipient, RegistrationContent } from "../record.ts";
import type { AmendmentFlags } from "./corrections.ts";

/**
 * The members that an amendment may correct in the record without changing the invoice. Number and date are
 * the key; amounts are corrected by rectifying invoices. Null removes a member.
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

/** The content with the change; each member keeps its place. */
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
/**
 * 2001: IDType 07. The authority reports it for every such record, even if the NIF has entered the census.
 */
const STORED_AS_NOT_IN_CENSUS = 2001;

export const REMEDIES = ["not_in_census", "in_census"] as const;

/** A correction without typing: the same person under another identifier type. */
export interface Remedy {
  readonly remedy: (typeof REMEDIES)[number];
  readonly change: Amendable;
}

/** `code` is the authority's answer to the content. */
export function remedyFor(code: number | undefined, content: RegistrationContent): Remedy | undefined {
  const { recipients = [] } = content;
  if (code === RECIPIENT_NOT_IDENTIFIED && recipients.some(isPersonByNif)) {
    return { remedy: "not_in_census", change: { recipients: recipients.map(asNotInCensus) } };
  }
  if (code === STORED_AS_NOT_IN_CENSUS && recipients.some(isNotInCensus)) {
    return { remedy: "in_census", change: { recipients: recipients.map(asInCensus) } };
  }
  return undefined;
}

/** IDType 07 keeps the NIF and declares it missing in the census; entities cannot use it (1131). */
function asNotInCensus(recipient: RecordRecipient): RecordRecipient {
  if (!isPersonByNif(recipient)) return recipient;
  return { name: recipient.name, idType: "07", country: "ES", id: recipient.nif };
}

function asInCensus(recipient: RecordRecipient): RecordRecipient {
  return isNotInCensus(recipient) ? { name: recipient.name, nif: recipient.id } : recipient;
}

function isNotInCensus(
  recipient: RecordRecipient,
): recipient is Exclude<RecordRecipient, { readonly nif: string }> {
  return "idType" in recipient && recipient.idType === "07";
}

function isPersonByNif(
  recipient: RecordRecipient,
): recipient is RecordRecipient & Extract<RecordIdentifier, { readonly nif: string }> {
  return "nif" in recipient && isNaturalPersonNif(recipient.nif);
}
