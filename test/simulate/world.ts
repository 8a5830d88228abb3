/** Everything that a history happens in: clock, network, objects, authority, receivers, cron, callers. */
import { dueStore } from "../../src/db/due/due-store.ts";
import { CRON } from "../../src/domain/limits.ts";
import { withDeadline } from "../../src/platform/limits.ts";
import { faultOf } from "../../src/platform/log.ts";
import { newBudget } from "../../src/work/budget.ts";
import { sweep } from "../../src/work/sweep.ts";
import { type Problem, problem } from "../support/rules/book-rules.ts";
import { authorityOf, type SimulatedAuthority } from "./authority.ts";
import { acknowledgedProblems } from "./books.ts";
import { Callers } from "./callers.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { count, type Figures } from "./figures.ts";
import { type Snapshots, snapshotsOf } from "./key-value.ts";
import { type Network, networkOf } from "./network.ts";
import { type PlatformFaults, SimulatedObject } from "./object.ts";
import { type Receivers, receiversOf } from "./receivers.ts";
import { Scheduler } from "./scheduler.ts";
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
  readonly consents = new Consents();
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
    this.authority = authorityOf({ scheduler, chance: chanceOf(seed, 4), count: counting });
    this.receivers = receiversOf({ scheduler, chance: chanceOf(seed, 5), count: counting });
    this.snapshots = snapshotsOf({ scheduler, chance: chanceOf(seed, 7), count: counting });
    const { network, platform, authority, receivers } = this;
    this.objects = new Map(
      Object.values(template.shops).map(({ connectionId }) => [
        connectionId,
        new SimulatedObject(connectionId, {
          ...{ scheduler, chance, network, platform, count: counting },
          database: template.database,
          sendOf: (life) => receivers.sendOf(life),
          submissionOf: (life, binding) => authority.depsOf(life, binding, connectionId),
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

  async sweep(): Promise<void> {
    const { scheduler, network, objects, template } = this;
    const binding = template.database.d1(network.travelOf({ isOver: false }));
    const { connectionsWithDueWork } = dueStore(binding, { isOn: true, wantsRepresentation: false });
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

/** The consents and cutoffs that an owner has tried to set. */
export class Consents {
  readonly #cutoffs = new Map<string, string[]>();
  /** For connections without a consent since an acknowledged withdrawal: the origins of that moment. */
  readonly #issuedBefore = new Map<string, readonly string[]>();
  readonly #uncertain = new Set<string>();

  /** A consent may be in force from here on, and for good if its owner is never told what came of it. */
  begins(connectionId: string, cutoff: string): { readonly ends: (isDone: boolean) => void } {
    this.#cutoffs.set(connectionId, [...this.cutoffsOf(connectionId), cutoff]);
    this.#issuedBefore.delete(connectionId);
    return {
      ends: (isDone) => {
        this.#issuedBefore.delete(connectionId);
        if (!isDone) this.#uncertain.add(connectionId);
      },
    };
  }

  withdrawn(connectionId: string, origins: readonly string[]): void {
    if (this.#issuedBefore.has(connectionId) || this.#uncertain.has(connectionId)) return;
    this.#issuedBefore.set(connectionId, origins);
  }

  cutoffsOf(connectionId: string): readonly string[] {
    return this.#cutoffs.get(connectionId) ?? [];
  }

  /** Undefined where there may be a consent. */
  issuedBefore(connectionId: string): readonly string[] | undefined {
    return this.#issuedBefore.get(connectionId);
  }
}

interface EndOfAccess {
  readonly connectionId: string;
  readonly beganAt: number;
  isDone: boolean;
}

/** When customers' access was switched off. */
export class AccessLog {
  readonly #scheduler: Scheduler;
  readonly #ends: EndOfAccess[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  begins(connectionId: string, isOn: boolean): { readonly isDone: () => void } {
    if (isOn) return { isDone: () => {} };
    const end = { connectionId, beganAt: this.#scheduler.now, isDone: false };
    this.#ends.push(end);
    return {
      isDone: () => {
        end.isDone = true;
      },
    };
  }

  /** It was switched off, which the owner knows, after a URL was made. */
  hasEndedSince(connectionId: string, madeAt: number): boolean {
    return this.#ends.some((end) => end.connectionId === connectionId && end.isDone && end.beganAt >= madeAt);
  }
}
