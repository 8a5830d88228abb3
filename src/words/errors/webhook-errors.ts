import type { WebhookRefusal } from "../../domain/webhook/endpoint.ts";
import { conflict, type ErrorEntry, invalid } from "./entry.ts";

/** What an owner of webhooks is refused. */
export const WEBHOOK_ERRORS = {
  webhook_events_missing: invalid({
    en: "No event is chosen; choose one at least.",
    es: "No se ha elegido ningún evento; elige al menos uno.",
  }),
  webhook_event_unknown: invalid({
    en: "There is no event called “{event}”; choose among those of the list.",
    es: "No existe ningún evento llamado «{event}»; elige entre los de la lista.",
  }),
  webhook_already_registered: conflict({
    en: "This address is registered already; change its events, or rotate its secret if you have lost it.",
    es: "Esta dirección ya está registrada; cambia sus eventos o, si no tienes su secreto, renuévalo.",
  }),
  too_many_webhooks: conflict({
    en: "There are {limit} addresses already; remove one that you no longer need.",
    es: "Ya hay {limit} direcciones; quita alguna que ya no necesites.",
  }),
  webhook_not_found: conflict({
    en: "This connection has no such webhook; reload the list and choose again.",
    es: "Esta conexión no tiene ese webhook; vuelve a cargar la lista y elige otra vez.",
  }),
  webhook_ended: conflict({
    en: "This webhook is called no more; register its address again.",
    es: "A este webhook ya no se le llama; registra de nuevo su dirección.",
  }),
  webhook_delivery_not_found: conflict({
    en: "There is no such delivery any more: they are kept for 30 days; reload the list and choose again.",
    es: "Ese envío ya no existe: se conservan 30 días; vuelve a cargar la lista y elige otra vez.",
  }),
} as const satisfies Record<WebhookRefusal["code"], ErrorEntry>;
