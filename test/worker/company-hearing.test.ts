/** The directory's changes of a company reach its ledger in order, whole, and before they count. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { directoryStore } from "../../src/db/accounts/account-store.ts";
import { companyRegister } from "../../src/db/companies/company-register.ts";
import { syncAfterChange, syncCompany } from "../../src/db/companies/sync-company.ts";
import { putBackAccount } from "../../src/ops/restore/put-back-account.ts";
import { BEGIN_TEXTS, END_TEXTS } from "../../src/ops/restore/sql-text.ts";
import { companySyncDeps } from "../../src/wiring-both.ts";
import { hearMails, newPerson, ownerOf } from "../support/worlds/console.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { directCaller } from "../support/worlds/http-calls.ts";
import { anUnverified, linesOf, operator, show, stateOf, syncChanges } from "../support/worlds/proofs.ts";
import { aNif, openShop, openTestAccount } from "../support/worlds/shop.ts";

const register = companyRegister(env.DIRECTORY);
const VERIFIED = ["verified", "verified"];

describe("a hearing", () => {
  test("that is slow writes nothing after a newer one", async () => {
    const { shop, owner } = await anUnverified();
    const { accountId } = shop;
    await show(owner, accountId);
    const deps = companySyncDeps(apiOver(env));
    const [read, newer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = syncCompany(accountId, {
      ...deps,
      accountsIn: (ledger) => ({
        async updateVerification(heard) {
          read.resolve();
          await newer.promise;
          return deps.accountsIn(ledger).updateVerification(heard);
        },
      }),
    });
    await read.promise;
    await operator("verify", accountId);
    await syncChanges();
    newer.resolve();
    await slow;
    expect(await stateOf(accountId)).toEqual(VERIFIED);
  });

  test("loses no line of a change that is made between its reads", async () => {
    const { shop, owner } = await anUnverified();
    const { accountId } = shop;
    await show(owner, accountId);
    await operator("refuse", accountId);
    const step = { accountId, by: "someone", at: Date.now(), facts: {} };
    await syncCompany(accountId, {
      ...companySyncDeps(apiOver(env)),
      register: {
        ...register,
        async companyOf(id) {
          const company = await register.companyOf(id);
          await register.step({
            ...step,
            id: "vc0000000000000000001",
            from: ["unverified"],
            to: "in_review",
          });
          return company;
        },
      },
    });
    await syncChanges();
    const lines = await linesOf(accountId);
    expect(lines.map(({ to }) => to)).toEqual(["in_review", "unverified", "in_review"]);
  });

  test("that fails fails no answer: cron does it again", async () => {
    const { shop } = await anUnverified();
    await operator("verify", shop.accountId);
    const broken = () => ({ updateVerification: () => Promise.reject(new Error("broken")) });
    await syncAfterChange(shop.accountId, { ...companySyncDeps(apiOver(env)), accountsIn: broken });
    expect(await stateOf(shop.accountId)).toEqual(["verified", "unverified"]);
    await syncChanges();
    expect(await stateOf(shop.accountId)).toEqual(VERIFIED);
  });

  test("comes before a connection is opened, which is for tests or not for ever", async () => {
    const { shop, owner } = await anUnverified();
    await operator("verify", shop.accountId);
    const opened = await owner.post(`/api/accounts/${shop.accountId}/connections`, {
      ...{ kind: "api", name: "Otra" },
    });
    expect(opened.status).toBe(201);
    expect(await stateOf(shop.accountId)).toEqual(VERIFIED);
  });
});

describe("a ledger that is put back", () => {
  const frozen = (flag: 0 | 1, accountId: string) =>
    env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(flag, accountId).run();

  test("keeps the changes since the export, and gets the lost ones again", async () => {
    const { shop, owner } = await anUnverified();
    const { accountId } = shop;
    await show(owner, accountId);
    await frozen(1, accountId);
    const statements = [...BEGIN_TEXTS];
    for await (const sql of putBackAccount(env.LEDGER_000, { accountId, since: 0, now: Date.now() })) {
      statements.push(sql);
    }
    await operator("verify", accountId);
    await syncChanges();
    for (const sql of [...statements, ...END_TEXTS]) await env.LEDGER_000.prepare(sql).run();
    expect(await stateOf(accountId)).toEqual(VERIFIED);
    const before = "UPDATE account SET verification = 'unverified', heard_seq = 0 WHERE id = ?";
    await env.LEDGER_000.prepare(before).bind(accountId).run();
    for (const sql of [...statements, ...END_TEXTS]) await env.LEDGER_000.prepare(sql).run();
    expect(await stateOf(accountId)).toEqual(["verified", "in_review"]);
    await register.markUnsynced([accountId]);
    await syncChanges();
    expect(await stateOf(accountId)).toEqual(VERIFIED);
  });
});

describe("a directory that is put back", () => {
  /** Its company as it was at a moment; books of changes and proofs go back with it. */
  async function returnTo(accountId: string, { change_seq: seq, verification }: Standing) {
    await env.DIRECTORY.prepare(
      "UPDATE account_directory SET change_seq = ?1, heard_seq = ?1, verification = ?2 WHERE account_id = ?3",
    )
      .bind(seq, verification, accountId)
      .run();
    // Its triggers keep the rows of the lost changes; they give their numbers to the new ones here.
    await env.DIRECTORY.exec("DROP TRIGGER verification_change_update");
    await env.DIRECTORY.prepare("UPDATE verification_change SET seq = -seq WHERE account_id = ? AND seq > ?")
      .bind(accountId, seq)
      .run();
  }
  const standing = async (accountId: string) => {
    const row = await env.DIRECTORY.prepare(
      "SELECT change_seq, heard_seq, verification FROM account_directory WHERE account_id = ?",
    )
      .bind(accountId)
      .first<Standing>();
    if (!row) throw new Error("no company");
    return row;
  };
  interface Standing {
    readonly change_seq: number;
    readonly heard_seq: number;
    readonly verification: string;
  }
  const heardBy = (accountId: string) =>
    env.LEDGER_000.prepare("SELECT heard_seq, settings_version FROM account WHERE id = ?")
      .bind(accountId)
      .first<{ heard_seq: number; settings_version: number }>();

  test.each([
    ["fewer changes than it lost", 1],
    ["as many changes as it lost", 2],
    ["more changes than it lost", 3],
  ])("reaches the ledger with %s, and once", async (_, changes) => {
    const { shop, owner } = await anUnverified();
    const { accountId } = shop;
    const before = await standing(accountId);
    await show(owner, accountId);
    await syncChanges();
    await operator("refuse", accountId);
    await syncChanges();
    expect((await heardBy(accountId))?.heard_seq).toBe(before.change_seq + 2);
    await returnTo(accountId, before);
    const states = ["in_review", "unverified", "in_review"] as const;
    for (const [nth, to] of states.slice(0, changes).entries()) {
      const from = states[nth - 1] ?? "unverified";
      const step = {
        id: `vc${accountId.slice(2)}${nth}`,
        accountId,
        from: [from],
        to,
        by: "x",
        at: 1,
        facts: {},
      };
      expect(await register.step(step)).toBe(true);
    }
    await syncChanges();
    const expected = states[changes - 1];
    expect(await stateOf(accountId)).toEqual([expected, expected]);
    const [after, heard] = [await standing(accountId), await heardBy(accountId)];
    expect([after.change_seq, after.heard_seq]).toEqual([heard?.heard_seq, heard?.heard_seq]);
    await syncChanges();
    expect([await standing(accountId), await heardBy(accountId)]).toEqual([after, heard]);
  });

  test.each([
    ["one change", "in_review"],
    // Their number is above all that the ledger has heard.
    ["two changes", "unverified"],
  ])(
    "takes no proven NIF from its ledger by %s, says so, and reaches it when an operator has decided again",
    async (_, listed) => {
      const { shop, owner } = await anUnverified();
      const { accountId } = shop;
      const before = await standing(accountId);
      await operator("verify", accountId);
      await syncChanges();
      await returnTo(accountId, before);
      expect(await stateOf(accountId)).toEqual(["unverified", "verified"]);
      const events: string[] = [];
      const deps = {
        ...companySyncDeps(apiOver(env)),
        report: (event: string, id: string) => void events.push(`${event} ${id}`),
      };
      await show(owner, accountId);
      await syncCompany(accountId, deps);
      if (listed === "unverified") {
        expect((await operator("refuse", accountId)).done).toBe(true);
        await syncCompany(accountId, deps);
        expect((await standing(accountId)).change_seq).toBeGreaterThan(
          (await heardBy(accountId))?.heard_seq ?? 0,
        );
      }
      expect(await stateOf(accountId)).toEqual([listed, "verified"]);
      expect(events).toContain(`directory_behind ${accountId}`);
      expect((await directCaller(shop).issue("a", "F1", "1x100@21")).data).not.toHaveProperty("test");
      expect((await operator("verify", accountId)).done).toBe(true);
      await syncChanges();
      expect(await stateOf(accountId)).toEqual(VERIFIED);
      const [after, heard] = [await standing(accountId), await heardBy(accountId)];
      expect([after.change_seq, after.heard_seq]).toEqual([heard?.heard_seq, heard?.heard_seq]);
    },
  );
});

