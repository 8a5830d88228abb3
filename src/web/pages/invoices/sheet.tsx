import { useEffect, useRef } from "react";
import { useWords } from "../../words/words.tsx";

interface SheetProps {
  /** As the customer's page has it: made by the service, every text in it escaped. */
  readonly html: string;
  readonly css: string;
  /** In a column as narrow as a phone, on any screen. */
  readonly isNarrow?: boolean;
}

/** The sheet's own rules for phones, without their condition. */
function narrowed(css: string): string {
  return css
    .replaceAll("@media screen and (max-width: 719px)", "@media screen")
    .replaceAll("@media (min-width: 720px)", "@media not all");
}

/** The invoice sheet, in its own shadow tree, so that neither style affects the other. */
export function Sheet({ html, css, isNarrow = false }: SheetProps) {
  const say = useWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const tree = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const look = new CSSStyleSheet();
    look.replaceSync(isNarrow ? narrowed(css) : css);
    tree.adoptedStyleSheets = [look];
    tree.innerHTML = html;
  }, [html, css, isNarrow]);
  // biome-ignore lint/a11y/useSemanticElements: what is inside has its own headings
  return <div ref={place} role="group" aria-label={say("invoice.sheet")} lang="es" data-paper />;
}
