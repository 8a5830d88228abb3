import { defineConfig } from "vite";

/** Built files only: they are served by Pages, and by `wrangler pages dev` on a developer's machine. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Read by the check of the first load.
    manifest: true,
    target: "es2022",
    sourcemap: false,
    // Fonts are files of their own: the policy allows none inside a style sheet.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // "use client" means something to servers that render; there is none here.
      onLog: (level, log, pass) => log.code === "MODULE_LEVEL_DIRECTIVE" || pass(level, log),
    },
  },
});
