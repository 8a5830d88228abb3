/** A document that proves a NIF: kept once, answered alike, read by an operator, and then deleted. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { companyRegister } from "../../src/db/companies/company-register.ts";
import type { DueNotice } from "../../src/db/companies/registered-company.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { forgetProofsDeps, syncJobDeps } from "../../src/wiring.ts";
import { companySyncDeps } from "../../src/wiring-both.ts";
import { forgetProofs } from "../../src/work/retention/forget.ts";
import { mailClaimNotices, syncCompanies } from "../../src/work/sync-companies.ts";
import { hearMails, newPerson, ownerOf } from "../support/worlds/console.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import {
  anUnverified,
  claimOf,
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
import { act, aNif } from "../support/worlds/shop.ts";

const register = companyRegister(env.DIRECTORY);
const HOUR = 3_600_000;

const filesOf = async (accountId: string) =>
  (await env.EVIDENCE.list({ prefix: `proofs/${accountId}/` })).objects.map(({ key }) => key);
const forget = (now = Date.now()) => forgetProofs({ ...forgetProofsDeps(apiOver(env)), now: () => now });
const texts = (accountId: string) =>
  env.DIRECTORY.prepare("SELECT count(*) AS n FROM proof_text WHERE account_id = ?")
    .bind(accountId)
    .first("n");

describe("a text", () => {
  test("keeps one document, with anything sent after it, at once or later", async () => {
    const { shop, owner } = await anUnverified();
    const nonce = await textFor(owner, shop.accountId);
    const sent = ["1", "2", "3"].map((text) => show(owner, shop.accountId, nonce, PDF + text));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const later = await show(owner, shop.accountId, nonce, `${PDF}4`);
    expect(later.body.error_code).toBe("proof_text_ended");
    expect(await filesOf(shop.accountId)).toEqual([`proofs/${shop.accountId}/${nonce}`]);
  });

  test("is answered alike for the same document, at once and after a lost answer", async () => {
    const { shop, owner } = await anUnverified();
    const nonce = await textFor(owner, shop.accountId);
    const again = () => show(owner, shop.accountId, nonce);
    const answers = [...(await Promise.all([again(), again()])), await again()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await register.proofsOf(shop.accountId)).toHaveLength(1);
    await operator("verify", shop.accountId);
    expect((await again()).status).toBe(201);
  });

  test("without a proof is forgotten after two days, with its document", async () => {
    const { shop, owner } = await anUnverified();
    await textFor(owner, shop.accountId);
    const nonce = await textFor(owner, shop.accountId);
    const shown = { kind: "document", nonce, sha256: "a".repeat(64), madeAt: Date.now() } as const;
    await register.reserveText(shown);
    await env.EVIDENCE.put(`proofs/${shop.accountId}/${nonce}`, PDF);
    await forget(Date.now() + 47 * HOUR);
    expect(await texts(shop.accountId)).toBe(2);
    expect(await forget(Date.now() + 49 * HOUR)).toBe(0);
    expect([await texts(shop.accountId), await filesOf(shop.accountId)]).toEqual([0, []]);
  });
});

describe("a document", () => {
  test("stays in R2 until an operator has read it, and its hash stays", async () => {
    const { shop, owner } = await anUnverified();
    const first = await textFor(owner, shop.accountId);
    await show(owner, shop.accountId, first);
    await forget();
    expect(await filesOf(shop.accountId)).toHaveLength(1);
    const second = await textFor(owner, shop.accountId);
    await show(owner, shop.accountId, second);
    await forget();
    // Only the newest one is read.
    expect(await filesOf(shop.accountId)).toEqual([`proofs/${shop.accountId}/${second}`]);
    await operator("refuse", shop.accountId);
    expect(await forget()).toBe(0);
    expect(await filesOf(shop.accountId)).toEqual([]);
    expect(await register.proofsOf(shop.accountId)).toHaveLength(2);
    expect(await texts(shop.accountId)).toBe(2);
  });

  test("of a claim stays until it is settled", async () => {
    const parties = await taken();
    const claim = await claimOf(parties);
    await forget();
    expect(await filesOf(parties.own.accountId)).toHaveLength(1);
    await operator("reject", claim);
    await forget();
    expect(await filesOf(parties.own.accountId)).toEqual([]);
  });

  test("is judged as it was read: not where a newer one waits, nor unread", async () => {
    const { shop, owner } = await anUnverified();
    const { accountId } = shop;
    await show(owner, accountId);
    const read = await register.waitingOf(accountId);
    await show(owner, accountId, undefined, `${PDF}2`);
    const newest = await register.waitingOf(accountId);
    const list = await listed();
    expect([list.includes(String(read)), list.includes(String(newest))]).toEqual([false, true]);
    for (const verb of ["verify", "refuse"] as const) {
      const judged = await operator(verb, accountId, { read: String(read) });
      expect(judged).toEqual({
        done: false,
        output: `Nothing was changed: the document ${newest} waits, and was not read.`,
      });
    }
    expect((await operator("verify", accountId, { read: String(newest) })).done).toBe(true);
  });

  test("of a person who shows many leaves room for that of another", async () => {
    const many = await anUnverified();
    for (let nth = 0; nth < 3; nth += 1) {
      const opened = await anUnverified();
      await env.DIRECTORY.prepare(
        "INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, 'owner')",
      )
        .bind(opened.shop.accountId, many.owner.userId)
        .run();
      await show(many.owner, opened.shop.accountId);
    }
    const other = await anUnverified();
    await show(other.owner, other.shop.accountId);
    const mine = (await register.waiting()).proofs.filter(({ userId }) =>
      [many.owner.userId, other.owner.userId].includes(userId),
    );
    expect(mine.slice(0, 2).map(({ userId }) => userId)).toContain(other.owner.userId);
  });
});

describe("a claim", () => {
  test("that is contested is listed before all others, and the list has pages", async () => {
    const parties = await taken();
    const claim = await claimOf(parties);
    await operator("contest", claim);
    const fill = `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 60)
      INSERT INTO claim (id, account_id, nif, claimant_id, claimant_account_id, proof_id, made_at)
      SELECT 'cl0000000000000000' || (100 + n), account_id, nif, 'p' || n, 'a' || n, proof_id, n
      FROM claim JOIN s WHERE id = ?`;
    await env.DIRECTORY.prepare(fill).bind(claim).run();
    const [first, next] = [(await listed()).split("\n"), (await listed(50)).split("\n")];
    expect(first[0]).toContain(`${claim}  `);
    expect(first[0]).toContain("contested");
    expect(first).toHaveLength(51);
    expect(first.at(-1)).toBe("11 more claims and 0 more documents wait: list --from 50");
    expect(next).toHaveLength(11);
    expect(new Set([...first.slice(0, -1), ...next]).size).toBe(61);
    expect(await listed(100)).toBe("Nothing more waits.");
  });

  test("that is sent twice at once is one, with equal answers", async () => {
    const { own, owner } = await taken();
    const nonce = await textFor(owner, own.accountId);
    const again = () => send(owner, `/api/claims/document?account=${own.accountId}&nonce=${nonce}`);
    const answers = [...(await Promise.all([again(), again()])), await again()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test("is reported once: to its owners when it is contested, and to the claimant when it is settled", async () => {
    const parties = await taken();
    const { squatter, squatted, owner } = parties;
    const mails = hearMails();
    const claim = await claimOf(parties);
    await operator("contest", claim);
    await syncChanges();
    await register.markUnsynced([squatted.accountId]);
    await syncChanges();
    expect(mails.to(squatter.email).map(({ subject }) => subject)).toEqual([
      "Cuadre: Otra persona reclama una empresa tuya",
    ]);
    await operator("reject", claim);
    await syncChanges();
    await register.markUnsynced([squatted.accountId]);
    await syncChanges();
    expect(mails.to(owner.email).map(({ subject }) => subject)).toEqual(["Cuadre: Reclamación no admitida"]);
    const events = mails.lines("info").map(({ event }) => event);
    expect(events.filter((event) => event === "claim_waits" || event === "company_contested")).toEqual([
      "claim_waits",
      "company_contested",
    ]);
  });

  test.each([
    ["takes", { send: async () => {} }, true],
    ["refuses", { send: () => Promise.reject(new Error("mailbox full")) }, false],
  ])("has its mail done only where the mailer %s it", async (_, MAIL, isDone) => {
    const deployment = apiOver({ ...env, MAIL_TRANSPORT: "binding", MAIL } as never);
    const notice: DueNotice = {
      ...{ claimId: "cl1", notice: "claim_rejected", userId: "us1", eventAt: Date.now(), tries: 1 },
      ...{ email: "ana@example.com", language: "es" },
    };
    expect(await companySyncDeps(deployment).mail(notice)).toBe(isDone);
  });

  test("is reported to each receiver until the mailer has the mail, a day long at most", async () => {
    const parties = await taken();
    const { squatted, squatter } = parties;
    const partner = await ownerOf(squatted);
    const claim = await claimOf(parties);
    await operator("contest", claim);
    const told: string[] = [];
    const failing = new Set([squatter.email]);
    let now = Date.now();
    const deps = {
      ...syncJobDeps(apiOver(env)),
      now: () => now,
      mail: async ({ email }: DueNotice) => {
        if (failing.has(email ?? "")) return false;
        told.push(email ?? "");
        return true;
      },
    };
    await syncCompanies(deps);
    expect(told).toEqual([partner.email]);
    expect(await mailClaimNotices(deps)).toBe(0);
    now += HOUR;
    expect(await mailClaimNotices(deps)).toBe(1);
    failing.clear();
    now += HOUR;
    const isOver = () => true;
    expect(await mailClaimNotices({ ...deps, budget: { ...deps.budget, isOver } })).toBe(1);
    expect(told).toEqual([partner.email]);
    now += HOUR;
    expect(await mailClaimNotices(deps)).toBe(0);
    now += HOUR;
    await mailClaimNotices(deps);
    expect(told).toEqual([partner.email, squatter.email]);
    await operator("reject", claim);
    failing.add(parties.owner.email);
    await syncCompanies(deps);
    const left: number[] = [];
    for (let nth = 0; nth < 30; nth += 1) {
      now += HOUR;
      left.push(await mailClaimNotices({ ...deps, budget: syncJobDeps(apiOver(env)).budget }));
    }
    expect(left.filter((many) => many === 1)).toHaveLength(22);
    expect(await env.DIRECTORY.prepare("SELECT count(*) AS n FROM claim_notice").first("n")).toBe(0);
    expect(told).toHaveLength(2);
  });

  test("is granted only to who still owns the company that claims", async () => {
    const parties = await taken();
    const claim = await claimOf(parties);
    await operator("contest", claim);
    await env.DIRECTORY.prepare("DELETE FROM account_owner WHERE account_id = ? AND owner_id = ?")
      .bind(parties.own.accountId, parties.owner.userId)
      .run();
    expect(await operator("grant", claim)).toEqual({
      done: false,
      output: `Nothing was changed: who claims owns ${parties.own.accountId} no more; reject it.`,
    });
    expect((await operator("reject", claim)).done).toBe(true);
    await syncChanges();
    expect(await stateOf(parties.squatted.accountId)).toEqual(["verified", "verified"]);
  });

  test("that is granted ends the representation that a former owner signed", async () => {
    const parties = await taken();
    const { squatted } = parties;
    const grant = {
      verb: "grant_representation",
      documentSha256: "a".repeat(64),
      signedBy: "Antigua Titular",
      signedOn: civilDate("2026-01-01"),
    } as const;
    expect(await act(squatted, grant)).toMatchObject({
      outcome: "done",
    });
    const claim = await claimOf(parties);
    await operator("contest", claim);
    await operator("grant", claim);
    await syncChanges();
    const standing = await env.LEDGER_000.prepare(
      "SELECT count(*) AS n FROM representation WHERE account_id = ? AND withdrawn_at IS NULL",
    )
      .bind(squatted.accountId)
      .first("n");
    expect(standing).toBe(0);
  });
});

describe("a company", () => {
  const typed = (nif: string) => ({
    ...{ legal_name: "Comercial del Norte SL", nif, address1: "Calle Mayor 1", postcode: "28013" },
    ...{ city: "Madrid", territory: "peninsula", default_regime: "01" },
    ...{ common_rules_apply: true, keeps_books_in_sii: false },
  });

  test("that is opened twice, at once or after a lost answer, is one", async () => {
    const person = await newPerson();
    const open = (nif = aNif(8_000_001)) => person.post("/api/accounts", typed(nif));
    const answers = [...(await Promise.all([open(), open()])), await open()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await open(aNif(8_000_002))).body.data.id).not.toBe(answers[0]?.body.data.id);
    const other = await newPerson();
    const theirs = await other.post("/api/accounts", typed(aNif(8_000_001)));
    expect(theirs.body.data.id).not.toBe(answers[0]?.body.data.id);
  });

  test("is another one once the first is proven, or is the person's no more", async () => {
    const person = await newPerson();
    const open = async () => (await person.post("/api/accounts", typed(aNif(8_000_003)))).body.data.id;
    const first = await open();
    await operator("verify", first);
    const second = await open();
    await env.DIRECTORY.prepare("UPDATE account_owner SET owner_id = 'another' WHERE account_id = ?")
      .bind(second)
      .run();
    expect(new Set([first, second, await open()]).size).toBe(3);
  });
});
