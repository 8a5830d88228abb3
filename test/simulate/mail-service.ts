/**
 * The mail service as a model: it takes mails, refuses addresses, is silent, is down, and remembers
 * every call.
 */
import type { MailResult } from "../../src/domain/mailing/invoice-delivery.ts";
import type { InvoiceMailer } from "../../src/work/mailing/deliver-mails.ts";
import type { Chance } from "./chance.ts";
import { NO_MAILBOX } from "./mail-steps.ts";
import type { Life } from "./object.ts";
import type { Scheduler } from "./scheduler.ts";

export const MAIL_FAULTS = [
  "unavailable",
  /** Nothing is taken, and the caller waits for the whole time limit. */
  "timeout",
  /** The mail is taken, and its answer never comes. */
  "answer_lost",
  /** The mail is taken, and its answer says that it was not. */
  "taken_and_failed",
  /** The mail cannot be made. */
  "broken",
] as const;

type MailFault = (typeof MAIL_FAULTS)[number];

/** One attempt that reached the service. */
export interface MailCall {
  readonly deliveryId: string;
  readonly invoiceId: string;
  readonly attempt: number;
  readonly to: string;
  readonly at: number;
  isTaken: boolean;
  /** What its instance was told; undefined if the instance had ended. */
  told?: MailResult["result"] | "broken";
}

interface MailServiceDeps {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly count: (what: string) => void;
}

const TIME_LIMIT_MS = 20_000;

export class MailService {
  readonly weather = { faults: 0, downUntil: 0 };
  readonly calls: MailCall[] = [];
  readonly #deps: MailServiceDeps;
  #turn: number;

  constructor(deps: MailServiceDeps) {
    this.#deps = deps;
    this.#turn = deps.chance.below(MAIL_FAULTS.length);
  }

  mailerOf(life: Life): InvoiceMailer {
    return {
      // The simulated company is verified, so that nobody asks.
      isOwnAddress: async () => false,
      send: ({ id, to, attempts }, { view }) => {
        const call: MailCall = {
          ...{ deliveryId: id, invoiceId: view.invoiceId, attempt: attempts, to, isTaken: false },
          at: this.#deps.scheduler.now,
        };
        this.calls.push(call);
        return this.#send(call, life);
      },
    };
  }

  /** They take turns: a history has few of them, and a few histories are to meet each. */
  #nextFault(): MailFault | undefined {
    this.#turn += 1;
    return MAIL_FAULTS[this.#turn % MAIL_FAULTS.length];
  }

  #send(call: MailCall, life: Life): Promise<MailResult> {
    const { scheduler, chance, count } = this.#deps;
    const { promise, resolve, reject } = Promise.withResolvers<MailResult>();
    const tell = (delayMs: number, told: MailResult) =>
      scheduler.after(delayMs, "mail service answers", () => {
        // An instance that has ended hears nothing.
        if (life.isOver) return;
        call.told = told.result;
        resolve(told);
      });
    const isDown = scheduler.now < this.weather.downUntil;
    const drawn = chance.is(this.weather.faults) ? this.#nextFault() : undefined;
    const fault = isDown ? "unavailable" : drawn;
    if (fault) count(`mail ${fault}`);
    if (fault === "broken") {
      call.told = "broken";
      reject(new Error("the mail cannot be made"));
      return promise;
    }
    scheduler.after(chance.between(5, 400), "mail arrives", () => {
      const travelMs = chance.between(5, 400);
      if (fault === "unavailable") tell(travelMs, { result: "not_taken" });
      else if (fault === "timeout") tell(TIME_LIMIT_MS, { result: "not_taken" });
      else if (call.to === NO_MAILBOX) {
        count("mail refused");
        tell(travelMs, { result: "refused", error: "address_refused" });
      } else {
        call.isTaken = true;
        count("mail taken");
        if (fault === "answer_lost") tell(TIME_LIMIT_MS, { result: "not_taken" });
        else if (fault === "taken_and_failed") tell(travelMs, { result: "not_taken" });
        else tell(travelMs, { result: "taken" });
      }
    });
    return promise;
  }
}
