/** What each form of the console was filled from, as its owner reads it. */
import type { Browser } from "../console.ts";
import type { ConsoleIds } from "./tenant.ts";

interface Form {
  readonly path: (account: string, connection: string) => string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the product, in which one member is looked for
  readonly version: (data: any, ids: ConsoleIds) => string | undefined;
}

interface Versioned {
  readonly id: string;
  readonly version: string;
}

const ofOne = (all: readonly Versioned[], asked: string) => all.find(({ id }) => id === asked)?.version;
const ofConnection = (name: string): Form => ({
  path: (_, connection) => connection,
  version: ({ versions }) => versions[name],
});
const ofSetup = (name: string): Form => ({
  path: (_, connection) => `${connection}/setup`,
  version: ({ versions }) => versions[name],
});

const FORMS: Readonly<Record<string, Form>> = {
  "/company": { path: (account) => `${account}/company`, version: ({ version }) => version },
  "/name": ofConnection("name"),
  "/consent/cutoff": ofConnection("cutoff"),
  "/callback": ofConnection("callback"),
  "/stores": ofSetup("stores"),
  "/stem": ofSetup("stem"),
  "/sales": {
    path: (_, connection) => `${connection}/profiles`,
    version: ({ orders }) => orders?.version,
  },
  "/profiles/:profile": {
    path: (_, connection) => `${connection}/profiles`,
    version: ({ profiles }, { profile }) => ofOne(profiles, profile),
  },
  "/webhooks/:webhook": {
    path: (_, connection) => `${connection}/webhooks`,
    version: ({ webhooks }, { webhook }) => ofOne(webhooks, webhook),
  },
};

/** Undefined where the route takes none, or what it is about is gone. */
export async function versionOf(route: string, owner: Browser, ids: ConsoleIds): Promise<string | undefined> {
  const form = FORMS[route.replace(/^PUT \/api\/accounts\/:account(\/connections\/:connection)?/, "")];
  if (!form) return undefined;
  const account = `/api/accounts/${ids.account}`;
  const { body } = await owner.get(form.path(account, `${account}/connections/${ids.connection}`));
  return body.data ? form.version(body.data, ids) : undefined;
}
