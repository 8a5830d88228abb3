/** Each step of a history as calls. */
import { newId } from "../../src/domain/connection/ids.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import { WEBHOOK_EVENTS } from "../../src/domain/webhook/event.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { booksOf } from "./books.ts";
import { preparedInvoice, submissionOf } from "./callers.ts";
import { actInConsole } from "./console-acts.ts";
import { isOfConsole } from "./console-steps.ts";
import { count } from "./figures.ts";
import { pageOf } from "./key-value.ts";
import { actOnMail, isMail } from "./mail-acts.ts";
import type { MailStep } from "./mail-steps.ts";
import { actOnNative, isNative } from "./native-acts.ts";
import { issue, sendOrder } from "./sales.ts";
import {
  ANSWERS,
  aDifference,
  aReplacement,
  CUTOFFS,
  invoiceBody,
  type ShopName,
  type Step,
} from "./steps.ts";
import { aConsent, LEDGER, OWNER } from "./template.ts";
import type { World } from "./world.ts";

/** Ends when the callers of the step have their answers, or have given up. */
export async function act(step: Step | MailStep, world: World): Promise<unknown> {
  if (isMail(step)) return actOnMail(step, world);
  const { callers, shops } = world;
  const { direct } = shops;
  switch (step.do) {
    case "issue":
      return issue(world, preparedInvoice(invoiceBody(step.body, step.id)));
    case "take back":
      return issue(world, preparedInvoice(aDifference(step.id, step.of, step.base)));
    case "replace":
      return issue(world, preparedInvoice(aReplacement(step.id, step.of)));
    case "together":
      return Promise.all(step.ids.map((id) => issue(world, preparedInvoice(invoiceBody(step.body, id)))));
    case "cancel":
      return callers.settle(direct, `cancel ${step.id}`, () =>
        callers
          .to(direct)
          .cancelInvoice(callers.callerOf(direct), { externalId: step.id, reason: "mistake" }),
      );
    case "preview":
      return callers.ask({ ...direct, about: `preview ${step.id}` }, () =>
        callers
          .to(direct)
          .previewInvoice(callers.callerOf(direct), preparedInvoice(invoiceBody("small", step.id))),
      );
    case "read":
      return callers.ask({ ...direct, about: `read ${step.id}` }, () =>
        callers.to(direct).readInvoice(callers.callerOf(direct), step.id),
      );
    case "correct":
      return correct(world, step);
    case "owner rectifies":
      return rectify(world, step);
    case "order":
      return sendOrder(world, step);
    case "order preview":
      return callers.ask({ ...shops[step.shop], about: `order-preview ${step.id}` }, () =>
        callers
          .to(shops[step.shop])
          .submitOrder(callers.callerOf(shops[step.shop]), submissionOf(step, true)),
      );
    case "orders together":
      return ordersTogether(world, step);
    case "answer":
    case "decide again":
      return answer(world, step);
    case "read order":
      return callers.ask({ ...shops[step.shop], about: `read-order ${step.id}` }, () =>
        callers.to(shops[step.shop]).readOrder(callers.callerOf(shops[step.shop]), step.id),
      );
    case "view":
      return view(world, step);
    case "report":
      return callers.settle(shops[step.shop], "report", () =>
        callers.to(shops[step.shop]).reportShop(callers.callerOf(shops[step.shop]), REPORT),
      );
    default:
      if (isOfConsole(step)) return actInConsole(step, world);
      return isNative(step) ? actOnNative(step, world) : ownersAct(step, world);
  }
}

/** As an owner does: with the id of an invoice that was shown. */
async function shownInvoice({ callers }: World, id: string): Promise<string | undefined> {
  for (const { about, outcome } of callers.told) {
    if (about !== `issue ${id}` || !("invoice" in outcome)) continue;
    return (outcome.invoice as { invoiceId: string }).invoiceId;
  }
  return undefined;
}

async function correct(world: World, step: Extract<Step, { do: "correct" }>): Promise<unknown> {
  const { callers, shops } = world;
  const invoiceId = await shownInvoice(world, step.id);
  if (invoiceId === undefined) return;
  const correction =
    step.by === "annul"
      ? ({ correction: "annul", reason: "mistake" } as const)
      : ({ correction: "amend", change: { description: "Otra descripción" } } as const);
  const requestId = callers.nextRequest();
  return callers.settle(shops.direct, `correct ${requestId}`, () =>
    callers
      .to(shops.direct)
      .correctRecord(shops.direct.connectionId, { userId: OWNER, requestId, invoiceId, correction }),
  );
}

async function rectify(world: World, step: Extract<Step, { do: "owner rectifies" }>): Promise<unknown> {
  const { callers, shops } = world;
  const invoiceId = await shownInvoice(world, step.of);
  if (invoiceId === undefined) return;
  const invoice = preparedInvoice(aDifference(step.id, step.of, "20"));
  const request = { userId: OWNER, invoiceId, cause: "returned", requestId: callers.nextRequest(), invoice };
  return callers.settle(shops.direct, `issue ${step.id}`, () =>
    callers.to(shops.direct).rectifyInvoice(shops.direct.connectionId, request),
  );
}

