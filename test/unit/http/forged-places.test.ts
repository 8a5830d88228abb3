import { beforeEach, describe, expect, test } from "vitest";
import { type ForgedPlaces, forgedPlaces } from "../../../src/api/forged-places.ts";
import { DELIVERIES } from "../../../src/domain/limits.ts";

const ATTACKER = { connectionId: "c1", network: "203.0.113.7" };
const SHOP = { connectionId: "c1", network: "198.51.100.1" };

let places: ForgedPlaces;

beforeEach(() => {
  places = forgedPlaces();
});

function forge(times: number, from = ATTACKER, now = 0): void {
  for (let count = 0; count < times; count += 1) places.refused(from, now);
}

describe("a network that sends wrong signatures to an address", () => {
  test("is read up to the limit, and again after a minute", () => {
    forge(DELIVERIES.forgedPerNetwork - 1);
    expect(places.waitOf(ATTACKER, 0)).toBeUndefined();
    forge(1);
    expect([places.waitOf(ATTACKER, 0), places.waitOf(ATTACKER, 59_000)]).toEqual([60, 1]);
    expect(places.waitOf(ATTACKER, 60_000)).toBeUndefined();
  });

  test("stops no other network, and no other address", () => {
    forge(1_000);
    expect(places.waitOf(SHOP, 0)).toBeUndefined();
    expect(places.waitOf({ ...ATTACKER, connectionId: "c2" }, 0)).toBeUndefined();
  });

  test("is always read if the shop has delivered from there, for a day", () => {
    places.accepted(ATTACKER, 0);
    forge(1_000, ATTACKER, 10);
    expect(places.waitOf(ATTACKER, 10)).toBeUndefined();
    forge(1_000, ATTACKER, DELIVERIES.trustedMs);
    expect(places.waitOf(ATTACKER, DELIVERIES.trustedMs)).toBe(60);
  });

  test("is read once in ten calls, so that a shop which shares it can prove itself", () => {
    forge(1_000);
    const read = Array.from({ length: 100 }, () => places.waitOf(ATTACKER, 0)).filter(
      (wait) => wait === undefined,
    );
    expect(read).toHaveLength(10);
  });
});

test("only so many places are remembered", () => {
  forge(1_000);
  for (let count = 0; count < DELIVERIES.mostPlaces; count += 1) {
    places.refused({ ...SHOP, network: `n${count}` }, 0);
  }
  expect(places.waitOf(ATTACKER, 0)).toBeUndefined();
});
