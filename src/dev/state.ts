/** The data that `npm start` keeps in STATE_DIR between two starts. */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { SetupError } from "../ops/setup.mjs";
import type { SeededShops } from "./demo-shops.ts";
import type { SeededDemo } from "./seed.ts";
import type { PrintedMail } from "./servers.ts";

export interface LocalState {
  readonly dir: string;
  /** For `--persist-to`: databases, KV and objects of the local runtime. */
  readonly databases: string;
  /** The same for the sandbox of the AEAT. */
  readonly authority: string;
  /** Data of the console's local server, none of it ours. */
  readonly console: string;
  /** The registry in which only the running Workers of this state find each other. */
  readonly registry: string;
  /** For `--env-file`: the secrets of the API Worker. */
  readonly secretsFile: string;
  readonly ownerSecrets: Pick<Secrets, "API_KEY_SECRETS" | "SESSION_SECRET">;
  readonly apiKeySecrets: string;
  readonly shopSecrets: string;
  /** Access to the stand-in shops, and where they deliver. */
  readonly shopsConfig: string;
  /** The documents of the stand-in shops. */
  readonly shopsJournal: string;
  readonly demoFile: string;
  readonly mailFile: string;
  /** The log of both Workers, an object a line. */
  readonly logFile: string;
}

/** The seeded data, and the note that the demo invoice was issued. */
export interface SeedNote extends SeededDemo {
  readonly issued: boolean;
  /** Absent in data of a version without them; the next start adds them. */
  readonly shops?: SeededShops;
}

/** `signer` is FACTURAE_SIGNER of the environment, which the API Worker gets as it is. */
export function openState(dir: string, signer = process.env.FACTURAE_SIGNER): LocalState {
  mkdirSync(dir, { recursive: true });
  const { SESSION_SECRET, ...ofApi } = localSecrets(dir);
  const secretsFile = join(dir, "secrets.env");
  const lines = SECRETS_OF_API.map((name) => `${name}=${ofApi[name]}`).concat(signerLine(signer));
  const { API_KEY_SECRETS, SHOP_SECRETS } = ofApi;
  writeWhole(secretsFile, `${lines.join("\n")}\n`);
  return {
    dir,
    databases: join(dir, "wrangler"),
    authority: join(dir, "authority"),
    console: join(dir, "console"),
    registry: join(dir, "registry"),
    secretsFile,
    ownerSecrets: { API_KEY_SECRETS, SESSION_SECRET },
    apiKeySecrets: API_KEY_SECRETS,
    shopSecrets: SHOP_SECRETS,
    shopsConfig: join(dir, "sandbox-shops.json"),
    shopsJournal: join(dir, "sandbox-shops.jsonl"),
    demoFile: join(dir, "demo.json"),
    mailFile: join(dir, "mails.txt"),
    logFile: join(dir, "log.jsonl"),
  };
}

/** On one line in single quotes, as JSON has none; what is no JSON is handed over too, and reported there. */
function signerLine(signer: string | undefined): readonly string[] {
  if (!signer) return [];
  return [`FACTURAE_SIGNER='${oneLine(signer).replaceAll("'", "\\u0027")}'`];
}

function oneLine(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
}

const SECRETS_OF_API = ["API_KEY_SECRETS", "VIEWER_TOKEN_SECRETS", "SHOP_SECRETS"] as const;
type Secrets = Readonly<Record<(typeof SECRETS_OF_API)[number] | "SESSION_SECRET", string>>;

/** Made at the first start; secrets that an older version did not know are added. */
function localSecrets(dir: string): Secrets {
  const file = join(dir, "secrets.json");
  const made = () => randomBytes(32).toString("hex");
  const secrets: Secrets = {
    API_KEY_SECRETS: made(),
    VIEWER_TOKEN_SECRETS: made(),
    SHOP_SECRETS: made(),
    SESSION_SECRET: made(),
    ...readJson<Partial<Secrets>>(file),
  };
  writeJson(file, secrets);
  return secrets;
}

/** Undefined on the first start, and after a first start that did not finish. */
export function readSeedNote(state: LocalState): SeedNote | undefined {
  return readJson<SeedNote>(join(state.dir, "seed.json"));
}

/** Before the first migration. An unfinished first start has served no request, so it begins again. */
export function beginFirstStart(state: LocalState): void {
  const unfinished = join(state.dir, "first-start-unfinished");
  if (existsSync(state.databases) && !existsSync(unfinished)) {
    throw new SetupError(
      `${state.dir} holds databases but no seed.json. Put it back, remove the folder, or choose another ` +
        "with STATE_DIR.",
    );
  }
  rmSync(state.databases, { recursive: true, force: true });
  rmSync(join(state.dir, "migrated-to"), { force: true });
  writeWhole(unfinished, "");
}

export function writeSeedNote(state: LocalState, note: SeedNote): void {
  writeJson(join(state.dir, "seed.json"), note);
  rmSync(join(state.dir, "first-start-unfinished"), { force: true });
}

/** Wrangler takes seconds to find that a database needs no migration, so the last one is noted. */
export function isMigratedTo(state: LocalState, migrations: string): boolean {
  const file = join(state.dir, "migrated-to");
  return existsSync(file) && readFileSync(file, "utf8") === migrations;
}

export function writeMigratedTo(state: LocalState, migrations: string): void {
  writeWhole(join(state.dir, "migrated-to"), migrations);
}

export function writeDemoFile(state: LocalState, demo: object): void {
  writeJson(state.demoFile, demo);
}

export function writeShopsConfig(state: LocalState, config: object): void {
  writeJson(state.shopsConfig, config);
}

/** Who gets the mail, what it says, and each attached file by its name, type, size and hash. */
export function mailText(mail: PrintedMail): string {
  const { to, from, reply_to: replyTo, message_id: messageId, subject, text, attachments = [] } = mail;
  const heads = [
    ...(from === undefined ? [] : [`From: ${from}`]),
    `To: ${to}`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
    `Subject: ${subject}`,
    ...(messageId === undefined ? [] : [`X-Entity-Ref-ID: ${messageId}`]),
  ];
  const files = attachments.map(
    ({ name, type, size, sha256 }) => `Attached: ${name} ${type} ${size} bytes sha256 ${sha256}`,
  );
  return [...heads, "", text, ...(files.length > 0 ? ["", ...files] : []), ""].join("\n");
}

/** Keeps the mail that a mail server would have received. */
export function keepMail({ mailFile }: LocalState, text: string): void {
  appendFileSync(mailFile, text, { mode: 0o600 });
}

export function keepLog({ logFile }: LocalState, line: string): void {
  appendFileSync(logFile, `${line}\n`, { mode: 0o600 });
}

/** Writes wrangler's complaints between the product's lines, as separate lines. */
export function keepComplaint(state: LocalState, text: string): void {
  const complaint = stripVTControlCharacters(text).trim();
  if (complaint !== "") keepLog(state, JSON.stringify({ level: "wrangler", complaint }));
}

/** It may still contain Workers of a start that was killed. */
export function emptyRegistry({ registry }: LocalState): void {
  rmSync(registry, { recursive: true, force: true });
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}

function writeJson(file: string, value: object): void {
  writeWhole(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The files contain keys: only their owner may read them, and they are never half written. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
