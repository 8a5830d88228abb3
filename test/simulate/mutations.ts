/**
 * Deliberate breaks of the product, for one run each: a text of its source that is patched while it is loaded, or a
 * change of the schema. Histories must find every one of them.
 */
import { MAIL_MUTATIONS } from "./mail-mutations.ts";
import { type Mutation, patch } from "./patches.ts";

const CACHE = "ledger/core/ledger-cache.ts";
const ISSUE = "ledger/issue/settle-invoices.ts";
const RECEIVE = "ledger/deliveries/receive-delivery.ts";
const ORDERS = "ledger/orders/settle-orders.ts";
const QUESTION = "ledger/orders/answer-question.ts";
const BY_HAND = "ledger/issue/issue-by-hand.ts";

/** No trigger compares the head of a batch, nor what a number or a record follows. */
const NO_FENCE = ["ledger_head_fence", "ledger_head_update"].map((name) => `DROP TRIGGER ${name}`);

export const MUTATIONS: readonly Mutation[] = [
  { name: "fence-off", what: "the fence compares no head", sql: NO_FENCE },
  {
    name: "settings-fence-off",
    what: "the fence compares no settings, and no read does",
    sql: [
      "DROP TRIGGER ledger_head_fence",
      `CREATE TRIGGER ledger_head_fence BEFORE INSERT ON ledger_head BEGIN
        SELECT RAISE(ABORT, 'fence:stale_head') WHERE NEW.seq <> 1 +
          coalesce((SELECT seq FROM ledger_head WHERE connection_id = NEW.connection_id), 0);
      END`,
    ],
    patches: [
      patch(ORDERS, "found.settingsVersion !== books.settings.version", "false"),
      patch(ORDERS, "found.settingsVersion !== settings.version", "false"),
    ],
  },
  {
    name: "closing-off",
    what: "an unknown outcome is read without closing it first",
    patches: [
      patch(
        CACHE,
        "this.#store.load({ ...request, closing })",
        "this.#store.load({ ...request, closing: false })",
      ),
    ],
  },
  {
    name: "lost-is-committed",
    what: "a batch without an answer counts as committed",
    patches: [
      patch(
        CACHE,
        'return { result: "lost", found: await this.load(request) };',
        'await this.load(request); return { result: "committed" };',
      ),
    ],
  },
  {
    name: "replay-forgotten",
    what: "a known external_id is judged as a new one",
    patches: [
      patch("ledger/issue/judge-invoice.ts", "if (known) return judgeKnown(known.view, invoice);", ""),
    ],
  },
  {
    name: "conflict-forgotten",
    what: "another body under a known external_id is a replay",
    patches: [patch("ledger/issue/judge-invoice.ts", "if (!same) return", "if (false) return")],
  },
  {
    name: "repeats-are-new",
    what: "equal requests of one group are each acknowledged as new",
    patches: [patch("ledger/issue/decide-group.ts", "if (fresh.has(hash)) return", "if (false) return")],
  },
  {
    name: "refusal-unconfirmed",
    what: "a refusal is not confirmed by a read",
    patches: [
      patch(
        ISSUE,
        "const isConfirmed = await readMissing(together(refused.map(ownOf)), books, attempt, deps);",
        "const isConfirmed = true;",
      ),
    ],
  },
  {
    name: "heads-before-commit",
    what: "memory moves before the batch is known to be committed, and no trigger compares",
    sql: [...NO_FENCE, "DROP TRIGGER record_append"],
    patches: [
      patch(
        CACHE,
        "const settled = await (isOnlyNewInvoices(batch)",
        "this.#books = next; const settled = await (isOnlyNewInvoices(batch)",
      ),
      patch(
        CACHE,
        'this.forget();\n      this.#isLost = true;\n      return { result: "lost", found: await this.load(request) };',
        'this.#isLost = true; const kept = this.#books; const found = await this.load(request); this.#books = kept; return { result: "lost", found };',
      ),
      patch(CACHE, 'if (settled.result !== "committed" && settled.result !== "exists") this.forget();', ""),
    ],
  },
  {
    name: "answered-before-commit",
    what: "callers are answered while the batch is on its way",
    patches: [
      patch(
        ISSUE,
        "return (await commit(group, working, books, attempt, deps)) ? outcomes : undefined;",
        "void commit(group, working, books, attempt, deps).catch(() => {}); return outcomes;",
      ),
    ],
  },
  {
    name: "wrong-predecessor",
    what: "a record has the hash of the chain's first record before it, and no trigger looks",
    sql: ["DROP TRIGGER record_append"],
    patches: [
      patch(
        "ledger/issue/draft-records.ts",
        "  working.chain = headOf(record);\n  deps.createdInGroup.add(view.invoiceId);",
        "  working.chain = working.chain ? { ...headOf(record), hash: working.chain.hash } : headOf(record);\n  deps.createdInGroup.add(view.invoiceId);",
      ),
    ],
  },
  {
    name: "neighbours-failed",
    what: "one failing call fails its whole group",
    patches: [
      patch(
        "ledger/core/settle.ts",
        'return calls.length > 1 ? oneByOne(calls, settler, deps) : fail(calls, "poisonous_batch", deps);',
        'return fail(calls, "poisonous_batch", deps);',
      ),
    ],
  },
  {
    name: "queue-in-parallel",
    what: "the queue serves several groups at once, without a fence",
    sql: NO_FENCE,
    patches: [patch("ledger/core/queue.ts", "if (this.#isServing) return;", "")],
  },
  {
    name: "alarm-unarmed",
    what: "no alarm is armed for a batch, and cron finds nothing",
    patches: [
      patch("work/alarm-clock.ts", "await this.#arm();\n    try {", "try {"),
      patch("work/sweep.ts", "for (const connectionId of due) {", "for (const connectionId of []) {"),
    ],
  },
  {
    name: "sweep-blind",
    what: "cron wakes nobody",
    patches: [
      patch("work/sweep.ts", "for (const connectionId of due) {", "for (const connectionId of []) {"),
    ],
  },
  {
    name: "next-run-forgotten",
    what: "an alarm does not say when to ring again",
    patches: [
      patch("work/alarm-clock.ts", "return next === FOR_EVER ? undefined : next;", "return undefined;"),
    ],
  },
  {
    name: "lease-ignored",
    what: "an open attempt is taken over before its lease ends, and no trigger looks",
    sql: ["DROP TRIGGER submission_attempt_update"],
    patches: [
      patch(
        "domain/verifactu/submission/next-submission.ts",
        'return now < attempt.leaseUntil ? wait(attempt.leaseUntil, "lease") : takeOver(attempt);',
        "return takeOver(attempt);",
      ),
    ],
  },
  {
    name: "duplicates-rejected",
    what: "a duplicate after a lost message is taken for a stranger's",
    patches: [
      patch(
        "domain/verifactu/submission/meaning.ts",
        "if (!record.wasLost || !duplicate) return foreign;",
        "return foreign;",
      ),
    ],
  },
  {
    name: "attempt-unwritten",
    what: "a message is sent without its attempt",
    patches: [
      patch(
        "work/submission/submit-records.ts",
        "if (!(await isWritten(attempt, order.takesOver, deps))) return MOVED;",
        "await isWritten(attempt, order.takesOver, deps);",
      ),
    ],
  },
  {
    name: "answer-unapplied",
    what: "no answer is applied after a first failed write",
    patches: [
      patch("work/submission/submit-records.ts", "const APPLICATIONS = 4;", "const APPLICATIONS = 0;"),
    ],
  },
  {
    name: "no-answer-is-acceptance",
    what: "a message without an answer counts as accepted",
    patches: [
      patch(
        "work/submission/submit-records.ts",
        "const result = deps.authority.read(outcome);",
        'const read = deps.authority.read(outcome);\n  const lines = open.sent.map(({ reference, key, operation }) => ({ reference, key, operation, state: "accepted" }));\n  const result = read.result === "no_answer" ? { result: "answered", answer: { csv: "A", state: "accepted", lines } } : read;',
      ),
    ],
  },
  {
    name: "event-twice",
    what: "an event of an order acts again",
    patches: [
      patch("domain/order/judge-event.ts", "if (before) return judgeKnown(claim, before, course);", ""),
    ],
  },
  {
    name: "cutoff-ignored",
    what: "an order before the cutoff is invoiced",
    patches: [
      patch(
        "domain/order/gates.ts",
        "if (answers.released || orderDate >= cutoffDate) return undefined;",
        "return undefined;",
      ),
    ],
  },
  {
    name: "consent-ignored",
    what: "orders are invoiced without their owner's consent",
    patches: [patch("domain/order/gates.ts", "if (issuer.consented) return undefined;", "return undefined;")],
  },
  {
    name: "remainder-forgotten",
    what: "rectifications may take more than is left",
    patches: [
      patch(
        "domain/invoice/rectify.ts",
        "if (isBeyond && external.length === 0) return exceeds(request, own, group);",
        "",
      ),
    ],
  },
  {
    name: "revocation-late",
    what: "a revoked key opens an object that knew it",
    patches: [
      patch(
        "ledger/core/owner-verbs.ts",
        "const settled = revocation ? cache.revoke(revocation) : () => {};",
        "const settled = () => {};",
      ),
      patch(
        CACHE,
        "} finally {\n      this.forgetAdmission();\n    }",
        "} finally {\n      this.forget();\n    }",
      ),
    ],
  },
  {
    name: "last-word-unfenced",
    what: "an owner's verb that changes nothing sends no fence",
    patches: [
      patch(
        "ledger/core/owner-verbs.ts",
        "return (await this.record(() => [])) ? done(withSecret(decided, made)) : undefined;",
        "cache.forgetAdmission(); return done(withSecret(decided, made));",
      ),
    ],
  },
  {
    name: "webhook-cursor-off",
    what: "deliveries are made without the step of their cursor, and neither trigger nor index looks",
    patches: [
      patch(
        "db/webhooks/webhook-writes.ts",
        "const condition = sql`§{isListening} AND §{isAtCursor(move)}`;",
        "const condition = isListening;",
      ),
      patch(
        "db/webhooks/webhook-writes.ts",
        "WHERE §{condition} AND §{isNew} ORDER BY key",
        "WHERE §{condition} AND (1 OR §{isNew}) ORDER BY key",
      ),
    ],
    sql: ["DROP TRIGGER webhook_delivery_append", "DROP INDEX webhook_delivery_subject"],
  },
  {
    name: "entries-lost",
    what: "the lists pass an invoice over",
    patches: [
      patch(
        "db/entries/entry-store.ts",
        "...insertEntries(connectionId, one.entries, condition)",
        "...insertEntries(connectionId, one.entries.slice(1), condition)",
      ),
    ],
  },
  {
    name: "release-forgets",
    what: "the oldest of a chunk of deferred orders is passed over",
    patches: [
      patch(
        ORDERS,
        "const fresh = ids.filter((id) => !run.decided.has(id));",
        "const fresh = ids.slice(1).filter((id) => !run.decided.has(id));",
      ),
    ],
  },
  {
    name: "signature-ignored",
    what: "a delivery counts whatever its signature",
    patches: [
      patch(
        RECEIVE,
        "if (await isSignedBy(body, signature.trim(), secrets)) return undefined;",
        "return undefined;",
      ),
    ],
  },
  {
    name: "repeat-received",
    what: "a known delivery is received as a new one",
    patches: [patch(RECEIVE, "if (reading.isKnown) {", "if (false) {")],
  },
  {
    name: "older-document-decides",
    what: "an older document of an order decides over a newer one",
    patches: [
      patch(
        "ledger/orders/decide-orders.ts",
        "= newestFacts(stored?.facts, read.facts, stored && soFar(stored));",
        "= { facts: read.facts, stale: undefined };",
      ),
    ],
  },
  {
    name: "fetch-forgotten",
    what: "a fetched order that cannot be decided now is not fetched again",
    patches: [
      patch(
        "work/shops/shop-work.ts",
        'const isOver = decided === "nothing" ||',
        'const isOver = decided !== "decided" ||',
      ),
    ],
  },
  {
    name: "backfill-not-handed",
    what: "confirmed orders of a backfill are handed over without their fetch",
    patches: [
      patch(
        "db/shops/backfill-store.ts",
        "0, NULL, NULL §{next}",
        "0, NULL, NULL FROM (SELECT '' AS native_id) WHERE 0",
      ),
    ],
  },
  {
    name: "shop-access-ignored",
    what: "an order that was fetched under an earlier access is decided",
    patches: [
      patch(
        "ledger/orders/decide-orders.ts",
        "if (shopWrite && shopWrite.access !== before.shopAccess) {",
        "if (false) {",
      ),
    ],
  },
  {
    name: "backfill-miscounted",
    what: "orders that a backfill has looked at are not counted",
    sql: ["DROP TRIGGER shop_backfill_order_seen"],
  },
  {
    name: "stored-order-differs",
    what: "an order that was rectified in part is written as invoiced",
    patches: [
      patch(
        "db/orders/order-writes.ts",
        "    order.state,\n    order.facts.orderedAt,",
        '    order.state === "partially_rectified" ? "invoiced" : order.state,\n    order.facts.orderedAt,',
      ),
    ],
  },
  ...MAIL_MUTATIONS,
  {
    name: "draft-issues-twice",
    what: "each issue of a draft has an id of its own",
    patches: [
      patch(
        "domain/invoice/draft.ts",
        "external_id: draftExternalId(draftId),",
        "external_id: `§{draftExternalId(draftId)}-§{(globalThis.issues = (globalThis.issues ?? 0) + 1)}`,",
      ),
    ],
  },
  {
    name: "draft-kept",
    what: "a draft does not end with its invoice",
    sql: ["DROP TRIGGER invoice_ends_draft"],
  },
  {
    name: "draft-unseen",
    what: "a draft is issued with another number or total than was seen",
    patches: [patch(BY_HAND, 'if (!isSeen) return { outcome: "stale", preview };', "")],
  },
  {
    name: "draft-version-ignored",
    what: "a draft is issued that another has changed since it was seen, with whatever total",
    patches: [
      patch("console/drafts/issue-draft.ts", "if (draft.version !== version) return", "if (false) return"),
      patch(BY_HAND, "&& act.seen.total === total;", ";"),
    ],
  },
  {
    name: "lines-unseen",
    what: "an act by lines ignores the total and the rest that were seen",
    patches: [
      patch(
        "ledger/corrections/lines-outcomes.ts",
        "return total !== seen.total || (seen.left !== undefined && left !== seen.left);",
        "return false;",
      ),
    ],
  },
  {
    name: "lines-rest-unseen",
    what: "of two people who saw the same rest of an invoice both act",
    patches: [
      patch(
        "ledger/corrections/lines-outcomes.ts",
        "|| (seen.left !== undefined && left !== seen.left);",
        ";",
      ),
    ],
  },
  {
    name: "lines-repeat-forgotten",
    what: "a repeat of an act by lines of an order is judged as a new one",
    patches: [
      patch(
        "ledger/orders/rectify-order.ts",
        "const repeat = request.act && repeatOf(request, stored, working);",
        "const repeat = undefined;",
      ),
    ],
  },
  {
    name: "answer-acts-twice",
    what: "a step of an answer to several orders that is repeated acts again",
    patches: [
      patch(QUESTION, "return asked === question && stored.changedAt === changedAt;", "return true;"),
      patch(
        "ledger/orders/decide-orders.ts",
        "if (added.length === 0) return asStored(stored, working);",
        "",
      ),
      patch("domain/order/answers/table.ts", "else if (!answered.value.isRepeat) {", "else {"),
    ],
  },
  {
    name: "left-out-answered",
    what: "an order that was left out gets the answer of the others",
    patches: [patch(QUESTION, "if (ofQuestion.apart) {", "if (false) {")],
  },
];
