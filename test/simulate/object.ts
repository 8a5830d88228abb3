/** The object of one connection as the platform runs it: instances, storage, one alarm, calls from outside. */
import { ledgerStore } from "../../src/db/ledger-store.ts";
import { rejectedStore } from "../../src/db/submission/submission-status.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { mapOrder as woocommerce } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import type { HighWater } from "../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../src/ledger/core/ledger.ts";
import { D1_DEADLINE_MS, withDeadline } from "../../src/platform/limits.ts";
import type { ShopApis } from "../../src/platform/shop-api.ts";
import type { SendMessage } from "../../src/work/callback/deliver-callback.ts";
import type { SubmissionDeps } from "../../src/work/due-work.ts";
import type { InvoiceMailer } from "../../src/work/mailing/deliver-mails.ts";
import { unsignedFacturae } from "../support/einvoice/unsigned.ts";
import { shopsOn } from "../support/worlds/shop-deps.ts";
import type { RewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import type { Chance } from "./chance.ts";
import type { Network } from "./network.ts";
import type { Scheduler } from "./scheduler.ts";
import { LEDGER, SOFTWARE } from "./template.ts";

export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly network: Network;
  readonly database: RewindableDatabase;
  /** Chances of the platform's own faults. */
  readonly platform: PlatformFaults;
  readonly sendOf: (life: Life) => SendMessage;
  readonly mailerOf: (life: Life) => InvoiceMailer;
  readonly submissionOf: (life: Life, binding: D1Database) => SubmissionDeps;
  /** The API of the connection's own shop, where it has one. */
  readonly shopApisOf: ((life: Life) => ShopApis) | undefined;
  /** Counts what has happened, for the figures. */
  readonly count: (what: string) => void;
}

export interface PlatformFaults {
  alarmLost: number;
  alarmTwice: number;
  storageFails: number;
}

export class Life {
  isOver = false;
  /** A newer instance is there: the next use of the storage ends this one. */
  isReplaced = false;
  /** How far its clock is off. */
  skewMs = 0;
  ledger: Ledger | undefined;
  readonly #ends: (() => void)[] = [];

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const act of this.#ends) act();
  }

  onEnd(act: () => void): void {
    this.#ends.push(act);
  }
}

const REPLACED_FOR_MS = 30_000;
/**
 * Calls that may still be routed to a replaced instance: every one of them passes the fence. What admits a call
 * without a write is asked of the newest instance only, as the platform does it.
 */
const FENCED = [
  "issueInvoice",
  "cancelInvoice",
  "submitOrder",
  "answerOrder",
  "correctRecord",
  "rectifyInvoice",
  "rectifyLines",
  "issueByHand",
];
const ALARM_TRIES = 6;

export class SimulatedObject {
  readonly connectionId: string;
  readonly #in: Surroundings;
  #life = new Life();
  #older: Life | undefined;
  #alarmAt: number | undefined;
  #stopAlarm: () => void = () => {};
  #isInAlarm = false;
  #mark: HighWater | undefined;

  constructor(connectionId: string, surroundings: Surroundings) {
    this.connectionId = connectionId;
    this.#in = surroundings;
  }

  get alarmAt(): number | undefined {
    return this.#alarmAt;
  }

  /** One of its instances had a wrong clock. */
  hasSkew = false;

  get isUsed(): boolean {
    return this.#life.ledger !== undefined;
  }

  get isInAlarm(): boolean {
    return this.#isInAlarm;
  }

  /** The process of the instance ends; what it has sent is on its way. */
  kill(): void {
    this.#in.count("kill");
    this.#in.scheduler.note(`kill ${this.connectionId}`);
    this.#life.end();
    this.#life = new Life();
  }

  /** A new instance takes the calls; the old one may go on beside it for a while. */
  deploy(skewMs = 0): void {
    const { scheduler, count } = this.#in;
    count("deploy");
    this.#older?.end();
    const older = this.#life;
    older.isReplaced = true;
    this.#older = older;
    scheduler.after(REPLACED_FOR_MS, "old instance stopped", () => older.end());
    this.#life = new Life();
    this.#life.skewMs = skewMs;
    if (skewMs !== 0) this.hasSkew = true;
  }

  /** From here on there is one instance, and it begins with nothing in its memory. */
  settleDown(): void {
    this.#older?.end();
    this.#life.end();
    this.#life = new Life();
  }

  async wakeUp(): Promise<void> {
    await this.#wakeAt(this.#life, this.#in.scheduler.now);
  }

  /** One call over RPC: it reaches an instance, and its answer may never come back. */
  call(name: string, given: readonly unknown[]): Promise<unknown> {
    const { scheduler, chance, count } = this.#in;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const travelMs = () => chance.between(0, 4);
    const broken = () =>
      reject(Object.assign(new Error("reset"), { durableObjectReset: true, retryable: true }));
    scheduler.after(travelMs(), `call ${name}`, () => {
      const hasOlder = this.#older !== undefined && !this.#older.isOver && FENCED.includes(name);
      const isToOlder = hasOlder && chance.is(0.4);
      const life = isToOlder && this.#older ? this.#older : this.#life;
      if (isToOlder) count("call of an older instance");
      let isAnswered = false;
      life.onEnd(() => {
        if (!isAnswered) scheduler.after(1, `broken ${name}`, broken);
      });
      const method: unknown = Reflect.get(this.#open(life), name);
      if (typeof method !== "function") throw new Error(`no call ${name}`);
      const answered = (settle: () => void) => {
        if (life.isOver) return;
        isAnswered = true;
        scheduler.after(travelMs(), `reply ${name}`, settle);
      };
      Reflect.apply(method, undefined, given).then(
        (answer: unknown) => answered(() => resolve(answer)),
        (error: unknown) => {
          scheduler.note(`thrown ${error instanceof Error ? error.stack : ""}`);
          answered(() => reject(error));
        },
      );
    });
    return promise;
  }

  #open(life: Life): Ledger {
    life.ledger ??= this.#ledgerOf(life);
    return life.ledger;
  }