describe("a directory that is put back to before a claim", () => {
  test("stops no company whose claim it has lost, once all companies are due", async () => {
    const { shop } = await anUnverified();
    const { accountId } = shop;
    await operator("verify", accountId);
    await syncChanges();
    const end = "UPDATE account SET issuing_ends_at = 1, heard_seq = heard_seq + 1 WHERE id = ?";
    await env.LEDGER_000.prepare(end).bind(accountId).run();
    await syncChanges();
    expect((await directCaller(shop).issue("a", "F1", "1x100@21")).status).not.toBe(201);
    // As docs/runbooks/restore.md says it, of this company.
    const due = "UPDATE account_directory SET change_seq = change_seq + 1 WHERE account_id = ?";
    await env.DIRECTORY.prepare(due).bind(accountId).run();
    await syncChanges();
    expect(await stateOf(accountId)).toEqual(VERIFIED);
    expect((await directCaller(shop).issue("a", "F1", "1x100@21")).status).toBe(201);
  });
});

describe("a listing", () => {
  const row = (accountId: string) =>
    env.DIRECTORY.prepare("SELECT * FROM account_directory WHERE account_id = ?").bind(accountId).first();
  const opening = (id: string, openedBy: string) => ({
    id,
    nif: aNif(7),
    ledger: "000",
    openedAt: 5,
    openedBy,
  });

  test("repeated after a put-back returns a company to no removed person", async () => {
    const directory = directoryStore(env.DIRECTORY);
    const listed = opening("ac000000000000000000a", "first");
    await directory.listAccount(listed);
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare("UPDATE account_owner SET owner_id = 'second' WHERE account_id = ?").bind(
        listed.id,
      ),
    ]);
    expect(await directory.listAccount(listed)).toEqual({ ok: true, value: listed.id });
    const owners = await env.DIRECTORY.prepare("SELECT owner_id FROM account_owner WHERE account_id = ?")
      .bind(listed.id)
      .all();
    expect(owners.results).toEqual([{ owner_id: "second" }]);
  });

  test("answers with its own effect, not with later changes", async () => {
    for (let nth = 0; nth < 10; nth += 1) {
      await directoryStore(env.DIRECTORY).listAccount(opening(`ac00000000000000000b${nth}`, "greedy"));
    }
    const freed = "UPDATE account_directory SET closed_at = 1 WHERE account_id = 'ac00000000000000000b0'";
    const emptied = new Proxy(env.DIRECTORY, {
      get: (target, name) =>
        name === "batch"
          ? async (statements: D1PreparedStatement[]) => {
              const answers = await target.batch(statements);
              await target.prepare(freed).run();
              return answers;
            }
          : Reflect.get(target, name).bind(target),
    });
    const refused = await directoryStore(emptied).listAccount(opening("ac00000000000000000bb", "greedy"));
    expect(refused).toMatchObject({ ok: false, error: { code: "quota_exceeded" } });
    expect(await row("ac00000000000000000bb")).toBeNull();
  });

  test("of an opening of before NIFs were proven brings its ledger what the directory says", async () => {
    const accountId = await openTestAccount();
    await env.DIRECTORY.batch(
      ["UPDATE account_directory SET change_seq = 0, heard_seq = 0 WHERE account_id = ?"].map((sql) =>
        env.DIRECTORY.prepare(sql).bind(accountId),
      ),
    );
    await env.LEDGER_000.prepare(
      "UPDATE account SET verification = 'unverified', heard_seq = -1 WHERE id = ?",
    )
      .bind(accountId)
      .run();
    await directoryStore(env.DIRECTORY).listAccount({ ...opening(accountId, "whoever"), id: accountId });
    await syncChanges();
    expect(await stateOf(accountId)).toEqual(VERIFIED);
  });
});

