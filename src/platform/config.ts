/** The variables of a deployment, parsed once; each Worker lists its own. */
import * as z from "zod";
import { serverSecrets } from "../domain/connection/server-secrets.ts";
import { err, ok, type Result } from "../domain/shared/result.ts";
import { type SoftwareConfig, softwareFrom } from "../domain/verifactu/software.ts";

const text = z.string().min(1);
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const webAddress = z.string().refine(isWebAddress);
const secrets = z.string().default("").transform(serverSecrets);
const hosts = z
  .string()
  .transform(hostsIn)
  .pipe(z.array(z.string().regex(/^[a-z0-9.-]+$/)));
const software = z.string().transform(softwareOr);
/** A mistake stops only what the variable serves: its value is undefined, and its user logs the name. */
const servesOne = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
/** `authorityFrom` and `paceFrom` judge these together: a mistake stops only submission. */
const ofSubmission = z.string().default("");

const shared = {
  /** The host of the AEAT's QR service and of the submission of real companies' records. */
  AEAT_ENVIRONMENT: z.enum(["test", "production"]),
  /** How records reach the AEAT: "off", "sandbox", "certificate" or "relay". */
  AEAT_TRANSPORT: ofSubmission,
  /** JSON of the producer and the product: SistemaInformatico. */
  SOFTWARE: software,
  CONSOLE_URL: webAddress,
  /** "eu" keeps the objects in the European Union. */
  JURISDICTION: z.enum(["", "eu"]),
  /** How mails are sent: "log" prints them on a developer's machine, "binding" is Cloudflare's. */
  MAIL_TRANSPORT: z.enum(["log", "binding"]),
  MAIL_FROM: servesOne(text),
  /** Secret: comma-separated, the first signs new keys, all of them verify. */
  API_KEY_SECRETS: secrets,
};

const api = z.object({
  ...shared,
  /** The address of the sandbox or the relay, which answers the AEAT's path. */
  AEAT_BASE_URL: ofSubmission,
  /** "certificate" of a person or representative, "seal" of an entity. */
  AEAT_CERTIFICATE_KIND: ofSubmission,
  /** Secret of the relay. */
  AEAT_RELAY_TOKEN: z.string().optional(),
  /** JSON of waits that are shorter than the law's, for the sandbox; empty otherwise. */
  SUBMISSION_PACE: ofSubmission,
  /** Valid calls per minute of a connection without its own limit; 0 for no limit. */
  DEFAULT_RATE_LIMIT: wholeNumber,
  /** Hosts of this service, comma-separated: no callback goes to them. */
  OWN_HOSTS: servesOne(hosts),
  /** "1" on a developer's machine only: callbacks may go to http://127.0.0.1. */
  CALLBACKS_TO_LOOPBACK: z.enum(["0", "1"]).transform((word) => word === "1"),
  /** The folder of the ECB's files. */
  ECB_BASE_URL: servesOne(webAddress),
  /** Secret: comma-separated, the first signs viewer URLs, all of them verify. */
  VIEWER_TOKEN_SECRETS: secrets,
  /** Secret: comma-separated, the first seals what shops entrust to us, all of them unseal. */
  SHOP_SECRETS: secrets,
  /** Secret: JSON of the key and the certificates that sign electronic invoices (`facturae-signer.ts`). */
  FACTURAE_SIGNER: z.string().optional(),
  /** The address of the sandbox shops, which `npm start` alone sets: four folders of it may be called. */
  SANDBOX_SHOPS_URL: z.string().default(""),
});

const owner = z.object({
  ...shared,
  /** The address at which connectors call this service. */
  API_URL: webAddress,
  /** "on" if the signature of a qualified certificate proves a NIF. */
  CERTIFICATE_PROOFS: z.enum(["off", "on"]).transform((word) => word === "on"),
  /** Where people write from the console's help; without it the help has no such button. */
  SUPPORT_EMAIL: z.union([z.literal(""), z.email()]).default(""),
  /** Secret: comma-separated, the first signs the console's session cookies, all of them verify. */
  SESSION_SECRET: secrets,
});

/** The variables as wrangler provides them. */
type Texts<Schema extends z.ZodObject> = { readonly [Name in keyof z.input<Schema>]: string };
export type ApiVariables = Texts<typeof api>;
export type OwnerVariables = Texts<typeof owner>;

export type ApiConfig = Readonly<z.output<typeof api>>;
export type OwnerConfig = Readonly<z.output<typeof owner>>;
/** The variables of both Workers. */
export type SharedConfig = Pick<ApiConfig, keyof typeof shared>;

/** Names the missing or wrong variable, never its value. */
export interface Misconfigured {
  readonly variable: string;
}

export function apiConfigFrom(env: object): Result<ApiConfig, Misconfigured> {
  return parsed(api, env);
}

export function ownerConfigFrom(env: object): Result<OwnerConfig, Misconfigured> {
  return parsed(owner, env);
}

function parsed<Schema extends z.ZodObject>(
  schema: Schema,
  env: object,
): Result<z.output<Schema>, Misconfigured> {
  const { data, error } = schema.safeParse(env);
  return error ? err({ variable: String(error.issues[0]?.path[0]) }) : ok(data);
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function hostsIn(list: string): string[] {
  const named = list.split(",").map((host) => host.trim().toLowerCase());
  return named.filter((host) => host !== "");
}

/** A problem becomes an issue of the schema. Its sentence is dropped, because it may quote the value. */
function softwareOr(json: string, context: z.RefinementCtx): SoftwareConfig {
  try {
    return softwareFrom(json);
  } catch {
    context.addIssue("SOFTWARE cannot be read");
    return z.NEVER;
  }
}
