/** Foreign keys to the owner of a row, for tables outside `ledger.ts`. */
import { text } from "drizzle-orm/sqlite-core";
import { account, connection, installation } from "./ledger.ts";

export const ofConnection = () =>
  text("connection_id")
    .notNull()
    .references(() => connection.id);

export const ofAccount = () =>
  text("account_id")
    .notNull()
    .references(() => account.id);

export const ofInstallation = () =>
  text("installation_id")
    .notNull()
    .references(() => installation.id);
