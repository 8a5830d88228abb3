/** The same verb of an owner, ten times at once: one change, and ten equal answers. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { aConsent, act, openShop } from "../support/worlds/shop.ts";

const TIMES = Array.from({ length: 10 });
const commerce = { kind: "commerce", name: "Tienda" } as const;

const VERBS: readonly (readonly [string, OwnerRequest])[] = [
  ["give_consent", aConsent("co0000000000000000001")],
  ["withdraw_consent", { verb: "withdraw_consent" }],
  ["open_key", { verb: "open_key", id: "ky0000000000000000001", hash: "a".repeat(64), tail: "abcd" }],
  ["rename_connection", { verb: "rename_connection", name: "Otra" }],
  ["add_profile", { verb: "add_profile", profile: { name: "Web", channel: "web", stem: "A" } }],
  ["choose_order_stem", { verb: "choose_order_stem", stem: "TIENDA" }],
  ["set_tag_rule", { verb: "set_tag_rule", rule: { tag: "vip", action: "hold" } }],
  [
    "open_authorisation",
    { verb: "open_authorisation", authorisation: { number: "A1", limit: decimal("900") } },
  ],
  ["switch_customer_access", { verb: "switch_customer_access", enabled: false }],
  ["add_origin", { verb: "add_origin", origin: "https://tienda.example" }],
  ["register_callback", { verb: "register_callback", url: "https://tienda.example/x" }],
  [
    "register_webhook",
    { verb: "register_webhook", url: "https://tienda.example/y", events: ["invoice.issued"] },
  ],
];

describe.each(VERBS)("%s", (verb, request) => {
  test("ten times at once is one change with ten equal answers", async () => {
    const shop = await openShop({ connection: commerce, consented: verb !== "give_consent" });
    const outcomes = await Promise.all(TIMES.map(() => act(shop, request, "us000marta")));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
    const lines = await env.LEDGER_000.prepare(
      "SELECT count(*) AS n FROM audit_log WHERE connection_id = ? AND user_id = 'us000marta'",
    )
      .bind(shop.connectionId)
      .first("n");
    expect(lines).toBe(1);
  });
});

describe("the verbs that ten connections of one company get at once", () => {
  const asked: readonly (readonly [string, (nth: number) => OwnerRequest])[] = [
    ["consents", (nth) => aConsent(`co00000000000000000${10 + nth}`)],
    ["names", (nth) => ({ verb: "rename_connection", name: `Tienda ${nth}` })],
    [
      "authorisations",
      () => ({ verb: "open_authorisation", authorisation: { number: "A1", limit: decimal("900") } }),
    ],
  ];
  test.each(asked)("%s are all done: none is asked to wait for the others", async (_, request) => {
    const first = await openShop({ connection: commerce, consented: false });
    const { accountId } = first;
    const shops = [first];
    for (let nth = 1; nth < 10; nth += 1) {
      shops.push(await openShop({ accountId, connection: commerce, consented: false }));
    }
    const outcomes = await Promise.all(shops.map((shop, nth) => act(shop, request(nth))));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(TIMES.map(() => "done"));
  });
});

test("ten consents by ten open pages are ten changes, and none is asked to wait", async () => {
  const shop = await openShop({ connection: commerce, consented: false });
  const ids = TIMES.map((_, nth) => `co00000000000000000${10 + nth}`);
  const outcomes = await Promise.all(ids.map((id) => act(shop, aConsent(id))));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(TIMES.map(() => "done"));
});

test("ten consents of the console at once are one, and none is asked to wait", async () => {
  const shop = await openShop({ consented: false });
  const owner = await ownerOf(shop);
  const base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}`;
  const text = (await owner.get(`${base}/consent-text?cutoff_date=2026-01-01`)).body.data;
  const consent = {
    ...{ consent_id: text.consentId, text_version: text.version, text_sha256: text.sha256 },
    ...{ cutoff_date: "2026-01-01", common_rules_apply: false, keeps_books_in_sii: false },
  };
  const answers = await Promise.all(TIMES.map(() => owner.post(`${base}/consent`, consent)));
  expect(answers.map(({ status }) => status)).toEqual(TIMES.map(() => 200));
  const kept = await env.LEDGER_000.prepare("SELECT count(*) AS n FROM consent WHERE connection_id = ?")
    .bind(shop.connectionId)
    .first("n");
  expect(kept).toBe(1);
});
