/** A company that became another's: what former owners made ends, and nothing that the new one made. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { accountStore } from "../../src/db/accounts/account-store.ts";
import { companyRegister } from "../../src/db/companies/company-register.ts";
import type { DueNotice } from "../../src/db/companies/registered-company.ts";
import { handOver } from "../../src/db/companies/sync-company.ts";
import { OPERATOR } from "../../src/domain/connection/activity-areas.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import type { VerbOutcome } from "../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { syncJobDeps } from "../../src/wiring.ts";
import { mailClaimNotices, syncCompanies } from "../../src/work/sync-companies.ts";
import { hearMails } from "../support/worlds/console.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { directCaller } from "../support/worlds/http-calls.ts";
import { operator, syncChanges, taken } from "../support/worlds/proofs.ts";
import { act, openShop, type Shop } from "../support/worlds/shop.ts";

const register = companyRegister(env.DIRECTORY);
const { secretsOf } = accountStore(env.LEDGER_000);
const CALLBACK = { verb: "register_callback", url: "https://mia.example/y" } as const;
const HOOK = { verb: "register_webhook", url: "https://mia.example/x", events: ["invoice.issued"] } as const;
const signed = (documentSha256: string): OwnerRequest => ({
  verb: "grant_representation",
  ...{ documentSha256, signedBy: "Ana Ruiz", signedOn: civilDate("2026-01-02") },
});
const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));

/** A claim proven by certificate: the company is contested at once. */
async function contested(own: Shop, claimantId: string): Promise<string> {
  const [nif = "", id] = [(await register.companyOf(own.accountId))?.nif, newId("cl", "000", random)];
  const proof = { id: newId("pr", "000", random), accountId: own.accountId, nif, userId: claimantId };
  const claimed = await register.claim({
    ...{ id, nif, claimantId, claimantAccountId: own.accountId, isProven: true },
    proof: { ...proof, kind: "certificate", facts: {}, madeAt: Date.now() },
  });
  expect(claimed).toBeDefined();
  return id;
}

const grant = async (claim: string) => expect((await operator("grant", claim)).done).toBe(true);
const does = async (shop: Shop, request: OwnerRequest, userId: string) => {
  const outcome: VerbOutcome = await act(shop, request, userId);
  expect(outcome.outcome).toBe("done");
  return outcome.outcome === "done" ? (outcome.shown ?? {}) : {};
};
const callbackOf = ({ connectionId }: Shop) =>
  env.LEDGER_000.prepare("SELECT url FROM shop_callback WHERE connection_id = ?")
    .bind(connectionId)
    .first<string>("url");
const inForce = ({ accountId }: Shop) =>
  env.LEDGER_000.prepare(
    "SELECT document_sha256 AS d FROM representation WHERE account_id = ? AND withdrawn_at IS NULL",
  )
    .bind(accountId)
    .first<string>("d");

test("the late hand-over of an older grant ends nothing of the owner who has it back", async () => {
  const parties = await taken();
  const { squatted, squatter: first, own, owner: second } = parties;
  const nif = (await register.companyOf(own.accountId))?.nif ?? "";
  const mails = hearMails();
  await grant(await contested(own, second.userId));
  await does(squatted, HOOK, second.userId);
  const again = await openShop({ verified: false, account: { nif } });
  await env.DIRECTORY.prepare(
    "INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, 'owner') ON CONFLICT DO NOTHING",
  )
    .bind(again.accountId, first.userId)
    .run();
  await grant(await contested(again, first.userId));
  await does(squatted, CALLBACK, first.userId);
  const { webhook_id: webhook } = await does(
    squatted,
    { ...HOOK, url: "https://otra.example/" },
    first.userId,
  );
  await does(squatted, signed("d".repeat(64)), first.userId);
  const path = `/api/accounts/${squatted.accountId}/connections/${squatted.connectionId}/keys`;
  const made = await first.post(path, {});
  expect(made.status).toBe(201);
  await syncChanges();
  expect([await callbackOf(squatted), await inForce(squatted)]).toEqual([CALLBACK.url, "d".repeat(64)]);
  const { results } = await env.LEDGER_000.prepare(
    "SELECT id FROM webhook_endpoint WHERE connection_id = ? AND ended_at IS NULL",
  )
    .bind(squatted.connectionId)
    .all();
  expect(results).toEqual([{ id: webhook }]);
  const mine = { ...squatted, key: made.body.data.key };
  expect((await directCaller(mine).issue("n", "F1", "1x100@21")).status).toBe(201);
  expect(await register.toFollow(squatted.accountId, 9)).toEqual([]);
  const subjects = (email: string) => mails.to(email).map(({ subject }) => subject);
  expect(subjects(first.email)).toEqual(["Cuadre: La empresa es tuya"]);
  expect(subjects(second.email).toSorted()).toEqual([
    "Cuadre: La empresa es tuya",
    "Cuadre: Ya no eres titular",
  ]);
});

