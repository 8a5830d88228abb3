/** Everything that the load does and when it is killed, by the seed alone. */
import { SHOP_PLATFORMS } from "../../../src/domain/shop/presets.ts";
import { seeded } from "../seeded.ts";
import { type Call, type ConnectionName, type Course, DONE } from "./call.ts";
import { DIRECT_COURSES } from "./direct-courses.ts";
import { MAIL_COURSES } from "./mail-courses.ts";
import { ORDER_COURSES } from "./order-courses.ts";
import type { DemoShops } from "./shops/connections.ts";
import { backfillCourse, SHOP_COURSES } from "./shops/courses.ts";

export interface PlanOptions {
  readonly seed: number;
  /** At least so many calls. */
  readonly requests: number;
  readonly now: number;
  /** Each connection in the console: the id of its account, and its own path. */
  readonly places: Readonly<
    Record<ConnectionName, { readonly account: string; readonly connection: string }>
  >;
  readonly shops: DemoShops;
}

/** The share of the run after which the owner makes each single change. */
const CONSENT_AT = 0.45;
const SWITCH_AT = 0.7;
/** Invoices of before are not mailed when they are issued. */
const MAILING_AT = 0.3;
/** The backfill of each shop begins while deliveries and fetches go on. */
const BACKFILLS_AT = 0.5;

/** In the order in which they are begun. */
export function planOf({ seed, requests, now, places, shops }: PlanOptions): readonly Course[] {
  const random = seeded(seed);
  const courses: Course[] = [];
  for (let calls = 0; calls < requests; ) {
    const id = `c${courses.length + 1}`;
    const ofShop = { id, place: courses.length + 1, random, now, places, shops };
    const naming = { ...ofShop, account: places.api.account };
    const course = courseOf(kindOf(random.below(20)), naming);
    if (!course) continue;
    courses.push(course);
    calls += callsIn([course]).length;
  }
  const backfills = SHOP_PLATFORMS.map((platform, index) => {
    const place = courses.length + 1 + index;
    return backfillCourse({ id: `b${index + 1}`, place, random, now, places, shops }, platform);
  });
  const between = (from: number, to: number) =>
    courses.slice(Math.floor(courses.length * from), Math.floor(courses.length * to));
  return [
    ...between(0, MAILING_AT),
    mailingCourse(places.api.connection),
    ...between(MAILING_AT, CONSENT_AT),
    consentCourse(places.api_unconsented.connection),
    ...between(CONSENT_AT, BACKFILLS_AT),
    ...backfills,
    ...between(BACKFILLS_AT, SWITCH_AT),
    switchCourse(places.profiled.connection),
    ...between(SWITCH_AT, 1),
  ];
}

type CourseKind = "direct" | "orders" | "shops" | "mails";

/** Of twenty courses seven are direct invoices, seven orders of connectors, four shops' own, two mails. */
function kindOf(drawn: number): CourseKind {
  if (drawn < 7) return "direct";
  if (drawn < 14) return "orders";
  return drawn < 18 ? "shops" : "mails";
}

type OfDirect = Parameters<(typeof DIRECT_COURSES)[number]>[0];
type OfShop = Parameters<(typeof SHOP_COURSES)[number]>[0];

function courseOf(kind: CourseKind, naming: OfDirect & OfShop): Course | undefined {
  const { random } = naming;
  const drawn = <Of>(courses: readonly Of[]) => courses[random.below(courses.length)];
  switch (kind) {
    case "direct":
      return drawn(DIRECT_COURSES)?.(naming);
    case "orders":
      return drawn(ORDER_COURSES)?.(naming);
    case "shops":
      return drawn(SHOP_COURSES)?.(naming);
    case "mails":
      return drawn(MAIL_COURSES)?.(naming);
  }
}

export function callsIn(courses: readonly Course[]): readonly Call[] {
  return courses.flatMap(({ steps }) => steps.flat());
}

/** A kill after so many answered calls, and so long after the last of them. */
export interface Kill {
  readonly answered: number;
  readonly delayMs: number;
  /** The starts that are killed before the product is ready: how long after they began. */
  readonly startsMs: readonly number[];
}

const LONGEST_DELAY_MS = 400;
const LONGEST_START_MS = 8_000;

/** Spread over the run; the last kill comes while work is due and every call is answered. */
export function killsOf(seed: number, kills: number, requests: number): readonly Kill[] {
  const random = seeded(seed ^ 0x5eed);
  const moments = Array.from({ length: kills - 1 }, () => random.below(requests)).toSorted(
    (one, other) => one - other,
  );
  return [...moments, requests].slice(-kills).map((answered) => ({
    answered,
    delayMs: random.below(LONGEST_DELAY_MS),
    startsMs: random.below(5) === 0 ? [random.below(LONGEST_START_MS)] : [],
  }));
}

function ofOwner(connection: ConnectionName, step: string, change: Partial<Call>): Call {
  const id = `${connection}/${step}`;
  const of = { id, kind: "switch_access", connection, about: "", method: "PUT", path: "" } as const;
  return { ...of, expect: [DONE], ...change };
}

const CUTOFF = "2026-01-01";

/** The text as it is shown, and agreeing to it, as the console does. */
function consentCourse(path: string): Course {
  const text = ofOwner("api_unconsented", "text", {
    kind: "consent_text",
    method: "GET",
    path: `${path}/consent-text?cutoff_date=${CUTOFF}`,
  });
  const consent = ofOwner("api_unconsented", "consent", {
    kind: "consent",
    method: "POST",
    path: `${path}/consent`,
    body: { cutoff_date: CUTOFF, common_rules_apply: false, keeps_books_in_sii: false },
    from: {
      call: text.id,
      body: { consent_id: "consentId", text_version: "version", text_sha256: "sha256" },
    },
  });
  return { steps: [[text], [consent]], ends: [] };
}

/** Invoices of the connection go to customers who have accepted electronic ones. */
function mailingCourse(path: string): Course {
  const switched = ofOwner("api", "mailing", {
    ...{ kind: "switch_mailing", path: `${path}/mailing`, body: { to: "accepting" } },
  });
  return { steps: [[switched]], ends: [] };
}

/** Off and on again: earlier URLs of customers are closed for good. */
function switchCourse(path: string): Course {
  const turned = (step: string, enabled: boolean) =>
    ofOwner("profiled", step, { path: `${path}/access`, body: { enabled } });
  return { steps: [[turned("off", false)], [turned("on", true)]], ends: [] };
}
