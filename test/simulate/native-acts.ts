/** What shops with documents of their own do, and what their owner has the service do with them. */
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import type { DeliveryOutcome } from "../../src/ledger/rpc.ts";
import type { OwnerRequest, RequestOf } from "../../src/ledger/verbs/table.ts";
import { booksOf } from "./books.ts";
import { count } from "./figures.ts";
import { type NativeShop, type SentDelivery, signed } from "./native-shop.ts";
import { type DeliveryForm, EARLY_ORDERS, type NativeShopName, type Step } from "./steps.ts";
import { OWNER, type SimulatedShop } from "./template.ts";
import type { World } from "./world.ts";

const ADDRESS = "https://tienda.example";

/** A connection with its shop, and what its owner knows of both. */
export class ConnectedShop {
  readonly connection: SimulatedShop;
  readonly shop: NativeShop;
  secret = "";
  nonce = "";
  connectedAt = 0;
  /** Orders that somebody may have asked for, by a webhook or as the owner; and those surely asked for. */
  readonly asked = new Set<string>();
  readonly surelyAsked = new Set<string>();
  /** A backfill may have been confirmed. */
  hasConfirmed = false;
  /** An owner's verb about the connection has no answer, so that nobody knows its state. */
  isUnsure = false;
  /** The origins of its invoices when the owner was told that it is disconnected. */
  issuedBefore: readonly string[] | undefined;
  /** How many owners have begun to enter a new key, and how many of them have no answer yet. */
  readonly renewals = { begun: 0, open: 0 };
  /** Deliveries that were acknowledged as kept, by their id. */
  readonly kept = new Map<string, string>();
  /** Ids under which only forged bodies came. */
  readonly forged = new Set<string>();

  constructor(connection: SimulatedShop, shop: NativeShop) {
    this.connection = connection;
    this.shop = shop;
  }

  get isConnected(): boolean {
    return this.issuedBefore === undefined && !this.isUnsure && this.secret !== "";
  }
}

/** Before any fault: both shops are connected, and the owner knows the secret of their webhooks. */
export async function connectShops(world: World): Promise<void> {
  const { scheduler, native, objects, template } = world;
  for (const connected of Object.values(native)) {
    const { connectionId } = connected.connection;
    const answer = objects.get(connectionId)?.call("act", [connectionId, OWNER, connecting(connected)]);
    let outcome: object | undefined;
    answer?.then(
      (came) => {
        outcome = came as object;
      },
      (error: unknown) => world.fail("answer", `connecting threw ${error}`),
    );
    await scheduler.runUntil(() => outcome !== undefined, scheduler.now + 60_000);
    const secret = Reflect.get(Object(Reflect.get(outcome ?? {}, "shown")), "secret");
    if (typeof secret !== "string") throw new Error(`not connected: ${JSON.stringify(outcome)}`);
    const select = template.database.sqlite.prepare("SELECT nonce FROM shop WHERE connection_id = ?");
    const nonce = String(select.get(connectionId)?.nonce);
    Object.assign(connected, { secret, nonce, connectedAt: scheduler.now });
  }
}

function connecting({ shop }: ConnectedShop): RequestOf<"connect_shop"> {
  const isFetched = shop.name === "fetching";
  const credentials = { consumer_key: shop.key, consumer_secret: "cs_1234567890abcdef" };
  return {
    ...{ verb: "connect_shop", platform: "woocommerce", settings: {} },
    ...(isFetched ? { url: ADDRESS, credentials } : { credentials: {} }),
    statuses: STATUS_PRESETS.woocommerce,
  };
}

export function isNative(step: Step): step is NativeStep {
  return NATIVE.has(step.do);
}

export type NativeStep = Extract<Step, { readonly shop: NativeShopName }> & {
  readonly do: (typeof NATIVE_STEPS)[number];
};

export const NATIVE_STEPS = [
  ...(["shop order changes", "deliver", "fetch order", "search changes"] as const),
  ...(["list backfill", "confirm backfill", "end backfill", "shop key", "disconnect"] as const),
] as const;
const NATIVE: ReadonlySet<string> = new Set(NATIVE_STEPS);

export async function actOnNative(step: NativeStep, world: World): Promise<unknown> {
  const connected = world.native[step.shop];
  const { shop } = connected;
  const tell = (request: OwnerRequest) => owner(world, connected, request);
  switch (step.do) {
    case "shop order changes":
      if (shop.change(step.id)) count(world.figures, `shop order ${shop.newest(step.id)?.stage}`);
      return;
    case "deliver":
      return deliver(world, connected, step);
    case "fetch order":
      return fetchOrder(world, connected, step.id);
    case "search changes":
      return tell({ verb: "reconcile_shop" });
    case "list backfill":
      return tell({ verb: "begin_shop_backfill", from: "cutoff" });
    case "confirm backfill":
      connected.hasConfirmed = true;
      // Its owner looks at the list before.
      await world.scheduler.sleep(world.chance.between(0, 60_000), "owner looks");
      return tell({ verb: "confirm_shop_backfill", selected: { all: true } });
    case "end backfill":
      return tell({ verb: "end_shop_backfill" });
    case "shop key":
      return newKey(world, connected);
    case "disconnect":
      return disconnect(world, connected);
  }
}