  #ledgerOf(life: Life): Ledger {
    const { connectionId } = this;
    const { scheduler, chance, network, database, platform, sendOf, submissionOf, count } = this.#in;
    const { shopApisOf, mailerOf } = this.#in;
    const binding = database.d1(network.travelOf(life));
    const after = (delayMs: number, act: () => void) =>
      scheduler.after(delayMs, "timer", () => {
        if (!life.isOver) act();
      });
    const sleep = (delayMs: number) => new Promise<void>((resume) => after(delayMs, resume));
    return openLedger({
      ...{ connectionId, ledger: LEDGER, software: SOFTWARE, defaultRateLimit: 0, after },
      store: ledgerStore(binding, connectionId),
      declined: rejectedStore(binding, connectionId),
      facturae: unsignedFacturae(SOFTWARE, () => scheduler.now + life.skewMs),
      shops: shopsOn(binding, connectionId, {
        ...{ random: chance.bytes, mappers: { woocommerce } },
        ...(shopApisOf ? { apis: shopApisOf(life) } : {}),
      }),
      invoiceMailer: mailerOf(life),
      withDeadline: (call) => withDeadline(call, D1_DEADLINE_MS, after),
      now: () => scheduler.now + life.skewMs,
      random: chance.bytes,
      chance: chance.fraction,
      wakeAt: (at) => this.#wakeAt(life, at),
      mark: {
        read: async () => {
          await sleep(chance.between(0, 2));
          if (chance.is(platform.storageFails)) throw new Error("storage");
          return this.#mark;
        },
        raise: (to) => {
          scheduler.after(chance.between(0, 20), "mark", () => {
            // A replaced instance may be stopped by its write, or be the last that writes.
            if (!life.isOver && !(life.isReplaced && chance.is(0.5))) this.#mark = to;
            if (life.isReplaced) life.end();
          });
        },
      },
      jitter: () => sleep(5 + chance.fraction() * 45),
      alertOperator: (what) => {
        count(`alert ${what}`);
        scheduler.note(`alert ${what}`);
      },
      log: () => {},
      callbackPolicy: { ownHosts: ["api.cuadre.test"], allowLoopback: false },
      send: sendOf(life),
      submission: {
        ...submissionOf(life, binding),
        newOwner: () => newId("at", LEDGER, chance.bytes),
      },
    });
  }

  /** As the object sets its alarm: unless it is set for earlier. */
  async #wakeAt(life: Life, at: number): Promise<void> {
    const { scheduler, chance, platform } = this.#in;
    await scheduler.sleep(chance.between(0, 2), "storage");
    if (life.isReplaced) life.end();
    if (life.isOver || chance.is(platform.storageFails)) throw new Error("storage");
    if (this.#alarmAt === undefined || at < this.#alarmAt) this.#setAlarm(at);
  }

  #setAlarm(at: number, tries = 0): void {
    const { scheduler } = this.#in;
    this.#stopAlarm();
    this.#alarmAt = at;
    this.#stopAlarm = scheduler.after(at - scheduler.now, "alarm", () => this.#ring(tries));
  }

  #ring(tries: number): void {
    const { scheduler, chance, platform, count } = this.#in;
    const at = this.#alarmAt ?? scheduler.now;
    this.#alarmAt = undefined;
    // The platform runs one alarm of an object at a time.
    if (this.#isInAlarm) {
      this.#alarmAt = at;
      this.#stopAlarm = scheduler.after(50, "alarm waits", () => this.#ring(tries));
      return;
    }
    if (chance.is(platform.alarmLost)) {
      count("alarm lost");
      return;
    }
    if (chance.is(platform.alarmTwice)) {
      count("alarm twice");
      scheduler.after(chance.between(0, 500), "alarm again", () => void this.#run(tries, false));
    }
    void this.#run(tries, true);
  }

  async #run(tries: number, isTheOne: boolean): Promise<void> {
    const { count } = this.#in;
    const life = this.#life;
    if (isTheOne) this.#isInAlarm = true;
    count("alarm");
    let isDone = false;
    const failed = () => {
      if (!isDone && isTheOne) this.#again(tries);
      isDone = true;
    };
    life.onEnd(failed);
    try {
      const next = await this.#open(life).wake();
      if (next !== undefined) await this.#wakeAt(life, next);
      if (isDone) return;
      isDone = true;
      if (isTheOne) this.#isInAlarm = false;
    } catch {
      failed();
    }
  }

  /** The platform repeats an alarm that failed, a few times. */
  #again(tries: number): void {
    this.#isInAlarm = false;
    const at = this.#in.scheduler.now + 2_000 * 2 ** tries;
    if (tries < ALARM_TRIES && (this.#alarmAt === undefined || at < this.#alarmAt)) {
      this.#setAlarm(at, tries + 1);
    }
  }
}
