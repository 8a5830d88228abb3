import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../api/errors.ts";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";
import { useUnsaved } from "./unsaved.tsx";

interface Read<Values> {
  /** The version of the data, as the API sends and expects it. */
  readonly version: string;
  readonly values: Values;
}

interface NewerOptions<Values> {
  /** The newest version and its values. */
  readonly read: Read<Values>;
  readonly typed: Values;
  readonly take: (values: Values) => void;
  /** The query to read again after a refused save. */
  readonly readAgain: QueryKey;
}

/**
 * The form keeps the version it was opened with until the user loads the newer one. Then untouched fields
 * take the newer values, and typed ones stay. A form with changes is not left without a question.
 */
export function useNewer<Values extends object>(options: NewerOptions<Values>) {
  const { read, typed, take, readAgain } = options;
  const client = useQueryClient();
  const [base, setBase] = useState(read);
  const [before, setBefore] = useState<Values>();
  const [isRefused, setRefused] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [isSending, setSending] = useState(false);
  const isDirty = !isSame(typed, base.values);
  const isMoved = read.version !== base.version;
  useUnsaved(isDirty && !isSending && !isSaved);
  const follows = isMoved && !isSending && (isSaved || !isDirty || isSame(typed, read.values));
  useEffect(() => {
    if (!follows) return;
    take(read.values);
    setBase(read);
    setSaved(false);
  }, [follows, read, take]);
  function look() {
    take(merged(typed, base.values, read.values));
    setBefore(base.values);
    setBase(read);
    setRefused(false);
  }
  return {
    base,
    isDirty,
    isBehind: !isSending && (isRefused || (isMoved && isDirty && !follows)),
    /** The values before the user loaded the newer version. */
    before,
    look,
    /** Our own save: reading it back is no newer version. */
    send<Data>(save: (version: string) => Promise<Data>): Promise<Data> {
      setSending(true);
      return save(base.version);
    },
    saved() {
      setSending(false);
      setSaved(true);
      setRefused(false);
      setBefore(undefined);
    },
    /** True if a save was refused because of a newer version, which is then read. */
    isRefusedBy(error: unknown): boolean {
      setSending(false);
      if (!(error instanceof ApiError) || error.code !== "changed_meanwhile") return false;
      setRefused(true);
      void client.invalidateQueries({ queryKey: readAgain });
      return true;
    },
  };
}

function merged<Values extends object>(typed: Values, before: Values, now: Values): Values {
  const kept = Object.entries(typed).filter(([name, value]) => !isSame(value, Reflect.get(before, name)));
  return { ...now, ...Object.fromEntries(kept) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export interface NewerChange {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

interface NewerNoticeProps {
  readonly newer: { readonly isBehind: boolean; readonly before: unknown; readonly look: () => void };
  /** Another user's changes in words. */
  readonly changes: readonly NewerChange[];
}

/** Another user has saved: first the fact, then on demand the changes. */
export function NewerNotice({ newer, changes }: NewerNoticeProps) {
  const say = useWords();
  if (!newer.isBehind && newer.before === undefined) return null;
  return (
    <div className={styles.newer} role="alert">
      <IconAlertTriangle size={20} aria-hidden />
      {newer.isBehind ? (
        <>
          <p>{say("error.changed")}</p>
          <Button variant="default" size="xs" onClick={newer.look}>
            {say("newer.look")}
          </Button>
        </>
      ) : (
        <div>
          <p>{say("newer.changes")}</p>
          <ul>
            {changes.map(({ what, before, after }) => (
              <li key={what}>
                {what}: <del>{before}</del> → <ins>{after}</ins>
              </li>
            ))}
          </ul>
          <p className="muted small">{say("newer.kept")}</p>
        </div>
      )}
    </div>
  );
}
