/** Everything that a history happens in: clock, network, objects, authority, receivers, cron, callers. */
import { dueStore } from "../../src/db/due/due-store.ts";
import { CRON } from "../../src/domain/limits.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { withDeadline } from "../../src/platform/limits.ts";
import { faultOf } from "../../src/platform/log.ts";
import { newBudget } from "../../src/work/budget.ts";
import { sweep } from "../../src/work/sweep.ts";
import { type Problem, problem } from "../support/rules/book-rules.ts";
import { authorityOf, type SimulatedAuthority } from "./authority.ts";
import { acknowledgedProblems, booksOf } from "./books.ts";
import { Callers } from "./callers.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { Desk } from "./console-acts.ts";
import { count, type Figures } from "./figures.ts";
import { type Snapshots, snapshotsOf } from "./key-value.ts";
import { MailLog } from "./mail-acts.ts";
import { MailService } from "./mail-service.ts";
import { ConnectedShop } from "./native-acts.ts";
import { NativeShop } from "./native-shop.ts";
import { type Network, networkOf } from "./network.ts";
import { type PlatformFaults, SimulatedObject } from "./object.ts";
import { AccessLog, Consents, LastWords, type Move } from "./owner-log.ts";
import { type Receivers, receiversOf } from "./receivers.ts";
import { Scheduler } from "./scheduler.ts";
import type { NativeShopName } from "./steps.ts";
import { LEDGER, type Template } from "./template.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly startsAt: number;
  readonly keepsLines?: boolean;
}

const CRON_MS = 60_000;

export class World {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly authority: SimulatedAuthority;
  readonly receivers: Receivers;
  readonly snapshots: Snapshots;
  readonly platform: PlatformFaults = { alarmLost: 0, alarmTwice: 0, storageFails: 0 };
  readonly objects: ReadonlyMap<string, SimulatedObject>;
  readonly callers: Callers;
  /** Shops with documents of their own. */
  readonly native: Readonly<Record<NativeShopName, ConnectedShop>>;
  readonly mails: MailLog;
  readonly desk = new Desk();
  readonly consents = new Consents();
  readonly lastWords = new LastWords();
  readonly moves: Move[] = [];
  readonly access: AccessLog;
  readonly figures: Figures = new Map();
  readonly problems: Problem[] = [];
  readonly template: Template;
  /** No more faults. */
  isQuiet = false;

  constructor(template: Template, { seed, startsAt, keepsLines = false }: WorldOptions) {
    template.database.rewind();
    this.template = template;
    this.chance = chanceOf(seed, 1);
    this.scheduler = new Scheduler(startsAt, chanceOf(seed, 2), keepsLines);
    const { scheduler, chance, figures } = this;
    const counting = (what: string) => count(figures, what);
    this.network = networkOf(scheduler, chanceOf(seed, 3));
    this.authority = authorityOf({
      ...{ scheduler, chance: chanceOf(seed, 4), count: counting },
      hasSkew: () => [...this.objects.values()].some((object) => object.hasSkew),
    });
    this.receivers = receiversOf({ scheduler, chance: chanceOf(seed, 5), count: counting });
    this.snapshots = snapshotsOf({ scheduler, chance: chanceOf(seed, 7), count: counting });
    const service = new MailService({ scheduler, chance: chanceOf(seed, 10), count: counting });
    this.mails = new MailLog(service, chanceOf(seed, 12));
    const { network, platform, authority, receivers } = this;
    const nativeOf = (name: NativeShopName) =>
      new ConnectedShop(
        template.shops[name],
        new NativeShop({ name, scheduler, chance: chanceOf(seed, 8), count: counting }),
      );
    this.native = { posting: nativeOf("posting"), fetching: nativeOf("fetching") };
    const { shop: fetched } = this.native.fetching;
    this.objects = new Map(
      Object.values(template.shops).map(({ connectionId }) => [
        connectionId,
        new SimulatedObject(connectionId, {
          ...{ scheduler, chance, network, platform, count: counting },
          database: template.database,
          sendOf: (life) => receivers.sendOf(life),
          mailerOf: (life) => service.mailerOf(life),
          submissionOf: (life, binding) => authority.depsOf(life, binding, connectionId),
          shopApisOf:
            connectionId === template.shops.fetching.connectionId
              ? (life) => fetched.apisOf(life)
              : undefined,
        }),
      ]),
    );
    this.access = new AccessLog(scheduler);
    this.callers = new Callers({
      ...{ scheduler, chance: chanceOf(seed, 6), figures, objects: this.objects },
      check: (told) => (this.isQuiet ? [] : acknowledgedProblems(told, template.database)),
    });
  }

  get shops(): Template["shops"] {
    return this.template.shops;
  }

  /** An instance of a connection that is used ends, or is replaced, between any two awaits. */
  disturb(): void {
    const used = [...this.objects.values()].filter(({ isUsed }) => isUsed);
    const [object] = this.chance.shuffled(used);
    if (this.chance.is(0.5)) object?.kill();
    else object?.deploy();
  }

  /** Its owner changes the company in the console, past every object. */
  moveCompany(): void {
    const { database, accountId } = this.template;
    const city = `Ciudad ${this.moves.length + 1}`;
    const ends = [...this.objects.keys()].map((id) => [id, booksOf(database, id).records.length] as const);
    database.sqlite.prepare("UPDATE account SET city = ? WHERE id = ?").run(city, accountId);
    this.moves.push({ city, after: new Map(ends) });
  }

  fail(kind: Problem["kind"], what: string): void {
    this.problems.push(problem(kind, what));
  }

  /** Cron's sweep each minute, until the faults end. */
  beginCron(): void {
    this.scheduler.after(this.chance.below(CRON_MS), "cron", () => {
      if (this.isQuiet) return;
      count(this.figures, "sweep");
      void this.sweep().catch(() => count(this.figures, "sweep failed"));
      this.beginCron();
    });
  }

  /** What cron would find now, however short it is due. */
  async dueNow(): Promise<readonly string[]> {
    const { connectionsWithDueWork } = this.#dueStore();
    const { now } = this.scheduler;
    return connectionsWithDueWork({ overdueSince: now, today: civilDate("2026-01-01"), limit: 10 });
  }

  #dueStore() {
    const binding = this.template.database.d1(this.network.travelOf({ isOver: false }));
    return dueStore(binding, { isOn: true, wantsRepresentation: false, mayCallOut: true });
  }

  async sweep(): Promise<void> {
    const { scheduler, objects } = this;
    const { connectionsWithDueWork } = this.#dueStore();
    const now = () => scheduler.now;
    const run = sweep({
      ledgers: [
        {
          ledger: LEDGER,
          // D1 answers them in any order, which no seed decides.
          connectionsWithDueWork: async (query) => [...(await connectionsWithDueWork(query))].toSorted(),
        },
      ],
      wake: async (connectionId) => objects.get(connectionId)?.wakeUp(),
      ...{ now, budget: newBudget(now), log: () => {}, faultOf },
    });
    await withDeadline(run, CRON.deadlineMs, (delayMs, act) =>
      scheduler.after(delayMs, "cron deadline", act),
    );
  }
}
