/** The purpose of an invoice of an order. Only a returned order has a second generation. */
export type EffectOrigin =
  | { readonly of: "order"; readonly generation?: number }
  | { readonly of: "replacement"; readonly generation?: number }
  | { readonly of: "event"; readonly eventId: string }
  /** The full invoice for an event's rectification of a replaced ticket. */
  | { readonly of: "event_replacement"; readonly eventId: string };

/** The origin of an invoice, unique in its connection: the database refuses a second one. */
export function originText(idExternal: string, origin: EffectOrigin): string {
  switch (origin.of) {
    case "order":
      return `${ofGeneration("order", "reissue", origin)}:${idExternal}`;
    case "replacement":
      return `${ofGeneration("replacement", "reissue_replacement", origin)}:${idExternal}`;
    case "event":
    case "event_replacement":
      return `${origin.of}:${withoutColons(idExternal)}:${canonicalEventId(origin.eventId)}`;
  }
}

function ofGeneration(
  first: string,
  later: string,
  { generation = 1 }: { readonly generation?: number },
): string {
  return generation === 1 ? first : `${later}:${generation}`;
}

export interface OrderOrigin {
  readonly idExternal: string;
  readonly of: EffectOrigin["of"];
}

/** The order of an invoice and its purpose; undefined for a direct one. */
export function orderOriginOf(origin: string): OrderOrigin | undefined {
  const [, sort, rest = ""] = /^(\w+):(.*)$/s.exec(origin) ?? [];
  switch (sort) {
    case "order":
    case "replacement":
      return { idExternal: rest, of: sort };
    case "reissue":
      return { idExternal: behindColon(rest), of: "order" };
    case "reissue_replacement":
      return { idExternal: behindColon(rest), of: "replacement" };
    case "event":
    case "event_replacement":
      return { idExternal: withColons(rest.slice(0, rest.indexOf(":"))), of: sort };
    default:
      return undefined;
  }
}

export function orderIdOf(origin: string): string | undefined {
  return orderOriginOf(origin)?.idExternal;
}

const REFUND_FORM = "refund:";

/** A refund that came in both forms, as `x` and as `refund:x`, is one event. */
export function canonicalEventId(eventId: string): string {
  return eventId.startsWith(REFUND_FORM) ? eventId.slice(REFUND_FORM.length) : eventId;
}

/** Whether the id belongs to an entry of `refunds`, the older form of a refund. */
export function isRefundForm(eventId: string): boolean {
  return eventId.startsWith(REFUND_FORM);
}

const CONSOLE_FORM = "console:";

/** The id of an event that an owner made in the console with this key. */
export function consoleEventId(key: string): string {
  return `${CONSOLE_FORM}${key}`;
}

export function isOfConsole(eventId: string): boolean {
  return eventId.startsWith(CONSOLE_FORM);
}

function behindColon(text: string): string {
  return text.slice(text.indexOf(":") + 1);
}

/** The order's id ends at the first colon, so that no two pairs of ids are equal. */
function withoutColons(id: string): string {
  return id.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function withColons(id: string): string {
  return id.replaceAll("%3A", ":").replaceAll("%25", "%");
}
