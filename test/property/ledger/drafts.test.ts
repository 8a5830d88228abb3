import fc from "fast-check";
import { expect, test } from "vitest";
import type { DraftContent } from "../../../src/domain/invoice/draft.ts";
import { A_DRAFT, aDraftLine } from "../../support/builders/drafts.ts";
import { expectBooksConsistent } from "../../support/rules/consistency.ts";
import { often } from "../../support/rules/often.ts";
import { type Browser, ownerOf } from "../../support/worlds/console.ts";
import { aConsent, act, openShop, type Shop } from "../../support/worlds/shop.ts";

/**
 * Any history of drafts that two people write and issue: an invoice is what a person has seen, one for a draft,
 * and nothing is issued from a version, a number or a total that was overtaken.
 */

type Step =
  | { readonly do: "make" | "discard"; readonly by: number; readonly draft: number }
  | { readonly do: "preview" | "issue" | "again" | "duplicate"; readonly by: number; readonly draft: number }
  | { readonly do: "save"; readonly by: number; readonly draft: number; readonly content: Written }
  | { readonly do: "both"; readonly draft: number; readonly by: number };

interface Written {
  readonly quantity: string;
  readonly price: string;
  readonly rate: string;
  readonly isGross: boolean;
}

const aWritten: fc.Arbitrary<Written> = fc.record({
  quantity: fc.constantFrom("1", "2", "3", "0.5", "x"),
  price: fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  rate: fc.constantFrom("21", "10", "4"),
  isGross: fc.boolean(),
});

const who = { by: fc.nat({ max: 1 }), draft: fc.constantFrom(0, 0, 1, 1, 2) };
const just = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: just("make"), ...who }) },
  { weight: 5, arbitrary: fc.record({ do: just("save"), ...who, content: aWritten }) },
  { weight: 5, arbitrary: fc.record({ do: just("preview", "issue"), ...who }) },
  { weight: 3, arbitrary: fc.record({ do: just("again", "both"), ...who }) },
  { weight: 1, arbitrary: fc.record({ do: just("duplicate", "discard"), ...who }) },
);

function contentOf({ quantity, price, rate, isGross }: Written): DraftContent {
  const line = aDraftLine({ quantity, price_unit: price, tax_rate: rate });
  return { ...A_DRAFT, prices_include_tax: isGross, withholding: { rate: "" }, lines: [line] };
}

interface Seen {
  readonly version: number;
  readonly number: string;
  readonly total: string;
}

interface Sent {
  readonly idempotency_key: string;
  readonly expects: Seen;
}

interface Draft {
  readonly id: string;
  /** What each person has on the screen. */
  readonly versions: [number, number];
  readonly seen: [Seen | undefined, Seen | undefined];
  sent?: Sent;
  /** The version in the books, and the contents of it. */
  version: number;
  invoice?: { readonly id: string; readonly fullNumber: string };
  isGone: boolean;
}

let keys = 0;
const newKey = () => `deed-any-draft-${++keys}`;
/** Refusals that a history may meet; each says what the person has to do. */
const TOLD = [
  "draft_changed",
  "draft_issued",
  "preview_stale",
  "validation_failed",
  "not_found",
  "quota_exceeded",
];

class World {
  readonly drafts: Draft[] = [];
  readonly outcomes = new Set<string>();
  readonly shop: Shop;
  readonly people: readonly [Browser, Browser];
  readonly issued: string[] = [];
  /** Drafts that were said to be issued: of two at once, the answer about the issue may come later. */
  readonly saidIssued: Draft[] = [];

  constructor(shop: Shop, people: readonly [Browser, Browser]) {
    this.shop = shop;
    this.people = people;
  }

  path(rest = ""): string {
    return `/api/accounts/${this.shop.accountId}/drafts${rest}`;
  }

  async take(step: Step): Promise<void> {
    await this.do(step);
    for (const { invoice } of this.saidIssued.splice(0)) expect(invoice).toBeDefined();
  }

  private async do(step: Step): Promise<void> {
    const by = step.by === 0 ? 0 : 1;
    if (step.do === "make") return this.make(by);
    const draft = this.drafts[step.draft];
    if (!draft) return;
    switch (step.do) {
      case "save":
        return this.save(draft, by, contentOf(step.content));
      case "preview":
        return this.preview(draft, by);
      case "issue":
        return this.issue(draft, by);
      case "again":
        return this.again(draft, by);
      case "both":
        return this.both(draft);
      case "duplicate":
        return this.duplicate(draft, by);
      case "discard":
        return this.discard(draft, by);
    }
  }

  private async make(by: 0 | 1): Promise<void> {
    if (this.drafts.length === 3) return;
    const sent = { idempotency_key: newKey(), content: A_DRAFT };
    const { status, body } = await this.people[by].post(this.path(), sent);
    expect(status).toBe(201);
    this.hold(body.data.id);
  }

  private hold(id: string): void {
    this.drafts.push({ id, versions: [1, 1], seen: [undefined, undefined], version: 1, isGone: false });
  }

