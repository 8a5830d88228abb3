import "@fontsource-variable/ibm-plex-sans/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./styles/tokens.css";
import "./styles/mantine.css";
import "./styles/base.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { queries } from "./api/queries.ts";
import { router } from "./app/router.tsx";
import { cssVariables, theme } from "./app/theme.ts";
import { WordsProvider } from "./words/words.tsx";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <WordsProvider>
          <QueryClientProvider client={queries}>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </WordsProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
