import type { Child } from "hono/jsx";
import { STYLESHEET_PATH } from "./stylesheet.ts";

interface PageProps {
  readonly title: string;
  readonly language: "en" | "es";
  readonly children: Child;
}

/** The frame of every page of the API host: no script, one own style sheet. */
export function Page({ title, language, children }: PageProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href={STYLESHEET_PATH} />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** The result of `hono/jsx` for a page: a node whose text is escaped HTML. */
interface Rendered {
  toString(): string;
}

export function pageResponse(page: Rendered): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(`<!DOCTYPE html>${page.toString()}`, { headers });
}
