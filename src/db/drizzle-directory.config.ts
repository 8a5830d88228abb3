import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/db/schema/directory.ts", "./src/db/schema/identity.ts", "./src/db/schema/proof.ts"],
  out: "./migrations/directory",
});
