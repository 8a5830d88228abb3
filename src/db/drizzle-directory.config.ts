import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/storage/schema/directory.ts",
    "./src/storage/schema/identity.ts",
    "./src/storage/schema/proof.ts",
  ],
  out: "./migrations/directory",
});
