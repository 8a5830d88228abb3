import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/storage/schema/ledger.ts", "./src/storage/schema/shop.ts"],
  out: "./migrations/ledger",
});
