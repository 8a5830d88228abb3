import { type ComponentType, useEffect, useRef, useState } from "react";
import { OfflineError } from "../api/errors.ts";
import { ErrorCard, Loading } from "../parts/states.tsx";
import type { Area } from "../words/areas.ts";
import { loadWords } from "../words/words.tsx";

type Load = () => Promise<ComponentType>;

/**
 * A page that is loaded when first opened, with the words of its areas. If its files do not arrive, an error
 * card takes its place: the frame around it stays, and the page loads once they arrive.
 */
export function page(areas: readonly Area[], load: Load) {
  const loadAll: Load = async () => (await Promise.all([load(), loadWords(areas)]))[0];
  return async () => {
    try {
      return { Component: await loadAll() };
    } catch (error) {
      return { element: <LatePage late={{ load: loadAll, error, Page: undefined }} /> };
    }
  };
}

interface Late {
  readonly load: Load;
  readonly error: unknown;
  /** Once it has arrived: the router keeps the element that it was given first. */
  Page: ComponentType | undefined;
}

function LatePage({ late }: { readonly late: Late }) {
  const [Page, setPage] = useState<ComponentType | undefined>(() => late.Page);
  const [error, setError] = useState<unknown>(late.error);
  const [isTrying, setTrying] = useState(false);
  const tries = useRef(0);
  async function retry() {
    tries.current += 1;
    setTrying(true);
    try {
      late.Page = await late.load();
      setPage(() => late.Page);
    } catch (again) {
      // Online and still missing: the console was renewed, and its new files have other names.
      if (navigator.onLine && tries.current > 1) window.location.reload();
      setError(again);
    }
    setTrying(false);
  }
  if (Page) return <Page />;
  return isTrying ? <Loading /> : <FailedContent error={error} retry={() => void retry()} />;
}

interface FailedContentProps {
  readonly error: unknown;
  readonly retry: () => void;
}

/** In the place of a page whose files or code failed. */
export function FailedContent({ error, retry }: FailedContentProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus(), []);
  return (
    <div ref={card} tabIndex={-1} style={{ padding: "32px 0", maxWidth: 720, outline: "none" }}>
      <ErrorCard error={navigator.onLine ? error : new OfflineError()} retry={retry} />
    </div>
  );
}
