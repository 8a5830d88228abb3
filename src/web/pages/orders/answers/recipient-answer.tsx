import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../../../app/paths.ts";
import { useCompany } from "../../../app/session.tsx";
import { CountrySelect } from "../../../parts/country-select.tsx";
import { TextInput } from "../../../parts/fields.tsx";
import { type Say, useWords, type WordId } from "../../../words/words.tsx";
import { WITHOUT_PROFILE } from "../../settings/profile-form.ts";
import own from "../order.module.css";
import type { AnswerBody, Choices } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";

type Recipient = Extract<AnswerBody, { readonly answer: "enter_recipient" }>["recipient"];
type Member =
  | "vat_number"
  | "first_name"
  | "last_name"
  | "company"
  | "address1"
  | "postcode"
  | "city"
  | "country";
type Fields = Readonly<Record<Member, string>>;

interface FieldShape {
  readonly member: Member;
  readonly label: WordId;
  readonly width?: "wide" | "narrow";
}

const IDENTIFIER: FieldShape = { member: "vat_number", label: "review.identify.vat" };
const PERSON: readonly FieldShape[] = [
  { member: "first_name", label: "review.identify.first" },
  { member: "last_name", label: "review.identify.last" },
];
const ENTITY: readonly FieldShape[] = [
  { member: "company", label: "review.identify.company", width: "wide" },
  { member: "address1", label: "review.identify.address", width: "wide" },
  { member: "postcode", label: "review.identify.postcode", width: "narrow" },
  { member: "city", label: "review.identify.city" },
];

/** The customer's data for the invoice, prefilled with those of the shop. */
export function RecipientAnswer({ reason, choices, refusals, change, place }: AnswerProps) {
  const say = useWords();
  const sent = fieldsOf(choices.client);
  const [fields, setFields] = useState(sent);
  const [before] = useState(sent);
  function enter(member: Member, text: string) {
    const next = { ...fields, [member]: text };
    setFields(next);
    const recipient = changedMembers(before, next);
    change({
      answer: Object.keys(recipient).length === 0 ? undefined : { answer: "enter_recipient", recipient },
      isForAll: false,
    });
  }
  const shapes = [IDENTIFIER, ...(isCompany(fields) ? ENTITY : PERSON)];
  const problem = (member: Member) => {
    const refused = refusals[`recipient.${member}`];
    return refused !== undefined && member === "vat_number"
      ? identifierProblem(fields, refused, say)
      : refused;
  };
  return (
    <>
      <div className={own.fields}>
        {shapes.map(({ member, label, width }) => (
          <TextInput
            key={member}
            {...(width && own[width] ? { className: own[width] } : {})}
            label={say(label)}
            value={fields[member]}
            maxLength={255}
            error={problem(member)}
            onChange={({ currentTarget: { value } }) => enter(member, value)}
          />
        ))}
        <CountrySelect
          label={say("review.identify.country")}
          value={fields.country}
          error={problem("country")}
          onChange={(code) => enter("country", code)}
        />
      </div>
      {reason.code === "recipient_incomplete" && <RetailHint choices={choices} place={place} />}
    </>
  );
}

/** Articles 4.2 and 7 apply to retailers: once declared, no customer data are needed. */
function RetailHint({ choices, place }: Pick<AnswerProps, "choices" | "place">) {
  const say = useWords();
  const { account } = useCompany();
  const { profileId, profiles } = choices;
  const profile = profiles.find(({ id }) => id === profileId);
  // An order that has found none of several profiles speaks of no one of them.
  const isOpen = profile === undefined && profiles.length > 0;
  const target = profile?.id ?? WITHOUT_PROFILE;
  const to = isOpen ? paths.profiles(account.id) : paths.profile(account.id, place.connection, target);
  const link = isOpen
    ? say("review.identify.retail.link")
    : profile
      ? say("review.identify.retail.profile", { name: profile.name })
      : say("review.identify.retail.orders");
  const [before = "", after = ""] = say("review.identify.retail", {
    link: "|",
    limit: "3.000,00\u00a0€",
  }).split("|");
  return (
    <p className={`${own.below} small`}>
      {before}
      <Link to={to}>{link}</Link>
      {after}
    </p>
  );
}

/** First letters of NIFs of entities; a foreign customer may be an entity too. */
const ENTITY_NIF = /^[ABCDEFGHJNPQRSUVW]/i;

function isCompany({ vat_number: identifier, company, country }: Fields): boolean {
  const isForeign = country !== "" && country.toUpperCase() !== "ES";
  return isForeign || company !== "" || ENTITY_NIF.test(identifier.trim().replace(/^ES/i, ""));
}

const NIF_LENGTH = 9;

/** A Spanish identifier is checked here; the API checks the others. */
function identifierProblem({ vat_number: identifier, country }: Fields, refused: string, say: Say): string {
  if (country !== "" && country !== "ES") return refused;
  const isWhole = identifier.replace(/[\s.-]/g, "").replace(/^ES/i, "").length === NIF_LENGTH;
  return say(isWhole ? "form.nif" : "form.nif_shape");
}

function fieldsOf(client: Choices["client"]): Fields {
  return {
    vat_number: client.vatNumber ?? "",
    first_name: client.firstName ?? "",
    last_name: client.lastName ?? "",
    company: client.company ?? "",
    address1: client.address1 ?? "",
    postcode: client.postcode ?? "",
    city: client.city ?? "",
    country: client.country ?? "",
  };
}

/** Only changed members are sent; the rest stays as the shop sent it. */
function changedMembers(before: Fields, next: Fields): Recipient {
  const changed = Object.entries(next).filter(([member, text]) => before[member as Member] !== text);
  return Object.fromEntries(changed.map(([member, text]) => [member, text.trim()]));
}
