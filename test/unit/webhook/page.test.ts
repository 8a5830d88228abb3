import { describe, expect, test } from "vitest";
import {
  type ChainPlace,
  deliveryPageOf,
  type Heads,
  PAGE_SIZE,
  pagesToRead,
  type Subscriber,
} from "../../../src/domain/webhook/delivery.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../src/domain/webhook/event.ts";
import { counting, NOON } from "../../support/builders/callbacks.ts";

const at = (position: number, seq = 0, changed = 0): ChainPlace => ({
  installationId: "is1",
  position,
  changed: { seq, position: changed },
});

function listener(
  events: readonly WebhookEvent[],
  chains: readonly ChainPlace[] = [],
  heldSeq = 0,
): Subscriber {
  return { endpointId: "wh1", events, chains, heldSeq };
}

const heads = (chains: readonly ChainPlace[], heldSeq = 0): Heads => ({ chains, heldSeq });

describe("older", () => {
  test.each<[string, Subscriber, Heads, object[]]>([
    ["nothing has happened", listener(WEBHOOK_EVENTS, [at(3, 1, 3)], 7), heads([at(3, 1, 3)], 7), []],
    ["a hold that has ended", listener(["order.held"], [], 7), heads([], 5), []],
    [
      "positions, a page at most",
      listener(["order.invoiced"], [at(3)]),
      heads([at(PAGE_SIZE + 9)]),
      [{ source: "issued", from: 3, to: PAGE_SIZE + 3 }],
    ],
    [
      "a chain opened later is read from its beginning",
      listener(["invoice.issued", "record.rejected"]),
      heads([at(2, 1, 1)]),
      [
        { source: "issued", from: 0, to: 2 },
        { source: "changed", from: { seq: 0, position: 0 } },
      ],
    ],
    [
      "the rest of one change",
      listener(["record.accepted"], [at(0, 4, 10)]),
      heads([at(50, 4, 11)]),
      [{ source: "changed", from: { seq: 4, position: 10 } }],
    ],
    [
      "an earlier place of a later change",
      listener(["record.accepted"], [at(0, 4, 10)]),
      heads([at(50, 5, 1)]),
      [{ source: "changed", from: { seq: 4, position: 10 } }],
    ],
    [
      "only what it listens to",
      listener(["order.held"], [], 1),
      heads([at(9, 9, 9)], 2),
      [{ source: "held" }],
    ],
  ])("%s", (_, who, where, pages) => {
    expect(pagesToRead(who, where)).toMatchObject(pages);
    expect(pagesToRead(who, where)).toHaveLength(pages.length);
  });
});

describe("a passage", () => {
  const passing = { connectionId: "cn1", random: counting, at: NOON };
  const held = { source: "held", endpointId: "wh1", from: 3 } as const;
  const fact = (heldSeq: number) => ({ idExternal: `o${heldSeq}`, heldSeq, changedAt: NOON, reasons: [] });

  test("moves the cursor to the last event found", () => {
    const passage = deliveryPageOf({ ...held, facts: [fact(4), fact(6)] }, ["order.held"], passing);
    expect(passage?.move).toEqual({ ...held, to: 6 });
    expect(passage?.deliveries).toMatchObject([
      { event: "order.held", subject: "4:o4", attempts: 0, dueAt: NOON },
      { subject: "6:o6" },
    ]);
  });

  test("unwanted events make nothing, and the cursor moves all the same", () => {
    const page = { source: "issued", endpointId: "wh1", installationId: "is1", from: 0, to: 5 } as const;
    expect(deliveryPageOf({ ...page, facts: [] }, ["invoice.issued"], passing)).toEqual({
      move: page,
      events: ["invoice.issued"],
      deliveries: [],
    });
  });

  test("nothing was found: the rows have moved on", () => {
    expect(deliveryPageOf({ ...held, facts: [] }, ["order.held"], passing)).toBeUndefined();
  });
});
