import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/storage/schema/ledger.ts",
    "./src/storage/schema/account-opening.ts",
    "./src/storage/schema/shop.ts",
    "./src/storage/schema/orders.ts",
    "./src/storage/schema/access.ts",
    "./src/storage/schema/submission.ts",
    "./src/storage/schema/invoice-entry.ts",
    "./src/storage/schema/retention.ts",
  ],
  out: "./migrations/ledger",
});
