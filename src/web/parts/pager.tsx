import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

interface PagerProps {
  /** "26–50 de 1.042", where it is known. */
  readonly range?: string;
  readonly previous: string | null;
  readonly next: string | null;
  readonly go: (cursor: string) => void;
}

/** The server makes the pages: a button works only if there is a page in its direction. */
export function Pager({ range, previous, next, go }: PagerProps) {
  const say = useWords();
  const isTurned = useRef(false);
  // Once the page that was asked for is on the screen.
  useEffect(() => {
    if (!isTurned.current) return;
    isTurned.current = false;
    goToTop();
  });
  function turn(cursor: string) {
    isTurned.current = true;
    go(cursor);
  }
  if (!previous && !next) return null;
  return (
    <nav className={styles.pager} aria-label={`${say("previous")}, ${say("next")}`}>
      <span>{range}</span>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        disabled={!previous}
        onClick={() => previous && turn(previous)}
      >
        {say("previous")}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={16} aria-hidden />}
        disabled={!next}
        onClick={() => next && turn(next)}
      >
        {say("next")}
      </Button>
    </nav>
  );
}

/** Another page of a list begins at its top, for the eye and for the keyboard. */
function goToTop(): void {
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}
