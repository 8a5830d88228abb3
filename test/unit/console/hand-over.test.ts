import { expect, test } from "vitest";
import { type HandOverDeps, handOver } from "../../../src/db/companies/sync-company.ts";

const COMPANY = { accountId: "ac0001", ledger: "000", owners: ["new"] };
const ofConnection = (connectionId: string) => ({
  connectionId,
  keys: ["k"],
  webhooks: ["w"],
  hasCallback: true,
});

function scene(fails: (connectionId: string) => boolean) {
  const done: string[] = [];
  const asked: unknown[] = [];
  const deps: HandOverDeps = {
    secretsOf: async (...which) => {
      asked.push(which);
      return { connections: [ofConnection("cn1"), ofConnection("cn2")], hasRepresentation: true };
    },
    act: async (connectionId, { verb }) => {
      if (fails(connectionId)) throw new Error("no answer");
      done.push(`${connectionId} ${verb}`);
      return true;
    },
  };
  return { done, asked, deps };
}

test("what the new owners did not make ends, the representation once", async () => {
  const { done, asked, deps } = scene(() => false);
  await handOver(COMPANY, deps);
  expect(asked).toEqual([["000", "ac0001", ["new"]]]);
  expect(done).toEqual([
    ...["cn1 withdraw_representation", "cn1 revoke_key", "cn1 remove_webhook", "cn1 remove_callback"],
    ...["cn2 revoke_key", "cn2 remove_webhook", "cn2 remove_callback"],
  ]);
});

test("a connection that does not answer keeps none of the others, and the rest is asked for again", async () => {
  const { done, deps } = scene((connectionId) => connectionId === "cn1");
  await expect(handOver(COMPANY, deps)).rejects.toThrow(
    "withdraw_representation, revoke_key, remove_webhook, remove_callback could not be done",
  );
  expect(done).toEqual(["cn2 revoke_key", "cn2 remove_webhook", "cn2 remove_callback"]);
});
