import type { Destination } from "../billing/destinations.ts";
import type { Territory } from "../invoice/settings.ts";
import type { MemberState } from "../place/member-states.ts";
import { isMemberState, type Place, placeOf, type Spain } from "../place/place.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { isPrefixInForce, type TaxIdentifier } from "../shared/tax-identifier.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";

/** The destination of a sale from the issuer's territory. */
export type Bound =
  | { readonly to: "home" }
  /** No country is stated, or a code that names none. */
  | { readonly to: "unknown"; readonly code?: string }
  | Elsewhere;

/** In a member state the kind of buyer decides the destination. */
export interface Elsewhere {
  readonly to: Destination;
  readonly place: Place;
}

export function boundOf(context: OrderContext, identifier: TaxIdentifier | undefined): Bound {
  const stated = statedPlace(context);
  if (stated.country === undefined) return { to: "unknown" };
  const { country, postcode } = stated;
  const date = operationDateOf(context);
  const place = placeOf({ country, postcode }, date);
  if (place === undefined) return { to: "unknown", code: country };
  if (place.kind === "spain") {
    return isAtHome(place, context.issuer.territory) ? { to: "home" } : { to: "otherSpanish", place };
  }
  if (!isMemberState(place)) return { to: "outsideEu", place };
  return { to: isOfUnion(identifier, date) ? "euBusiness" : "euConsumer", place };
}

/** The state of the tax of a one-stop-shop sale: for Monaco, France. */
export function ossStateOf(context: OrderContext): MemberState | undefined {
  const bound = boundOf(context, undefined);
  return bound.to === "euConsumer" && isMemberState(bound.place) ? bound.place.state : undefined;
}

/** GB was a prefix of the Union once. */
function isOfUnion(identifier: TaxIdentifier | undefined, date: CivilDate): boolean {
  return identifier?.kind === "eu_vat" && isPrefixInForce(identifier.prefix, date);
}

/** The destination that a declaration would be about; undefined at home and where no country is known. */
export function declarableDestination(
  context: OrderContext,
  identifier: TaxIdentifier | undefined,
): Destination | undefined {
  const bound = boundOf(context, identifier);
  return bound.to === "home" || bound.to === "unknown" ? undefined : bound.to;
}

/** The delivery, else the client. A postcode counts only for the country that it was given with. */
function statedPlace({ facts, answers }: OrderContext) {
  const { delivery, client } = facts;
  const country = answers.country ?? delivery?.country ?? client?.country;
  const isClients = delivery?.country === undefined || delivery.country === client?.country;
  return { country, postcode: delivery?.postcode ?? (isClients ? client?.postcode : undefined) };
}

/** Without a postcode Spain is the issuer's own part of it. */
function isAtHome({ territory: part }: Spain, territory: Territory): boolean {
  if (part === "unknown") return true;
  return territory === "ceuta_melilla" ? part !== "peninsula" && part !== "canarias" : part === territory;
}