describe("ownership", () => {
  test("without an offer changes nothing of the companies of its owners", async () => {
    const first = await openShop();
    const victim = await ownerOf(first);
    const second = await openTestAccount();
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(
        "INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, 'owner')",
      ).bind(second, victim.userId),
    ]);
    const rows = async () => (await env.DIRECTORY.prepare("SELECT * FROM account_directory").all()).results;
    const before = await rows();
    const stranger = await newPerson();
    const answer = await stranger.post(`/api/me/ownership/${first.accountId}`, {});
    expect(answer.body.error_code).toBe("offer_ended");
    expect(await rows()).toEqual(before);
  });

  test("that is taken twice at once is one line and one mail", async () => {
    const shop = await openShop();
    const owner = await ownerOf(shop);
    const accountant = await ownerOf(shop, "accountant");
    await owner.call("PUT", `/api/accounts/${shop.accountId}/people/${accountant.userId}`, { role: "owner" });
    const mails = hearMails();
    const take = () => accountant.post(`/api/me/ownership/${shop.accountId}`, {});
    const answers = await Promise.all([take(), take()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await mails.arrived(accountant.email);
    expect(mails.to(accountant.email)).toHaveLength(1);
    const lines = await env.LEDGER_000.prepare(
      "SELECT count(*) AS n FROM audit_log WHERE account_id = ? AND verb = 'take_ownership'",
    )
      .bind(shop.accountId)
      .first("n");
    expect(lines).toBe(1);
  });
});
