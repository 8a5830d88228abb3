/** The proof of a NIF: its kinds, its readers, and the effect on another's company. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { companyRegister } from "../../src/db/companies/company-register.ts";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import type { VerbOutcome } from "../../src/ledger/rpc.ts";
import { hearMails, newPerson, ownerOf } from "../support/worlds/console.ts";
import { directCaller } from "../support/worlds/http-calls.ts";
import {
  anUnverified,
  claimOf,
  linesOf,
  listed,
  operator,
  PDF,
  send,
  show,
  stateOf,
  syncChanges,
  taken,
  textFor,
} from "../support/worlds/proofs.ts";
import { act, aNif, openShop, openTestAccount, type Shop } from "../support/worlds/shop.ts";

describe("a signed document", () => {
  test("is kept and waits for an operator, and the operator's decision makes the company verified", async () => {
    const { shop, owner, nif } = await anUnverified();
    expect((await show(owner, shop.accountId)).status).toBe(201);
    expect(await stateOf(shop.accountId)).toEqual(["in_review", "in_review"]);
    const list = await listed();
    expect(list).toContain(nif);
    const [, key = ""] = /(proofs\/\S+)/.exec(list) ?? [];
    expect(await (await env.EVIDENCE.get(key))?.text()).toBe(PDF);
    expect((await directCaller(shop).issue("a", "F1", "1x100@21")).data.test).toBe(true);
    expect(await operator("verify", shop.accountId)).toMatchObject({ done: true });
    expect(await stateOf(shop.accountId)).toEqual(["verified", "in_review"]);
    await syncChanges();
    expect(await stateOf(shop.accountId)).toEqual(["verified", "verified"]);
    expect((await directCaller(shop).issue("b", "F1", "1x100@21")).data).not.toHaveProperty("test");
    expect(await linesOf(shop.accountId)).toEqual([
      { proof: "document", from: "unverified", to: "in_review" },
      { operator: "Ruiz", reason: "caso 7", from: "in_review", to: "verified" },
    ]);
    expect((await show(owner, shop.accountId)).body.error_code).toBe("company_verified_already");
  });

  test("that proves nothing leaves the company as it was, free to show another", async () => {
    const { shop, owner } = await anUnverified();
    await show(owner, shop.accountId);
    expect(await operator("refuse", shop.accountId)).toMatchObject({ done: true });
    await syncChanges();
    expect(await stateOf(shop.accountId)).toEqual(["unverified", "unverified"]);
    expect((await show(owner, shop.accountId)).status).toBe(201);
  });

  test.each([
    ["no PDF", "una carta"],
    ["larger than 2 MB", `%PDF-${"x".repeat(2_097_152)}`],
  ])("is refused where it is %s", async (_, text) => {
    const { shop, owner } = await anUnverified();
    const answer = await show(owner, shop.accountId, undefined, text);
    expect([413, 422]).toContain(answer.status);
    expect(await stateOf(shop.accountId)).toEqual(["unverified", "unverified"]);
  });

  test("is bound to its text: of the same person, company and day, once", async () => {
    const { shop, owner } = await anUnverified();
    const other = await ownerOf(shop);
    const nonce = await textFor(owner, shop.accountId);
    expect((await show(other, shop.accountId, nonce)).body.error_code).toBe("proof_text_ended");
    expect((await show(owner, shop.accountId, "z".repeat(32))).body.error_code).toBe("proof_text_ended");
    const elsewhere = await anUnverified();
    expect((await show(elsewhere.owner, elsewhere.shop.accountId, nonce)).body.error_code).toBe(
      "proof_text_ended",
    );
    expect((await show(owner, shop.accountId, nonce)).status).toBe(201);
    expect((await show(owner, shop.accountId, nonce, `${PDF}.`)).body.error_code).toBe("proof_text_ended");
    await env.DIRECTORY.prepare(
      "INSERT INTO proof_text SELECT ?, account_id, nif, user_id, made_at - 86400000, NULL, NULL FROM proof_text WHERE nonce = ?",
    )
      .bind("y".repeat(32), nonce)
      .run();
    expect((await show(owner, shop.accountId, "y".repeat(32))).body.error_code).toBe("proof_text_ended");
  });

  test("is asked for twenty times a day at most", async () => {
    const { shop, owner } = await anUnverified();
    for (let nth = 0; nth < 20; nth += 1) await textFor(owner, shop.accountId);
    const more = await owner.post(`/api/accounts/${shop.accountId}/proofs/text`, {});
    expect([more.status, more.body.error_code]).toEqual([429, "quota_exceeded"]);
  });
});

describe("what a person shows", () => {
  test("is read forty times a day, over all texts, companies and kinds", async () => {
    const { shop, owner, nif } = await anUnverified();
    const { countTry } = companyRegister(env.DIRECTORY);
    const now = Date.now();
    for (let nth = 0; nth < 39; nth += 1) expect(await countTry(owner.userId, now)).toBeUndefined();
    const nonce = await textFor(owner, shop.accountId);
    expect((await show(owner, shop.accountId, nonce)).status).toBe(201);
    const again = await textFor(owner, shop.accountId);
    const more = await show(owner, shop.accountId, again);
    expect([more.status, more.body.error_code]).toEqual([429, "quota_exceeded"]);
    expect(Number(more.headers.get("Retry-After"))).toBeGreaterThan(86_000);
    await openShop({ account: { nif } });
    const claimed = await send(owner, `/api/claims/document?account=${shop.accountId}&nonce=${again}`);
    expect(claimed.status).toBe(429);
    expect(await countTry((await ownerOf(shop)).userId, now)).toBeUndefined();
    expect(await countTry(owner.userId, now + 86_400_000)).toBeUndefined();
  });
});

describe("a NIF that is proven", () => {
  test("has one verified company, with any others opened under it, also when it is closed", async () => {
    const nif = aNif(4_000_001);
    const [first, second] = [await anUnverified(nif), await anUnverified(nif)];
    expect(await operator("verify", first.shop.accountId)).toMatchObject({ done: true });
    expect(await operator("verify", second.shop.accountId)).toMatchObject({ done: false });
    expect((await show(second.owner, second.shop.accountId)).body.error_code).toBe("issuer_exists");
    await env.DIRECTORY.prepare("UPDATE account_directory SET closed_at = 1 WHERE account_id = ?")
      .bind(first.shop.accountId)
      .run();
    expect((await operator("verify", second.shop.accountId)).done).toBe(false);
  });

  test("its documents and decisions are never changed and never removed", async () => {
    const { shop, owner } = await anUnverified();
    await show(owner, shop.accountId);
    for (const sql of [
      "UPDATE proof SET nif = 'x'",
      "DELETE FROM proof",
      "UPDATE verification_change SET to_state = 'verified'",
      "DELETE FROM verification_change",
      "UPDATE proof_text SET user_id = 'x'",
    ]) {
      await expect(env.DIRECTORY.prepare(sql).run()).rejects.toThrow("immutable");
    }
    const unknown = "UPDATE account_directory SET verification = 'x'";
    await expect(env.DIRECTORY.prepare(unknown).run()).rejects.toThrow("unknown: verification");
  });

  test("the name of a signer grants no representation before it", async () => {
    const { shop, owner } = await anUnverified();
    const base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/representation`;
    const answer = await owner.post(base, {});
    expect([answer.status, answer.body.error_code]).toEqual([409, "company_not_verified"]);
  });
});

describe("a claim", () => {
  test("by a document has no effect before an operator has read it", async () => {
    const parties = await taken();
    const claim = await claimOf(parties);
    await syncChanges();
    expect(await stateOf(parties.squatted.accountId)).toEqual(["verified", "verified"]);
    expect((await operator("grant", claim)).done).toBe(false);
    expect((await operator("contest", claim)).done).toBe(true);
    await syncChanges();
    expect(await stateOf(parties.squatted.accountId)).toEqual(["contested", "contested"]);
    const nonce = await textFor(parties.owner, parties.own.accountId);
    const again = await send(
      parties.owner,
      `/api/claims/document?account=${parties.own.accountId}&nonce=${nonce}`,
    );
    expect(again.body.error_code).toBe("claim_open");
  });

  test("keeps keys, owners, exports and representation as they are at once, and issuing on", async () => {
    const parties = await taken();
    const { squatted, squatter } = parties;
    const accountant = await ownerOf(squatted, "accountant");
    await squatter.call("PUT", `/api/accounts/${squatted.accountId}/people/${accountant.userId}`, {
      role: "owner",
    });
    await operator("contest", await claimOf(parties));
    const base = `/api/accounts/${squatted.accountId}`;
    const connection = `${base}/connections/${squatted.connectionId}`;
    const invited = { email: "otro@correo.example", role: "owner" };
    const refused = await Promise.all([
      squatter.post(`${connection}/keys`, {}),
      squatter.post(`${base}/connections`, { kind: "api", name: "Otra" }),
      squatter.post(`${base}/people/invitations`, invited),
      squatter.call("PUT", `${base}/people/${accountant.userId}`, { role: "owner" }),
      squatter.get(`${connection}/exports/invoices.csv?month=2026-11`),
      squatter.get(`${connection}/exports/records.xml?month=2026-11`),
      squatter.post(`${connection}/representation`, {}),
    ]);
    expect(refused.map(({ body }) => body.error_code)).toEqual(Array(7).fill("company_contested"));
    const taking = await accountant.post(`/api/me/ownership/${squatted.accountId}`, {});
    expect(taking.body.error_code).toBe("company_contested");
    await syncChanges();
    const issued = await directCaller(squatted).issue("a", "F1", "1x100@21");
    expect(issued.data).not.toHaveProperty("test");
    expect(issued.status).toBe(201);
  });

  test("ends issuing after 72 hours without an operator's decision, and issuing continues with it", async () => {
    const parties = await taken();
    const { squatted } = parties;
    const claim = await claimOf(parties);
    await operator("contest", claim, { now: Date.now() - 72 * 3_600_000 });
    await syncChanges();
    const stopped = await directCaller(squatted).issue("a", "F1", "1x100@21");
    expect([stopped.status, stopped.code]).toEqual([409, "invoicing_not_enabled"]);
    expect((await operator("reject", claim)).done).toBe(true);
    await syncChanges();
    expect((await directCaller(squatted).issue("a", "F1", "1x100@21")).status).toBe(201);
    expect(await stateOf(squatted.accountId)).toEqual(["verified", "verified"]);
  });

  test("that is granted leaves the company, its numbers and its chain to the claimant alone", async () => {
    const parties = await taken();
    const { squatted, squatter, owner } = parties;
    await act(squatted, {
      verb: "register_webhook",
      url: "https://suya.example/x",
      events: ["invoice.issued"],
    });
    await act(squatted, { verb: "register_callback", url: "https://suya.example/y" });
    await directCaller(squatted).issue("a", "F1", "1x100@21");
    await squatter.post(`/api/accounts/${squatted.accountId}/people/invitations`, {
      ...{ email: "amigo@correo.example", role: "accountant" },
    });
    const claim = await claimOf(parties);
    await operator("contest", claim);
    const mails = hearMails();
    expect((await operator("grant", claim)).done).toBe(true);
    expect((await squatter.get(`/api/accounts/${squatted.accountId}/people`)).status).toBe(404);
    const base = `/api/accounts/${squatted.accountId}`;
    const people = (await owner.get(`${base}/people`)).body.data;
    expect(people.members).toMatchObject([{ role: "owner" }]);
    expect(people.invitations).toEqual([]);
    await syncChanges();
    expect(mails.all()).toMatchObject([
      { to: squatter.email, text: expect.stringMatching(/^Ya no eres titular de una empresa/) },
      { to: owner.email, text: expect.stringMatching(/^Hemos resuelto tu reclamación: eres titular/) },
    ]);
    expect((await directCaller(squatted).issue("b", "F1", "1x100@21")).status).toBe(401);
    const connection = (await owner.get(`${base}/connections/${squatted.connectionId}`)).body.data;
    expect([connection.keys, connection.callback]).toEqual([[], undefined]);
    const hooks = await env.LEDGER_000.prepare(
      "SELECT count(*) AS n FROM webhook_endpoint WHERE connection_id = ? AND ended_at IS NULL",
    )
      .bind(squatted.connectionId)
      .first("n");
    expect(hooks).toBe(0);
    const opened = await owner.post(`${base}/connections/${squatted.connectionId}/keys`, {});
    const next = { ...squatted, key: opened.body.data.key };
    const issued = await directCaller(next).issue("b", "F1", "1x100@21");
    expect(issued.number).toMatch(/^API-1-\d{4}-000002$/);
    await syncChanges();
    expect((await directCaller(next).issue("c", "F1", "1x100@21")).status).toBe(201);
  });

  const HOUR = 3_600_000;
  const HOOK = {
    verb: "register_webhook",
    url: "https://mia.example/x",
    events: ["invoice.issued"],
  } as const;
  const CALLBACK = { verb: "register_callback", url: "https://mia.example/y" } as const;
  const hooksOf = ({ connectionId }: Shop) =>
    env.LEDGER_000.prepare(
      "SELECT count(*) AS n FROM webhook_endpoint WHERE connection_id = ? AND ended_at IS NULL",
    )
      .bind(connectionId)
      .first("n");

  const shownBy = (outcome: VerbOutcome) => (outcome.outcome === "done" ? outcome.shown : undefined);
  const secretIn = (outcome: VerbOutcome) => shownBy(outcome)?.secret;

  test.each([
    ["behind", -HOUR],
    ["ahead", HOUR],
  ])(
    "that is granted by a clock an hour %s ends what former owners made, and nothing of the new one",
    async (_, skewMs) => {
      const parties = await taken();
      const { squatted, squatter, owner } = parties;
      const path = `/api/accounts/${squatted.accountId}/connections/${squatted.connectionId}`;
      const former = { key: (await squatter.post(`${path}/keys`, {})).body.data.key };
      const theirs = { ...HOOK, url: "https://suya.example/x" };
      expect((await act(squatted, theirs, squatter.userId)).outcome).toBe("done");
      expect((await act(squatted, CALLBACK, squatter.userId)).outcome).toBe("done");
      await act(squatted, { verb: "revoke_key", hash: hashOfKey(squatted.key) }, squatter.userId);
      const claim = await claimOf(parties);
      await operator("contest", claim);
      expect((await operator("grant", claim, { now: Date.now() + skewMs })).done).toBe(true);
      expect((await act(squatted, { verb: "remove_callback" }, owner.userId)).outcome).toBe("done");
      expect((await act(squatted, CALLBACK, owner.userId)).outcome).toBe("done");
      expect((await act(squatted, HOOK, owner.userId)).outcome).toBe("done");
      const mine = await owner.post(`${path}/keys`, {});
      expect(mine.status).toBe(201);
      await syncChanges();
      const connection = (await owner.get(path)).body.data;
      expect([connection.keys.length, connection.callback?.url]).toEqual([1, CALLBACK.url]);
      expect(await hooksOf(squatted)).toBe(1);
      const next = { ...squatted, key: mine.body.data.key };
      expect((await directCaller(next).issue("n", "F1", "1x100@21")).status).toBe(201);
      expect((await directCaller({ ...squatted, ...former }).issue("o", "F1", "1x100@21")).status).toBe(401);
    },
  );

  test("that is granted ends secrets that a former owner knows, also where the new owner changed what they serve", async () => {
    const parties = await taken();
    const { squatted, squatter, owner } = parties;
    await act(squatted, CALLBACK, squatter.userId);
    const theirs = await act(squatted, HOOK, squatter.userId);
    const webhook = shownBy(theirs)?.webhook_id ?? "";
    const claim = await claimOf(parties);
    await operator("contest", claim);
    await operator("grant", claim);
    const moved = { ...CALLBACK, url: "https://mia.example/z" };
    expect(secretIn(await act(squatted, moved, owner.userId))).toBeUndefined();
    const rotation = { verb: "rotate_webhook_secret", id: webhook } as const;
    expect(secretIn(await act(squatted, rotation, owner.userId))).toBeDefined();
    await syncChanges();
    const path = `/api/accounts/${squatted.accountId}/connections/${squatted.connectionId}`;
    expect((await owner.get(path)).body.data.callback).toBeUndefined();
    expect(await hooksOf(squatted)).toBe(0);
    expect(secretIn(await act(squatted, moved, owner.userId))).toBeDefined();
  });

  test("wants a verified company of the NIF, and an unverified one of the claimant's", async () => {
    const { shop, owner } = await anUnverified();
    const nonce = await textFor(owner, shop.accountId);
    const path = (account: string) => `/api/claims/document?account=${account}&nonce=${nonce}`;
    expect((await send(owner, path(shop.accountId))).body.error_code).toBe("nothing_to_claim");
    expect((await send(await newPerson(), path(shop.accountId))).status).toBe(404);
    const accountant = await ownerOf(shop, "accountant");
    expect((await send(accountant, path(shop.accountId))).body.error_code).toBe("read_only");
    const verified = { accountId: await openTestAccount() };
    expect((await send(await ownerOf(verified), path(verified.accountId))).body.error_code).toBe(
      "company_verified_already",
    );
  });
});

describe("proof by certificate", () => {
  test.each([["A"], ["AAAAA"], ["AB="], ["===="], [""]])(
    "of a signature that is no base 64 is refused by its shape, switched on or off: %s",
    async (signature) => {
      const { shop, owner } = await anUnverified();
      const nonce = await textFor(owner, shop.accountId);
      const answers = [
        await owner.post(`/api/accounts/${shop.accountId}/proofs/certificate`, { nonce, signature }),
        await owner.post("/api/claims", { account: shop.accountId, nonce, signature }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error_code]).toEqual([422, "validation_failed"]);
      }
    },
  );

  test("is switched off by default, and says so", async () => {
    const { shop, owner } = await anUnverified();
    const base = `/api/accounts/${shop.accountId}`;
    expect((await owner.get(`${base}/verification`)).body.data.takesCertificates).toBe(false);
    const body = { nonce: await textFor(owner, shop.accountId), signature: "MAA=" };
    expect((await owner.post(`${base}/proofs/certificate`, body)).body.error_code).toBe(
      "certificate_proof_off",
    );
  });
});
