import { ok, type Result } from "./domain/shared/result.ts";
import {
  type ApiConfig,
  type ApiVariables,
  apiConfigFrom,
  type Misconfigured,
  type OwnerConfig,
  type OwnerVariables,
  ownerConfigFrom,
  type SharedConfig,
} from "./platform/config.ts";
import type { ServiceMail } from "./platform/mailer.ts";

/** Bindings of both Workers. Every ledger binding is called `LEDGER_` and its number. */
export interface SharedBindings {
  readonly LEDGER_000: D1Database;
  readonly LEDGER_001: D1Database;
  readonly DIRECTORY: D1Database;
  readonly EVIDENCE: R2Bucket;
  readonly CONNECTION_LEDGER: DurableObjectNamespace;
  readonly FAILED_AUTHENTICATION_LIMIT: RateLimit;
  /** Cloudflare's e-mail sending; production only. */
  readonly MAIL?: { send(mail: ServiceMail): Promise<unknown> };
}

export interface ApiBindings extends SharedBindings {
  readonly VIEWER_TOKENS: KVNamespace;
  readonly LOOKS_BY_LINK_LIMIT: RateLimit;
  readonly LOOKS_BY_NETWORK_LIMIT: RateLimit;
  /** The client certificate; production only. */
  readonly AEAT_CERTIFICATE?: Fetcher;
}

export type ApiEnv = ApiBindings &
  ApiVariables &
  Readonly<Record<"API_KEY_SECRETS" | "VIEWER_TOKEN_SECRETS" | "SHOP_SECRETS", string>>;

export type OwnerEnv = SharedBindings &
  OwnerVariables & { readonly API_KEY_SECRETS: string; readonly SESSION_SECRET: string };

/** Bindings with parsed variables, so that no code parses a variable twice. */
export type SharedDeployment = SharedBindings & { readonly config: SharedConfig };
export type ApiDeployment = ApiBindings & { readonly config: ApiConfig };
export type OwnerDeployment = SharedBindings & { readonly config: OwnerConfig };

export function apiDeployment(env: ApiEnv): Result<ApiDeployment, Misconfigured> {
  const config = apiConfigFrom(env);
  return config.ok ? ok({ ...env, config: config.value }) : config;
}

export function ownerDeployment(env: OwnerEnv): Result<OwnerDeployment, Misconfigured> {
  const config = ownerConfigFrom(env);
  return config.ok ? ok({ ...env, config: config.value }) : config;
}
