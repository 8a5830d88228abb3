/** The API Worker and the owner Worker: their bindings and their code. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import type { Result } from "../../src/domain/shared/result.ts";
import { apiConfigFrom, type Misconfigured, ownerConfigFrom } from "../../src/platform/config.ts";
import { bundledWith } from "../support/rules/architecture.ts";
import { sourceFiles } from "../support/rules/sources.ts";

const ENVIRONMENTS = ["", "production"];

const configOf = (config: string, env: string): Config => unstable_readConfig({ config, env });
const apiOf = (env: string) => configOf("wrangler.toml", env);
const ownerOf = (env: string) => configOf("src/console/wrangler.toml", env);
type Config = ReturnType<typeof unstable_readConfig>;

const SECRETS = { API_KEY_SECRETS: "a", VIEWER_TOKEN_SECRETS: "b", SESSION_SECRET: "c", SHOP_SECRETS: "d" };
const isSecret = (name: string) => name in SECRETS;

function variablesIn(config: Result<object, Misconfigured>): string[] {
  if (!config.ok) throw new Error(`${config.error.variable} is missing or wrong`);
  return Object.keys(config.value);
}

/** Members of interfaces of `src/env.ts`: optional ones are bound in production only. */
function bindingsIn(...interfaces: readonly string[]) {
  const text = readFileSync("src/env.ts", "utf8");
  return interfaces.flatMap((name) => {
    const [, members = ""] = new RegExp(`interface ${name} .*?\\{\\n(.*?)\\n\\}`, "s").exec(text) ?? [];
    return [...members.matchAll(/^ {2}readonly (\w+)(\??):/gm)].map(([, member = "", optional]) => ({
      ...{ member, isOptional: optional === "?" },
    }));
  });
}

interface Bound {
  readonly name?: string;
  readonly binding?: string;
}

function boundBy(config: Config): string[] {
  const { d1_databases, kv_namespaces, r2_buckets, mtls_certificates } = config;
  const { durable_objects, ratelimits, send_email } = config;
  const named: Bound[] = [...durable_objects.bindings, ...ratelimits, ...send_email];
  const bound: Bound[] = [...d1_databases, ...kv_namespaces, ...r2_buckets, ...mtls_certificates];
  return [...named.map(({ name = "" }) => name), ...bound.map(({ binding = "" }) => binding)];
}

interface Database {
  readonly binding: string;
  readonly database_name?: string;
  readonly database_id?: string;
}

const databasesOf = ({ d1_databases: all }: Config) =>
  all.map(({ binding, database_name, database_id }: Database) => ({ binding, database_name, database_id }));

describe.each(ENVIRONMENTS)("in the environment %j", (environment) => {
  const [api, owner] = [apiOf(environment), ownerOf(environment)];
  const ofApi = variablesIn(apiConfigFrom({ ...api.vars, ...SECRETS }));
  const ofOwner = variablesIn(ownerConfigFrom({ ...owner.vars, ...SECRETS }));

  test.each([
    ["the API Worker", api, ofApi],
    ["the owner Worker", owner, ofOwner],
  ])("%s calls public addresses only", (_, config) => {
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
  });

  test.each([
    ["the API Worker", api, ofApi],
    ["the owner Worker", owner, ofOwner],
  ])("%s has the variables of its schema, and no more", (_, config, known) => {
    expect(Object.keys(config.vars).toSorted()).toEqual(known.filter((name) => !isSecret(name)).toSorted());
  });

  test.each([
    ["the API Worker", api, bindingsIn("SharedBindings", "ApiBindings")],
    ["the owner Worker", owner, bindingsIn("SharedBindings")],
  ])("%s has the bindings of its type, and no more", (_, config, declared) => {
    const bound = boundBy(config);
    const needed = declared.filter(({ isOptional }) => !isOptional).map(({ member }) => member);
    expect(needed.filter((member) => !bound.includes(member))).toEqual([]);
    expect(needed).toContain("CONNECTION_LEDGER");
    const known = declared.map(({ member }) => member);
    expect(bound.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("the common variables are the same", () => {
    const shared = Object.keys(owner.vars).filter((name) => name in api.vars);
    expect(shared).toEqual(expect.arrayContaining(["SOFTWARE", "CONSOLE_URL", "JURISDICTION", "MAIL_FROM"]));
    for (const name of shared) expect([name, owner.vars[name]]).toEqual([name, api.vars[name]]);
    const placeOf = (config: Config) => {
      const { r2_buckets, send_email, limits, compatibility_date } = config;
      return { databases: databasesOf(config), r2_buckets, send_email, limits, compatibility_date };
    };
    expect(placeOf(owner)).toEqual(placeOf(api));
    expect(api.ratelimits).toEqual(expect.arrayContaining(owner.ratelimits));
  });

  test("the owner Worker has the API Worker's objects, and no host, cron or object of its own", () => {
    expect(owner.durable_objects.bindings).toEqual([
      { name: "CONNECTION_LEDGER", class_name: "ConnectionLedger", script_name: api.name },
    ]);
    expect([owner.workers_dev, owner.preview_urls, owner.routes, owner.migrations]).toEqual([
      ...[false, false, undefined, []],
    ]);
    expect(owner.triggers.crons ?? []).toEqual([]);
  });

  test("the owner Worker is not deployed without a secret of its schema", () => {
    expect(owner.secrets?.required?.toSorted()).toEqual(ofOwner.filter(isSecret).toSorted());
  });
});

test("the Pages site reaches the owner Worker by the binding that its Function asks for", () => {
  const { services } = configOf("src/web/wrangler.toml", "");
  expect(services).toEqual([{ binding: "OWNER_API", service: ownerOf("").name }]);
  expect(ownerOf("production").name).toBe(ownerOf("").name);
});

describe("a bundle", () => {
  const texts = new Map(sourceFiles("src/**/*.{ts,tsx}").map(({ path, text }) => [path, text]));
  const bundleOf = (entry: string) => [
    ...bundledWith(entry, (path) => texts.get(path) ?? `no file: ${path}`),
  ];

  test("of the API Worker holds nothing of signing in, and not the console's API", () => {
    const bundle = bundleOf("src/worker.ts");
    expect(bundle).toContain("src/ledger/core/ledger.ts");
    const strange = /better-auth|better-call|pkijs|src\/console\//;
    expect(bundle.filter((name) => strange.test(name))).toEqual([]);
  });

  test("of the owner Worker holds neither the object's class nor the routes of connectors", () => {
    const bundle = bundleOf("src/console/worker.ts");
    expect(bundle).toContain("src/console/sign-in/identity.ts");
    const strange =
      /src\/(ledger\/core\/(connection-ledger|ledger|settle)|api\/(app|endpoints.*)|aeat\/.*)\.ts/;
    expect(bundle.filter((name) => strange.test(name))).toEqual([]);
  });
});