test("a connection that the new owner opened keeps its key", async () => {
  const { squatted, squatter, own, owner } = await taken();
  await grant(await contested(own, owner.userId));
  const opened = await owner.post(`/api/accounts/${squatted.accountId}/connections`, {
    ...{ kind: "api", name: "Caja" },
  });
  expect(opened.status).toBe(201);
  const { id: connectionId, key } = opened.body.data;
  await syncChanges();
  const kept = await env.LEDGER_000.prepare(
    "SELECT count(*) AS n FROM api_key WHERE connection_id = ? AND revoked_at IS NULL",
  )
    .bind(connectionId)
    .first("n");
  expect(kept).toBe(1);
  // Not refused as a revoked key is: it still has to consent.
  const answer = await directCaller({ ...squatted, connectionId, key }).issue("a", "F1", "1x100@21");
  expect([answer.status, answer.code]).toEqual([409, "invoicing_not_enabled"]);
  expect((await directCaller(squatted).issue("b", "F1", "1x100@21")).status).toBe(401);
  const theirs = await secretsOf(squatted.accountId, [squatter.userId]);
  expect(theirs.connections.find((one) => one.connectionId === connectionId)?.keys).toHaveLength(1);
});

test("what the new owner puts in place of something, while it is being ended, stays", async () => {
  const { squatted, squatter, own, owner } = await taken();
  await does(squatted, CALLBACK, squatter.userId);
  await does(squatted, signed("a".repeat(64)), squatter.userId);
  await grant(await contested(own, owner.userId));
  let passes = 0;
  const { accountId } = squatted;
  await handOver(
    { accountId, ledger: "000", owners: [owner.userId] },
    {
      secretsOf: async (_, id, owners) => {
        const found = await secretsOf(id, owners);
        passes += 1;
        if (passes > 1) return found;
        expect(found.representationSha256).toBe("a".repeat(64));
        await does(squatted, { verb: "remove_callback" }, owner.userId);
        await does(squatted, CALLBACK, owner.userId);
        await does(squatted, signed("b".repeat(64)), owner.userId);
        return found;
      },
      act: async (connectionId, request) =>
        (await act({ ...squatted, connectionId }, request, OPERATOR)).outcome === "done",
    },
  );
  expect(passes).toBe(2);
  expect([await callbackOf(squatted), await inForce(squatted)]).toEqual([CALLBACK.url, "b".repeat(64)]);
});

test.each([
  ["the new owner's, made after one of a former owner was removed", { kept: true, shuffled: [2, 0, 1] }],
  [
    "a former owner's, moved by the new owner, after an older one was removed",
    { kept: false, shuffled: [2, 1, 3] },
  ],
])("a callback is %s, also when its lines were put back in another order", async (_, { kept, shuffled }) => {
  const shop = await openShop();
  const [former, owner] = ["former", "new"];
  const lines = kept
    ? [
        { verb: "register_callback", by: former },
        { verb: "remove_callback", by: owner },
        { verb: "register_callback", by: owner },
      ]
    : [
        { verb: "register_callback", by: former },
        { verb: "remove_callback", by: former },
        { verb: "register_callback", by: former },
        { verb: "register_callback", by: owner },
      ];
  await env.LEDGER_000.prepare(
    "INSERT INTO shop_callback (connection_id, account_id, url, secret, attempts) VALUES (?, ?, ?, 's', 0)",
  )
    .bind(shop.connectionId, shop.accountId, CALLBACK.url)
    .run();
  for (const nth of shuffled) {
    const { verb = "", by = "" } = lines[nth] ?? {};
    await env.LEDGER_000.prepare(
      `INSERT INTO audit_log (id, account_id, connection_id, user_id, at, verb, facts)
       VALUES (?, ?, ?, ?, ?, ?, '{}')`,
    )
      .bind(`al-${shop.connectionId}-${nth}`, shop.accountId, shop.connectionId, by, nth + 1, verb)
      .run();
  }
  const [found] = (await secretsOf(shop.accountId, [owner])).connections;
  expect(found?.callbackSecretSha256).toBe(kept ? undefined : sha256Hex("s"));
});

test("no mail says that a company is contested once its claim is settled", async () => {
  const { squatter, own, owner } = await taken();
  const claim = await contested(own, owner.userId);
  const told: string[] = [];
  let fails = true;
  let now = Date.now();
  const deps = () => ({
    ...syncJobDeps(apiOver(env)),
    now: () => now,
    mail: async ({ notice, email }: DueNotice) => {
      if (fails) return false;
      told.push(`${notice} ${email}`);
      return true;
    },
  });
  await syncCompanies(deps());
  expect((await operator("reject", claim)).done).toBe(true);
  fails = false;
  now += 3_600_000;
  expect(await mailClaimNotices(deps())).toBe(0);
  await syncCompanies(deps());
  expect(told).toEqual([`claim_rejected ${owner.email}`]);
  expect(told.join()).not.toContain(squatter.email);
  expect(await env.DIRECTORY.prepare("SELECT count(*) AS n FROM claim_notice").first("n")).toBe(0);
});

test("a shop that former owners connected ends with its secrets, and one of the new owner stays", async () => {
  const { squatted, squatter, own, owner } = await taken();
  const shop = {
    ...{ verb: "connect_shop", platform: "woocommerce", credentials: {}, settings: {}, statuses: {} },
  } as const satisfies OwnerRequest;
  const connected = () =>
    env.LEDGER_000.prepare("SELECT 1 AS n FROM shop WHERE connection_id = ?")
      .bind(squatted.connectionId)
      .first("n");
  await does(squatted, shop, squatter.userId);
  await grant(await contested(own, owner.userId));
  await syncChanges();
  expect(await connected()).toBeNull();
  await does(squatted, shop, owner.userId);
  expect(await secretsOf(squatted.accountId, [owner.userId])).toMatchObject({
    connections: [{ connectionId: squatted.connectionId }],
  });
  const { connections } = await secretsOf(squatted.accountId, [owner.userId]);
  expect(connections.flatMap(({ shopNonce }) => shopNonce ?? [])).toEqual([]);
});
