/**
 * People who signed up before addresses were proven: they count as proven, and their credentials still
 * work.
 */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = "migrations/directory";
/** The migration that knows of links. */
const WITH_LINKS = /_identity_links\.sql$/;

test("a person, their password, session and passkey exist after the migration, and are proven", () => {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  const migrate = (isWanted: (name: string) => boolean) => {
    for (const name of files.filter(isWanted)) database.exec(readFileSync(`${FOLDER}/${name}`, "utf8"));
  };
  const first = files.find((name) => WITH_LINKS.test(name)) ?? "";
  migrate((name) => name < first);
  database.exec(`
    INSERT INTO user (id, name, email, email_verified, created_at, updated_at) VALUES ('u', 'Ana', 'a@b.es', 0, 1, 1);
    INSERT INTO credential (id, account_id, provider_id, user_id, password, created_at, updated_at)
      VALUES ('c', 'u', 'credential', 'u', 'hash', 1, 1);
    INSERT INTO session (id, token, user_id, expires_at, created_at, updated_at) VALUES ('s', 't', 'u', 9, 1, 1);
    INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
      VALUES ('p', 'k', 'u', 'i', 0, 'singleDevice', 0);
    INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES ('h', 3, 1);
  `);
  migrate((name) => name >= first);
  expect(database.prepare("SELECT email_verified AS proven FROM user").all()).toMatchObject([{ proven: 1 }]);
  for (const table of ["credential", "session", "passkey", "sign_in_failure"]) {
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toMatchObject({ n: 1 });
  }
});
