import type { InferRequestType } from "hono/client";
import type { Say } from "../../words/areas.ts";
import { type CredentialName, credentialsOf, platformName, type ShopifyApp, type Way } from "./platform.ts";
import type { ofShop, Platform, Shop } from "./queries.ts";

/** The form of the access to a shop. Secrets are always empty at first: they are never read back. */
export interface AccessValues extends Readonly<Record<CredentialName, string>> {
  readonly platform: Platform | "";
  readonly way: Way;
  readonly app: ShopifyApp;
  readonly url: string;
  readonly nif_key: string;
  /** Separated by commas. */
  readonly credit_keys: string;
  readonly webhooks: boolean;
}

const NO_CREDENTIALS = {
  ...{ consumer_key: "", consumer_secret: "", client_id: "" },
  ...{ secret: "", token: "", key: "" },
} as const satisfies Record<CredentialName, string>;

export function valuesOf(shop: Shop | null, platform: Platform | ""): AccessValues {
  return {
    ...NO_CREDENTIALS,
    platform: shop?.platform ?? platform,
    way: shop && shop.url === null ? "post" : "fetch",
    app: shop && "token" in shop.credentials ? "token" : "client",
    url: shop?.url ?? "",
    nif_key: shop?.nifKey ?? "",
    credit_keys: shop?.creditKeys.join(", ") ?? "",
    webhooks: true,
  };
}

type AccessBody = InferRequestType<typeof ofShop.$put>["json"];

export function bodyOf(values: AccessValues, platform: Platform, version: string): AccessBody {
  const named = credentialsOf(platform, values.way, values.app);
  const credits = values.credit_keys.split(",").flatMap((key) => key.trim() || []);
  return {
    platform,
    ...(values.way === "fetch" ? { url: withScheme(values.url) } : {}),
    credentials: Object.fromEntries(named.map((name) => [name, values[name].trim()])),
    ...(values.nif_key.trim() === "" ? {} : { nif_key: values.nif_key.trim() }),
    ...(credits.length === 0 ? {} : { credit_keys: credits }),
    version,
  };
}

/** Nobody types https://. */
function withScheme(url: string): string {
  const typed = url.trim();
  return /^[a-z]+:\/\//i.test(typed) || typed === "" ? typed : `https://${typed}`;
}

export type AccessProblems = Partial<Record<keyof AccessValues, string>>;

/** What is missing, before anything is sent. */
export function missingIn(values: AccessValues, say: Say): AccessProblems {
  const { platform, way, app, url } = values;
  if (platform === "") return { platform: say("shop.platform.missing") };
  const required = (field: string) => say("form.required", { field });
  const empty = credentialsOf(platform, way, app).filter((name) => values[name].trim() === "");
  return {
    ...(way === "fetch" && url.trim() === "" ? { url: required(say("shop.url.the")) } : {}),
    ...Object.fromEntries(empty.map((name) => [name, required(say(`shop.key.${name}.the`))])),
  };
}

/** The refusals of the API at the fields that they are about; what has no field is under "". */
export function problemsIn(
  refused: Readonly<Record<string, string>>,
  values: AccessValues,
): AccessProblems & { "": string } {
  const { "": whole = "", credentials, ...others } = refused;
  const ofFields = Object.entries(others).map(([path, message]) => [path.split(".").at(-1), message]);
  const first = firstCredential(values);
  return {
    ...Object.fromEntries(ofFields),
    ...(credentials && first ? { [first]: credentials } : {}),
    "": first || !credentials ? whole : credentials,
  };
}

function firstCredential({ platform, way, app }: AccessValues): CredentialName | undefined {
  return platform === "" ? undefined : credentialsOf(platform, way, app)[0];
}

/** How the shop answered to the test of its credentials. */
export interface TestAnswer {
  readonly result: "given" | "gone" | "refused" | "failed";
  readonly cause: string | null;
  readonly lacking: readonly string[];
}

/** A test that failed, next to the field that is wrong; empty after a good one. */
export function problemsOfTest(test: TestAnswer, values: AccessValues, say: Say): AccessProblems {
  if (values.platform === "") return {};
  const platform = platformName(values.platform);
  const first = firstCredential(values) ?? "url";
  switch (test.result) {
    case "given":
      return test.lacking.length === 0 ? {} : { [first]: lackingText(test.lacking, say) };
    case "refused":
      return { [first]: say("shop.refused") };
    case "gone":
      return { url: say("shop.gone", { platform }) };
    default:
      return { url: failureText(test.cause, platform, say) };
  }
}

export function lackingText(lacking: readonly string[], say: Say): string {
  return say("shop.lacking", { rights: lacking.join(", ") });
}

const CAUSES = [
  ...(["no_connection", "timeout", "too_large", "redirected", "not_json"] as const),
  ...(["server_error", "rate_limited", "client_error", "unexpected"] as const),
] as const;

/** Why a call of the shop failed; a cause of a newer service reads as an unexpected answer. */
export function failureText(cause: string | null, platform: string, say: Say): string {
  const known = CAUSES.find((one) => one === cause) ?? "unexpected";
  return say(`shop.failed.${known}`, { platform });
}
