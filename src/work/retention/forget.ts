import type { CompanyRegister } from "../../db/companies/registered-company.ts";
import type { AgedStore } from "../../db/retention/retention-store.ts";
import type { SignedDocuments } from "../../db/submission/evidence-store.ts";
import { CRON, PROOF } from "../../domain/limits.ts";
import { DAYS_OF_BODIES, DAYS_OF_DELIVERIES, DAYS_WITHOUT_NEED } from "../../domain/retention/keeping.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Budget, guarded, type JobLog, rotated } from "../budget.ts";

export interface ForgetDeps extends JobLog {
  readonly ledgers: readonly ({ readonly ledger: string } & AgedStore)[];
  /** Sessions, links and counters of the directory that are past their time. */
  readonly directory: {
    /** Deletes at most `limit` rows of each kind; answers the largest number deleted. */
    readonly forgetExpired: (now: Instant, limit: number) => Promise<number>;
    readonly queries: number;
  };
  /** Objects in R2. */
  readonly bodies: { readonly erase: (keys: readonly string[]) => Promise<void> };
  readonly now: () => Instant;
  readonly budget: Budget;
}

/** In UTC, as `wrangler.toml` has it too: every hour. */
export const HOURLY_CRON = "23 * * * *";

const DAY_MS = 86_400_000;
const MINUTES_OF_HOUR = 60;
const PAGE = 200;
/** Rows of people are short, and a flood of sign-ins creates many. */
const PAGE_OF_PEOPLE = 1_000;
const QUERIES_OF_PAGE = 4;

/**
 * Deletes expired rows, some every hour, so that no kind waits for long. Each hour another database comes
 * first. Answers the number of kinds with rows that remain.
 */
export async function forget(deps: ForgetDeps): Promise<number> {
  const { now, budget } = deps;
  const startedAt = now();
  let left = 0;
  for (const { place, page, queries, some } of rotated(
    kindsOf(deps, startedAt),
    startedAt / MINUTES_OF_HOUR,
  )) {
    left += 1;
    await guarded({ job: "forget", ...place }, deps, async () => {
      while (budget.take(queries)) {
        if ((await some()) >= page) continue;
        left -= 1;
        return;
      }
    });
  }
  return left;
}

interface Kind {
  readonly place: { readonly ledger: string } | { readonly database: string };
  readonly page: number;
  readonly queries: number;
  /** Deletes a page and answers its size. */
  readonly some: () => Promise<number>;
}

function kindsOf({ ledgers, directory, bodies }: ForgetDeps, startedAt: Instant): readonly Kind[] {
  const aged = (days: number) => ({ before: startedAt - days * DAY_MS, at: startedAt, limit: PAGE });
  return [
    {
      place: { database: "directory" },
      page: PAGE_OF_PEOPLE,
      queries: directory.queries,
      some: () => directory.forgetExpired(startedAt, PAGE_OF_PEOPLE),
    },
    ...ledgers.flatMap((store) =>
      [
        () => store.forgetOrders(aged(DAYS_WITHOUT_NEED)),
        () => store.forgetClients(aged(DAYS_WITHOUT_NEED)),
        () => store.forgetBodies(aged(DAYS_OF_BODIES)),
        () => store.forgetDeliveries(aged(DAYS_OF_DELIVERIES)),
        () => store.forgetDrafts(aged(DAYS_WITHOUT_NEED)),
        () => eraseDropped(store, bodies, startedAt),
      ].map((some) => ({ place: { ledger: store.ledger }, page: PAGE, queries: QUERIES_OF_PAGE, some })),
    ),
  ];
}

/** The objects go before the rows that name them, so that a crash in between loses no key. */
async function eraseDropped(
  { droppedBodies, endDroppedBodies }: AgedStore,
  bodies: ForgetDeps["bodies"],
  at: Instant,
): Promise<number> {
  const keys = await droppedBodies(at, PAGE);
  if (keys.length === 0) return 0;
  await bodies.erase(keys);
  await endDroppedBodies(keys);
  return keys.length;
}

export interface ForgetProofsDeps extends JobLog {
  readonly register: Pick<CompanyRegister, "endedTexts" | "settleText" | "forgetUnused">;
  readonly documents: Pick<SignedDocuments, "forgetProof">;
  readonly now: () => Instant;
  readonly budget: Budget;
}

/** Twice the validity of a nonce, to allow for delays. */
const KEPT_MS = 2 * PROOF.nonceMs;
const PROOFS_PAGE = 200;
const QUERIES_OF_ONE = 2;
/** Pages of unused texts in one run; documents have the rest of the items. */
const PROOFS_PAGES = CRON.items / 5;

/**
 * Deletes unused proof texts, and documents that an operator has reviewed from R2. Each has a share, so that
 * a flood of one keeps none of the other. Answers the number that remain.
 */
export async function forgetProofs(deps: ForgetProofsDeps): Promise<number> {
  const { register, documents, budget, now } = deps;
  const before = now() - KEPT_MS;
  let pages = 0;
  let isFull = true;
  await guarded({ job: "forget_proofs", database: "directory" }, deps, async () => {
    while (isFull && pages++ < PROOFS_PAGES && budget.take()) {
      isFull = (await register.forgetUnused(before, PROOFS_PAGE)) === PROOFS_PAGE;
    }
  });
  const found = await register.endedTexts(before, CRON.items);
  let left = found.length + (isFull ? 1 : 0);
  for (const { nonce, accountId } of found) {
    if (!budget.take(QUERIES_OF_ONE)) return left;
    await guarded({ job: "forget_proofs", database: "directory" }, deps, async () => {
      await documents.forgetProof(accountId, nonce);
      await register.settleText(nonce, now());
      left -= 1;
    });
  }
  return left;
}
