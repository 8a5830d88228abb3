import { useEffect, useRef } from "react";
import { useWords } from "../../words/words.tsx";

interface SheetProps {
  /** As the customer's page has it: made by the service, every text in it escaped. */
  readonly html: string;
  /** Its form follows the room that it has, not the screen. */
  readonly css: string;
}

/** The invoice sheet, in its own shadow tree, so that neither style affects the other. */
export function Sheet({ html, css }: SheetProps) {
  const say = useWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const tree = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const look = new CSSStyleSheet();
    look.replaceSync(css);
    tree.adoptedStyleSheets = [look];
    tree.innerHTML = html;
  }, [html, css]);
  // biome-ignore lint/a11y/useSemanticElements: what is inside has its own headings
  return <div ref={place} role="group" aria-label={say("invoice.sheet")} lang="es" data-paper />;
}
