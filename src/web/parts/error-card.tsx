import { Button, Card } from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import { ApiError, OfflineError } from "../api/errors.ts";
import { type Say, useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

/** Replaces the failed part: the cause, and the remedy. */
export function ErrorCard({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const say = useWords();
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

/** The sentence that the API gave, or ours where it gave none. */
export function errorText(error: unknown, say: Say): string {
  if (error instanceof OfflineError) return say("error.offline");
  if (!(error instanceof ApiError)) return say("error.server", { request_id: "—" });
  if (error.status >= 500 || error.message === "") {
    return say("error.server", { request_id: error.requestId || "—" });
  }
  return error.message;
}
