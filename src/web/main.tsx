import "@fontsource-variable/ibm-plex-sans/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./styles/tokens.css";
import "./styles/mantine.css";
import "./styles/base.css";
import {
  Button,
  Card,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
  Menu,
} from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { queries } from "./api/queries.ts";
import { router } from "./app/router.tsx";
import { WordsProvider } from "./words/words.tsx";

const tinta: MantineColorsTuple = [
  ...(["#edf1f9", "#dbe3f3", "#c3d0ec", "#a3baee", "#7f9bdb"] as const),
  ...(["#5878bf", "#36599f", "#274684", "#1e376a", "#152749"] as const),
];
const gray: MantineColorsTuple = [
  ...(["#faf9f7", "#f4f2ef", "#ebe8e4", "#e4e1dc", "#cfcac3"] as const),
  ...(["#a8a39b", "#8c877f", "#736e67", "#5f5b55", "#3b3833"] as const),
];
const dark: MantineColorsTuple = [
  ...(["#efede8", "#d6d2cb", "#b5b0a8", "#837e76", "#57534c"] as const),
  ...(["#383530", "#262421", "#1c1b18", "#141311", "#0e0d0c"] as const),
];

const FONT =
  '"IBM Plex Sans Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, ' +
  "sans-serif";

const theme = createTheme({
  colors: { tinta, gray, dark },
  primaryColor: "tinta",
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  defaultRadius: 6,
  black: "#1f1e1b",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: FONT,
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "14px", md: "14px", lg: "15px", xl: "22px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "22px", xl: "30px" },
  headings: { fontFamily: FONT, fontWeight: "600" },
  components: {
    Card: Card.extend({ defaultProps: { withBorder: true, shadow: "none", radius: 10, padding: 0 } }),
    // The placeholder is a child of the menu that is no item; the first item takes the focus.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Button: Button.extend({ defaultProps: { fw: 500, variant: "filled" } }),
  },
});

/** Mantine's variables from ours, in both schemes: each of our values changes with the scheme itself. */
const cssVariables: CSSVariablesResolver = () => {
  const ours = {
    "--mantine-color-body": "var(--page)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-dimmed": "var(--text-2)",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-hover": "var(--sunken)",
    "--mantine-color-default-border": "var(--btn-line)",
    "--mantine-color-error": "var(--bad)",
    "--mantine-color-placeholder": "var(--text-3)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-primary-color-filled": "var(--accent)",
    "--mantine-primary-color-filled-hover": "var(--accent-hover)",
    "--mantine-primary-color-contrast": "var(--on-accent)",
  };
  return { variables: {}, light: ours, dark: ours };
};

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
