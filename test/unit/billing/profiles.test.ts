/** Profiles: the orders that each matches, and the reasons against a profile. */
import { describe, expect, test } from "vitest";
import {
  changeProfile,
  createProfile,
  type ProfileChange,
  type ProfileDraft,
  type ProfileScope,
} from "../../../src/domain/billing/profiles.ts";
import { type Profile, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { refusalIn } from "../../support/rules/readable.ts";

const WEB: Profile = {
  id: "p1",
  name: "Web",
  channel: "web",
  stem: "W",
  sales: { ...UNDECLARED, issuingMode: "review" },
};
const STORE: Profile = { id: "p2", name: "Tienda", storeId: "2", stem: "T", sales: UNDECLARED };

const SCOPE: ProfileScope = {
  connectionKind: "commerce",
  profiles: [WEB, STORE],
  storeIds: ["1", "2"],
  taken: [
    { stem: "W", where: "Web" },
    { stem: "T", where: "Tienda" },
    { stem: "X", where: "Otra conexión" },
  ],
  numbered: ["T"],
};

const A_DRAFT: ProfileDraft = { name: "Caja", channel: "pos", stem: "C" };
const drafted = (change: Partial<ProfileDraft>) => createProfile({ ...A_DRAFT, ...change }, SCOPE);

describe("a new profile", () => {
  test.each<[string, ProfileDraft, ProfileDraft]>([
    ["of a channel", A_DRAFT, A_DRAFT],
    ["of a store", { name: "Dos", storeId: "1", stem: "C" }, { name: "Dos", storeId: "1", stem: "C" }],
    [
      "of a channel in a store",
      { ...A_DRAFT, channel: "web", storeId: "2" },
      { ...A_DRAFT, channel: "web", storeId: "2" },
    ],
    [
      "as names are kept and channels compared",
      { ...A_DRAFT, name: " Caja ", channel: " POS " },
      { ...A_DRAFT },
    ],
    ["with the longest name", { ...A_DRAFT, name: "😀".repeat(60) }, { ...A_DRAFT, name: "😀".repeat(60) }],
    [
      "with the longest channel",
      { ...A_DRAFT, channel: "é".repeat(32) },
      { ...A_DRAFT, channel: "é".repeat(32) },
    ],
  ])("%s", (_, stated, draft) => {
    expect(createProfile(stated, SCOPE)).toEqual({ ok: true, value: { is: "new", draft } });
  });

  test("said twice is one", () => {
    const { id: _, sales: __, ...draft } = WEB;
    const again = createProfile({ ...draft, channel: "WEB" }, SCOPE);
    expect(again).toEqual({ ok: true, value: { is: "known", profile: WEB } });
  });

  test.each<[string, Partial<ProfileDraft>, string, object, string]>([
    ["without a name", { name: " " }, "profile_name_invalid", {}, "name"],
    ["with an invisible name", { name: "\u200b" }, "profile_name_invalid", {}, "name"],
    ["with a name of two lines", { name: "A\nB" }, "profile_name_invalid", {}, "name"],
    ["with a name of 61 characters", { name: "a".repeat(61) }, "profile_name_invalid", {}, "name"],
    ["with another's name", { name: "WEB" }, "profile_name_taken", { name: "Web" }, "name"],
    ["of an empty channel", { channel: " " }, "channel_invalid", {}, "channel"],
    ["of a channel of 33 characters", { channel: "a".repeat(33) }, "channel_invalid", {}, "channel"],
    ["of a store that was not reported", { storeId: "9" }, "store_unknown", { stores: "9" }, "store_id"],
    ["of the same channel", { channel: "Web" }, "profile_match_taken", { profile: "Web" }, "channel"],
    ["with small letters in its stem", { stem: "c" }, "stem_invalid", { stem: "c" }, "stem"],
    ["with a stem of ours", { stem: "PED-9" }, "stem_reserved", { stem: "PED-9" }, "stem"],
    [
      "with a stem too long",
      { stem: "C".repeat(47) },
      "stem_too_long",
      { longest: { amount: "60" } },
      "stem",
    ],
    [
      "with a stem of another connection",
      { stem: "XS" },
      "stem_taken",
      { series: "XS", where: "Otra conexión" },
      "stem",
    ],
  ])("%s is refused", (_, change, code, facts, path) => {
    expect(refusalIn(drafted(change))).toEqual({ code, facts, path });
  });

  test("that would take everything is refused", () => {
    const refused = refusalIn(createProfile({ name: "Todo", stem: "C" }, SCOPE));
    expect(refused).toEqual({ code: "profile_takes_everything", facts: {}, path: "channel" });
  });

  test("of a connection that takes no orders is refused first", () => {
    const refused = refusalIn(
      createProfile({ name: "", stem: "" }, { ...SCOPE, connectionKind: "accounting" }),
    );
    expect(refused).toEqual({ code: "orders_not_supported_by_connection", facts: { kind: "accounting" } });
  });
});

describe("an existing profile", () => {
  test.each<[string, ProfileChange, Profile]>([
    ["nothing", {}, WEB],
    ["its name", { name: "Internet" }, { ...WEB, name: "Internet" }],
    ["its own name again", { name: "WEB" }, { ...WEB, name: "WEB" }],
    [
      "its channel, its store added",
      { channel: "App", storeId: "1" },
      { ...WEB, channel: "app", storeId: "1" },
    ],
    ["its stem before the first number", { stem: "WR" }, { ...WEB, stem: "WR" }],
  ])("changes %s", (_, change, expected) => {
    expect(changeProfile("p1", change, SCOPE)).toEqual({ ok: true, value: expected });
  });

  test("changes from a channel to a store", () => {
    const { channel: _, ...rest } = WEB;
    const changed = changeProfile("p1", { channel: null, storeId: "1" }, SCOPE);
    expect(changed).toEqual({ ok: true, value: { ...rest, storeId: "1" } });
  });

  test("that does not exist is not changed", () => {
    const refused = refusalIn(changeProfile("p9", { name: "X" }, SCOPE));
    expect(refused).toEqual({ code: "profile_unknown", facts: { profile: "p9" } });
  });

  test.each<[string, string, ProfileChange, string, object, string]>([
    ["to no rule at all", "p1", { channel: null }, "profile_takes_everything", {}, "channel"],
    [
      "to the rule of another",
      "p1",
      { channel: null, storeId: "2" },
      "profile_match_taken",
      { profile: "Tienda" },
      "channel",
    ],
    ["to the name of another", "p1", { name: "tienda" }, "profile_name_taken", { name: "Tienda" }, "name"],
    ["to the stem of another", "p1", { stem: "TS" }, "stem_taken", { series: "TS", where: "Tienda" }, "stem"],
    ["to another stem after its first number", "p2", { stem: "U" }, "stem_numbered", { stem: "T" }, "stem"],
  ])("%s is refused", (_, id, change, code, facts, path) => {
    expect(refusalIn(changeProfile(id, change, SCOPE))).toEqual({ code, facts, path });
  });
});
