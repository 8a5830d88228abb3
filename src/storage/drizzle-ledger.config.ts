import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./src/storage/schema/ledger.ts",
  out: "./migrations/ledger",
});
