import { Button, Card, Skeleton } from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError, OfflineError } from "../api/errors.ts";
import { type Say, useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

/** Replaces the failed part: the cause, and the remedy. */
export function ErrorCard({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const say = useWords();
  useOnline(retry);
  return (
    <Card className={styles.error} role="alert">
      <IconAlertOctagon size={20} aria-hidden />
      <p>{error instanceof OfflineError ? say("error.offline.read") : errorText(error, say)}</p>
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          {say("retry")}
        </Button>
      )}
    </Card>
  );
}

/** Tries again by itself once the network is back. */
function useOnline(retry: (() => void) | undefined): void {
  const newest = useRef(retry);
  useEffect(() => {
    newest.current = retry;
  });
  useEffect(() => {
    const again = () => newest.current?.();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);
}

/** The sentence that the API gave, or ours where it gave none. */
export function errorText(error: unknown, say: Say): string {
  if (error instanceof OfflineError) return say("error.offline");
  if (!(error instanceof ApiError)) return say("error.page");
  if (error.status < 500 && error.message !== "") return error.message;
  const { requestId } = error;
  return requestId === "" ? say("error.server.plain") : say("error.server", { request_id: requestId });
}

/** One sentence about the future content, and one action. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {children}
    </div>
  );
}

const QUIET_MS = 300;
const SLOW_MS = 5_000;

/** Empty at first, then a skeleton, then a sentence. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const say = useWords();
  const waited = useWaited();
  if (waited < QUIET_MS) return null;
  return (
    <div className="stack" role="status" aria-label={say("loading")} style={{ padding: 20 }}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without anything in them
        <Skeleton key={row} height={18} width={`${90 - 12 * (row % 4)}%`} animate={false} />
      ))}
      {waited >= SLOW_MS && <p className="muted">{say("slow")}</p>}
    </div>
  );
}

function useWaited(): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [QUIET_MS, SLOW_MS].map((delay) => setTimeout(() => setWaited(delay), delay));
    return () => timers.forEach(clearTimeout);
  }, []);
  return waited;
}