/** One event after the other and all of them at once. */
function ordersTogether(world: World, step: Extract<Step, { do: "orders together" }>): Promise<unknown> {
  const bodies = [[], ...step.events.map((event) => [event]), step.events];
  const sent = { shop: step.shop, id: step.id, flag: "plain", updatedAt: undefined } as const;
  return Promise.all(bodies.map((events) => sendOrder(world, { ...sent, events })));
}

function answer(world: World, step: Extract<Step, { do: "answer" | "decide again" }>): Promise<unknown> {
  const { callers, shops } = world;
  const { connectionId } = shops[step.shop];
  const asking = { userId: OWNER, idExternal: step.id, requestId: callers.nextRequest() };
  const about = { connectionId, about: `answer ${step.id}` };
  const client = callers.to(shops[step.shop]);
  if (step.do === "decide again") return callers.ask(about, () => client.decideAgain(connectionId, asking));
  const given = { ...asking, answer: ANSWERS[step.answer] };
  return callers.ask(about, () => client.answerOrder(connectionId, given));
}

/** A customer's page, by a URL that the end of access outlives. */
async function view(world: World, step: Extract<Step, { do: "view" }>): Promise<void> {
  const { callers, shops, access, scheduler, snapshots } = world;
  const shop = shops[step.shop];
  const request = { idExternal: step.id, presentation: "link" } as const;
  const opened = await callers.ask({ ...shop, about: `access ${step.id}` }, () =>
    callers.to(shop).openAccess(callers.callerOf(shop), request),
  );
  if (opened?.outcome !== "available") return;
  const { epoch, documents } = opened;
  const [token, madeAt] = [`token-${callers.nextRequest()}`, scheduler.now];
  await snapshots.keep(token, documents);
  await scheduler.sleep(world.chance.between(0, 5_000), "customer waits");
  const isEnded = access.hasEndedSince(shop.connectionId, madeAt);
  const viewing = { connectionId: shop.connectionId, epoch, idExternal: step.id, withDocuments: false };
  const page = await pageOf(token, viewing, snapshots, (asked) =>
    callers.ask({ ...shop, about: `view ${step.id}` }, () => callers.to(shop).viewInvoices(asked)),
  );
  if (!page) return;
  count(world.figures, "page shown");
  if (isEnded) world.fail("answer", `${step.id} was shown after access had ended`);
  const numbers = new Set(page.views.map(({ fullNumber }) => fullNumber));
  const isSame = documents.views.every(({ fullNumber }) => numbers.has(fullNumber));
  if (!isSame) world.fail("lost", `the page of ${step.id} lacks an invoice that its URL was made with`);
}

const REPORT = {
  resource: "status",
  statuses: [{ idExternal: "5", name: "Cancelado", paid: false, cancelled: true }],
} as const;

async function ownersAct(step: Step, world: World): Promise<unknown> {
  switch (step.do) {
    case "consent": {
      const { connectionId } = world.shops[step.shop];
      const consent = world.consents.begins(connectionId, step.cutoff);
      const word = world.lastWords.begins(`consent ${connectionId}`, "given");
      const isDone = await owner(world, step.shop, {
        ...aConsent(newId("co", LEDGER, world.chance.bytes)),
        cutoffDate: civilDate(step.cutoff),
      });
      word.ends(isDone);
      return consent.ends();
    }
    case "withdraw": {
      const { connectionId } = world.shops[step.shop];
      const withdrawal = world.consents.withdraws(connectionId);
      const word = world.lastWords.begins(`consent ${connectionId}`, "withdrawn");
      const isDone = await owner(world, step.shop, { verb: "withdraw_consent" });
      word.ends(isDone);
      if (!isDone) return;
      const { invoices } = booksOf(world.template.database, connectionId);
      return withdrawal.isDone(invoices.map(({ origin }) => origin));
    }
    case "cutoff": {
      const move = world.consents.begins(world.shops[step.shop].connectionId, step.cutoff);
      await owner(world, step.shop, { verb: "move_cutoff", cutoffDate: civilDate(step.cutoff) });
      return move.ends();
    }
    case "company":
      return world.moveCompany();
    case "webhook": {
      const url = `https://receptor.es/${step.shop}`;
      return owner(world, step.shop, { verb: "register_webhook", url, events: WEBHOOK_EVENTS });
    }
    case "callback": {
      const word = world.lastWords.begins(`callback ${world.shops[step.shop].connectionId}`, "registered");
      const url = `https://tienda.es/${step.shop}`;
      word.ends(await owner(world, step.shop, { verb: "register_callback", url }));
      return owner(world, step.shop, { verb: "ask_for_orders" });
    }
    case "no callback": {
      const word = world.lastWords.begins(`callback ${world.shops[step.shop].connectionId}`, "removed");
      return word.ends(await owner(world, step.shop, { verb: "remove_callback" }));
    }
    case "second thoughts":
      return secondThoughts(world, step);
    case "second key":
    case "revoke key":
      return secondKey(world, step);
    case "access": {
      const { connectionId } = world.shops[step.shop];
      const before = world.access.begins(connectionId, step.isOn);
      const word = world.lastWords.begins(`access ${connectionId}`, step.isOn ? "on" : "off");
      const isDone = await owner(world, step.shop, { verb: "switch_customer_access", enabled: step.isOn });
      word.ends(isDone);
      if (isDone) before.isDone();
      return;
    }
    default:
      return trouble(step, world);
  }
}