/** True if it is done; undefined if nobody knows. */
async function owner(
  { callers }: World,
  { connection }: ConnectedShop,
  request: OwnerRequest,
): Promise<boolean | undefined> {
  const { connectionId } = connection;
  const outcome = await callers.settle(connection, `${request.verb} ${callers.nextRequest()}`, () =>
    callers.to(connection).act(connectionId, OWNER, request),
  );
  return outcome && outcome.outcome === "done";
}

async function fetchOrder(world: World, connected: ConnectedShop, id: string): Promise<void> {
  connected.asked.add(id);
  const isDone = await owner(world, connected, { verb: "fetch_shop_order", orderId: id });
  if (isDone) connected.surelyAsked.add(id);
}

/** The shop renews its key first: until the owner enters it, every call is refused. */
async function newKey(world: World, connected: ConnectedShop): Promise<void> {
  connected.shop.renewKey();
  await world.scheduler.sleep(world.chance.between(0, 60_000), "owner waits");
  if (connected.issuedBefore) return;
  const isAlone = connected.renewals.open === 0;
  connected.renewals.begun += 1;
  connected.renewals.open += 1;
  const { begun } = connected.renewals;
  const isDone = await owner(world, connected, connecting(connected));
  // D1 may carry out a call without an answer later. When two owners enter keys at once, either may be last.
  if (isDone !== undefined) connected.renewals.open -= 1;
  const isLast = isAlone && connected.renewals.begun === begun;
  if (isDone !== true || !isLast) connected.isUnsure = true;
}

async function disconnect(world: World, connected: ConnectedShop): Promise<void> {
  const { connectionId } = connected.connection;
  if (connected.shop.name === "fetching") await untilAsked(world, connected);
  connected.isUnsure = true;
  const { begun, open } = connected.renewals;
  if ((await owner(world, connected, { verb: "disconnect_shop" })) !== true) return;
  // Another owner connected the shop at the same time: either call may have been the last.
  if (open > 0 || connected.renewals.begun > begun) return;
  const { invoices } = booksOf(world.template.database, connectionId);
  connected.issuedBefore ??= invoices.map(({ origin }) => origin);
}

/** An order is on its way from the shop, so that what comes of it comes after the end of the access. */
async function untilAsked(world: World, connected: ConnectedShop): Promise<void> {
  const [first] = EARLY_ORDERS;
  const asked = connected.shop.whenAsked();
  await fetchOrder(world, connected, first);
  await Promise.race([asked, world.scheduler.sleep(FETCHED_WITHIN_MS, "owner waits")]);
}

const FETCHED_WITHIN_MS = 20_000;

interface Delivering {
  readonly id: string;
  readonly form: DeliveryForm;
}

async function deliver(world: World, connected: ConnectedShop, { id, form }: Delivering): Promise<void> {
  const { shop } = connected;
  const isForged = form === "forged" || form === "foreign";
  const again = shop.sent.findLast(({ orderId }) => orderId === id);
  const sent = form === "again" && again ? again : shop.delivery(id, form === "older");
  if (!sent) return;
  if (!isForged) {
    connected.asked.add(id);
    // Without an answer it is sent again at the end.
    connected.surelyAsked.add(id);
    await settleDelivery(world, connected, sent);
    return;
  }
  // Forged bodies are no webhooks of the shop, and no repeat of theirs is one.
  shop.sent.splice(shop.sent.indexOf(sent), 1);
  const forgedId = `forged-${world.callers.nextRequest()}`;
  connected.forged.add(forgedId);
  const { posting, fetching } = world.native;
  const other = connected === posting ? fetching : posting;
  const secret = form === "foreign" ? other.secret : "nobody's";
  const outcome = await send(world, connected, { ...sent, id: forgedId }, secret);
  count(world.figures, `${form} delivery ${outcome.outcome}`);
  if (outcome.outcome === "received") world.fail("answer", `a ${form} delivery was received`);
}

/** Until it is answered; asked again at the end, when it must be known. */
async function settleDelivery(world: World, connected: ConnectedShop, sent: SentDelivery): Promise<void> {
  const { callers } = world;
  const { connection, kept } = connected;
  await callers.settle(connection, `deliver ${sent.id}`, async () => {
    const outcome = await send(world, connected, sent, connected.secret);
    if (outcome.outcome !== "received") return { outcome: outcome.outcome };
    count(world.figures, `delivery ${outcome.as}`);
    if (outcome.as !== "duplicate") {
      if (kept.has(sent.id)) world.fail("doubled", `${sent.id} was taken as new twice`);
      kept.set(sent.id, outcome.as);
    }
    const { order } = outcome;
    return {
      ...{ outcome: outcome.as === "duplicate" ? "replayed" : "taken", delivery: sent.id },
      ...(order ? { decided: order } : {}),
    };
  });
}

function send(
  { callers }: World,
  { connection, nonce }: ConnectedShop,
  { id, body }: SentDelivery,
  secret: string,
): Promise<DeliveryOutcome> {
  return callers.to(connection).receiveDelivery({
    ...{ connectionId: connection.connectionId, platform: "woocommerce", nonce, body },
    ...{ deliveryId: id, topic: "order.updated", signature: signed(body, secret) },
    requestId: callers.nextRequest(),
  });
}
