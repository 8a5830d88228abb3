import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/db/schema/ledger.ts",
    "./src/db/schema/shop.ts",
    "./src/db/schema/shops.ts",
    "./src/db/schema/orders.ts",
    "./src/db/schema/submission.ts",
    "./src/db/schema/invoice-entry.ts",
    "./src/db/schema/retention.ts",
    "./src/db/schema/mailing.ts",
    "./src/db/schema/drafts.ts",
    "./src/db/schema/review.ts",
  ],
  out: "./migrations/ledger",
});