async function owner(world: World, name: ShopName, request: OwnerRequest): Promise<boolean> {
  const { callers, shops } = world;
  const { connectionId } = shops[name];
  const outcome = await callers.settle(shops[name], `${request.verb} ${callers.nextRequest()}`, () =>
    callers.to(shops[name]).act(connectionId, OWNER, request),
  );
  return outcome?.outcome === "done";
}

/** An instance ends with an owner's batch on its way, and the console with it: then the owner says the opposite. */
async function secondThoughts(
  world: World,
  { shop, about, atMs }: Extract<Step, { do: "second thoughts" }>,
): Promise<unknown> {
  const { network, scheduler, objects, chance, shops, consents, lastWords } = world;
  const { connectionId } = shops[shop];
  const [cutoff] = CUTOFFS;
  const [first, opposite] = contrary(world, about, { atMs, shop });
  const [subject = about] = about.split(" ");
  const word = lastWords.begins(`${subject} ${connectionId}`, about);
  const consent = subject === "consent" ? consents.begins(connectionId, cutoff) : undefined;
  network.weather.congestedUntil = scheduler.now + 60;
  const answered = objects
    .get(connectionId)
    ?.call("act", [connectionId, OWNER, first])
    .catch(() => {});
  await scheduler.sleep(chance.between(10, 60), "owner waits");
  objects.get(connectionId)?.kill();
  await answered;
  consent?.ends();
  word.ends(false);
  return ownersAct(opposite, world);
}

function contrary(
  { chance }: World,
  about: Extract<Step, { do: "second thoughts" }>["about"],
  of: { readonly atMs: number; readonly shop: ShopName },
): readonly [first: OwnerRequest, opposite: Step] {
  switch (about) {
    case "consent": {
      const given = { ...aConsent(newId("co", LEDGER, chance.bytes)), cutoffDate: civilDate(CUTOFFS[0]) };
      return [given, { do: "withdraw", ...of }];
    }
    case "access on":
    case "access off": {
      const isOn = about === "access on";
      return [
        { verb: "switch_customer_access", enabled: isOn },
        { do: "access", isOn: !isOn, ...of },
      ];
    }
    case "callback":
      return [
        { verb: "register_callback", url: `https://tienda.es/${of.shop}` },
        { do: "no callback", ...of },
      ];
  }
}

/** A second key is opened, used, and revoked: from the acknowledgement on it opens nothing. */
async function secondKey(
  world: World,
  step: Extract<Step, { do: "second key" | "revoke key" }>,
): Promise<void> {
  const { callers, shops } = world;
  const shop = shops[step.shop];
  const hash = sha256Hex(`second key of ${shop.connectionId}`);
  const use = () =>
    callers.ask({ ...shop, about: "second-key" }, () => callers.to(shop).admit(callers.callerOf(shop, hash)));
  await owner(world, step.shop, { verb: "open_key", id: `ky${LEDGER}${hash.slice(0, 20)}`, hash });
  // Waits in the queue, so that the object knows its keys anew.
  const asking = { idExternal: "1", answers: [], requestId: callers.nextRequest() };
  await callers.ask({ ...shop, about: "owner-preview" }, () =>
    callers.to(shop).previewOrder(shop.connectionId, asking),
  );
  await use();
  if (step.do === "second key") return;
  if (!(await owner(world, step.shop, { verb: "revoke_key", hash }))) return;
  if ((await use())?.outcome === "admitted") world.fail("answer", "a revoked key was admitted");
}

async function trouble(step: Step, world: World): Promise<unknown> {
  const { network, scheduler, objects, shops, chance, authority } = world;
  switch (step.do) {
    case "kill":
      return objects.get(shops[step.shop].connectionId)?.kill();
    case "deploy":
      return objects
        .get(shops[step.shop].connectionId)
        ?.deploy(chance.is(0.3) ? chance.between(-300_000, 300_000) : 0);
    case "outage":
      network.weather.outageUntil = scheduler.now + step.ms;
      return;
    case "authority down": {
      const before = authority.weather.faults;
      authority.weather.faults = 1;
      scheduler.after(step.ms, "authority is back", () => {
        authority.weather.faults = world.isQuiet ? 0 : before;
      });
      return;
    }
    default:
      throw new Error(`no step ${step.do}`);
  }
}
