import { expect, test } from "vitest";
import { type HandOverDeps, handOver, type Secrets } from "../../../src/db/companies/sync-company.ts";

const COMPANY = { accountId: "ac0001", ledger: "000", owners: ["new"] };
const NONE = { keys: [], webhooks: [] };
const ofConnection = (connectionId: string): Secrets => ({
  ...{ connectionId, keys: [`k-${connectionId}`], webhooks: [`w-${connectionId}`] },
  callbackSecretSha256: `c-${connectionId}`,
});

interface Scene {
  readonly fails?: (connectionId: string) => boolean;
  /** What a former owner's requests under way make after the first pass has read, and so on. */
  readonly late?: readonly Partial<Secrets>[];
}

/** Secrets as the ledger has them: a verb that is done ends its own. */
function scene({ fails = () => false, late = [] }: Scene = {}) {
  const done: string[] = [];
  const asked: unknown[] = [];
  const ended = new Set<string | undefined>();
  const isThere = (secret: string | undefined) => secret !== undefined && !ended.has(secret);
  const deps: HandOverDeps = {
    secretsOf: async (...which) => {
      asked.push(which);
      const made = late.slice(0, asked.length - 1).map((more) => ({ connectionId: "cn1", ...NONE, ...more }));
      const connections = [ofConnection("cn1"), ofConnection("cn2"), ...made].map((one) => {
        const { callbackSecretSha256: callback, ...rest } = one;
        return {
          ...rest,
          ...{ keys: one.keys.filter(isThere), webhooks: one.webhooks.filter(isThere) },
          ...(callback !== undefined && isThere(callback) ? { callbackSecretSha256: callback } : {}),
        };
      });
      return { connections, ...(isThere("d") ? { representationSha256: "d" } : {}) };
    },
    act: async (connectionId, request) => {
      if (fails(connectionId)) throw new Error("no answer");
      const { verb, ...named } = request;
      const [name = ""] = Object.values(named);
      done.push(`${connectionId} ${verb} ${name}`);
      ended.add(name);
      return true;
    },
  };
  return { done, asked, deps };
}

const OF_CN2 = ["cn2 revoke_key k-cn2", "cn2 remove_webhook w-cn2", "cn2 remove_callback c-cn2"];
const ALL = [
  "cn1 withdraw_representation d",
  ...["cn1 revoke_key k-cn1", "cn1 remove_webhook w-cn1", "cn1 remove_callback c-cn1"],
  ...OF_CN2,
];

test("what the new owners did not make ends, by its name, the representation once", async () => {
  const { done, asked, deps } = scene();
  await handOver(COMPANY, deps);
  expect(asked).toEqual([
    ["000", "ac0001", ["new"]],
    ["000", "ac0001", ["new"]],
  ]);
  expect(done).toEqual(ALL);
});

test("what a request admitted before the grant makes during the first pass ends too", async () => {
  const { done, asked, deps } = scene({ late: [{ keys: ["late"] }] });
  await handOver(COMPANY, deps);
  expect(done).toEqual([...ALL, "cn1 revoke_key late"]);
  expect(asked).toHaveLength(3);
});

test("with something new in every pass it is not over, and is asked for again", async () => {
  const { deps } = scene({ late: [{ keys: ["l1"] }, { webhooks: ["l2"] }] });
  await expect(handOver(COMPANY, deps)).rejects.toThrow("former owners made more meanwhile");
});

test("a connection that does not answer keeps none of the others, and the rest is asked for again", async () => {
  const { done, deps } = scene({ fails: (connectionId) => connectionId === "cn1" });
  await expect(handOver(COMPANY, deps)).rejects.toThrow(
    "withdraw_representation, revoke_key, remove_webhook, remove_callback could not be done",
  );
  expect(done).toEqual(OF_CN2);
});