  private async save(draft: Draft, by: 0 | 1, content: DraftContent): Promise<void> {
    const sent = { version: draft.versions[by], content };
    const { status, body } = await this.people[by].call("PUT", this.path(`/${draft.id}`), sent);
    this.outcomes.add(`save ${body.error_code ?? status}`);
    if (status === 200) {
      // Only the newest version is the ground of a new one; the same save again is none.
      expect(draft.versions[by]).toBeGreaterThanOrEqual(draft.version - 1);
      expect(body.data.version).toBe(draft.versions[by] + 1);
      draft.version = body.data.version;
      draft.versions[by] = body.data.version;
      return;
    }
    this.expectTold(draft, body, status);
    // The page loads the draft that the refusal brings.
    if (body.error_code === "draft_changed") draft.versions[by] = body.data.draft.version;
  }

  private expectTold(draft: Draft, body: { error_code: string }, status: number): void {
    expect(TOLD).toContain(body.error_code);
    expect(status).toBeLessThan(500);
    if (body.error_code === "draft_issued") this.saidIssued.push(draft);
    if (body.error_code === "not_found") expect(draft.isGone).toBe(true);
  }

  private async preview(draft: Draft, by: 0 | 1): Promise<void> {
    const { status, body } = await this.people[by].post(this.path(`/${draft.id}/preview`), {});
    this.outcomes.add(`preview ${body.error_code ?? status}`);
    if (status !== 200) return this.expectTold(draft, body, status);
    const { version, preview, problems } = body.data;
    expect(version).toBe(draft.version);
    expect(problems.length > 0).toBe(preview === null);
    draft.versions[by] = version;
    draft.seen[by] = preview ? { version, number: preview.fullNumber, total: preview.total } : undefined;
  }

  private async issue(draft: Draft, by: 0 | 1): Promise<void> {
    const seen = draft.seen[by];
    if (!seen) return;
    draft.sent = { idempotency_key: newKey(), expects: seen };
    await this.sendIssue(draft, by, draft.sent);
  }

  private async again(draft: Draft, by: 0 | 1): Promise<void> {
    if (draft.sent) await this.sendIssue(draft, by, draft.sent);
  }

  /** Both send what they have seen at once. */
  private async both(draft: Draft): Promise<void> {
    await Promise.all(([0, 1] as const).map((by) => this.issue(draft, by)));
  }

  private async sendIssue(draft: Draft, by: 0 | 1, sent: Sent): Promise<void> {
    const wasIssued = draft.invoice !== undefined;
    const { status, body } = await this.people[by].post(this.path(`/${draft.id}/issue`), sent);
    this.outcomes.add(`issue ${body.error_code ?? (body.replayed ? "replayed" : status)}`);
    if (status !== 200) return this.expectTold(draft, body, status);
    const { id, fullNumber } = body.data;
    expect(fullNumber).toBe(sent.expects.number);
    if (draft.invoice) expect(id).toBe(draft.invoice.id);
    if (wasIssued) expect(body.replayed).toBe(true);
    if (!body.replayed) this.issued.push(fullNumber);
    draft.invoice = { id, fullNumber };
    const detail = await this.people[by].get(`/api/accounts/${this.shop.accountId}/invoices/${id}`);
    expect(detail.body.data.total).toBe(sent.expects.total);
  }

  private async duplicate(draft: Draft, by: 0 | 1): Promise<void> {
    if (this.drafts.length === 3) return;
    const sent = { idempotency_key: newKey() };
    const { status, body } = await this.people[by].post(this.path(`/${draft.id}/duplicate`), sent);
    this.outcomes.add(`duplicate ${body.error_code ?? status}`);
    if (status !== 201) return this.expectTold(draft, body, status);
    this.hold(body.data.id);
  }

  private async discard(draft: Draft, by: 0 | 1): Promise<void> {
    const path = this.path(`/${draft.id}?version=${draft.versions[by]}`);
    const { status, body } = await this.people[by].call("DELETE", path);
    this.outcomes.add(`discard ${body.error_code ?? status}`);
    if (status !== 200) return this.expectTold(draft, body, status);
    expect(draft.versions[by]).toBe(draft.version);
    draft.isGone = true;
  }
}

async function openWorld(): Promise<World> {
  const shop = await openShop();
  const people = [await ownerOf(shop), await ownerOf(shop)] as const;
  const { body } = await people[0].post(`/api/accounts/${shop.accountId}/drafts/connection`, {});
  const byHand = { ...shop, connectionId: body.data.connectionId as string };
  const given = { ...aConsent(`co000anydraft${String(++keys).padStart(8, "0")}`), textVersion: "2" };
  expect((await act(byHand, given)).outcome).toBe("done");
  return new World(byHand, people);
}

/** Outcomes that the histories must reach. */
const WANTED = [
  ...["save 200", "save draft_changed", "save draft_issued", "preview 200", "preview draft_issued"],
  ...["issue 200", "issue replayed", "issue draft_changed", "issue preview_stale", "discard 200"],
];

test("an invoice by hand is what its person has seen, once for a draft", { timeout: 240_000 }, async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 12, maxLength: 40 }), async (steps) => {
      const world = await openWorld();
      for (const by of [0, 1]) await world.take({ do: "make", by, draft: 0 });
      for (const step of steps) await world.take(step);
      const numbers = world.drafts.flatMap(({ invoice }) => invoice?.fullNumber ?? []);
      expect(world.issued.toSorted()).toEqual(numbers.toSorted());
      expect(new Set(numbers).size).toBe(numbers.length);
      await expectBooksConsistent(world.shop.connectionId);
      for (const outcome of world.outcomes) reached.add(outcome);
    }),
    { ...often(80, 12), endOnFailure: true },
  );
  expect(WANTED.filter((outcome) => !reached.has(outcome))).toEqual([]);
});
