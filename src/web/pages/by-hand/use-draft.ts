import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { currentLanguage } from "../../app/language.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { type Content, draftKey, draftsKey, ofAccount, type ReadDraft } from "./draft-queries.ts";
import { contentOf, type Typed, typedOf } from "./draft-values.ts";

const SAVE_MS = 1_000;
const AGAIN_MS = 5_000;

interface Saved {
  /** Absent until the first save. */
  readonly id?: string;
  readonly version: number;
  readonly savedAt?: string;
  readonly json: string;
}

interface DraftOptions {
  readonly account: string;
  readonly begin: Typed;
  /** The draft that was opened. */
  readonly read?: ReadDraft;
  readonly isReadOnly: boolean;
  /** The first save has given it an id. */
  readonly onMade: (id: string) => void;
}

/**
 * The draft on the page: saved a second after the last change, one save at a time. If another person has
 * changed or issued it, nothing more is saved, and the refusal says so.
 */
export function useDraftOnPage({ account, begin, read, isReadOnly, onMade }: DraftOptions) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(begin);
  const [saved, setSaved] = useState<Saved>(() => savedFrom(begin, read));
  const [key] = useState(() => crypto.randomUUID());
  const content = contentOf(typed, currentLanguage());
  const json = JSON.stringify(content);
  const isDirty = json !== saved.json;
  const save = useMutation({
    mutationFn: (sent: Content) => send(sent, { account, key, saved }),
    onSuccess: async (done, sent) => {
      setSaved({ ...done, json: JSON.stringify(sent) });
      if (saved.id === undefined) onMade(done.id);
      await client.invalidateQueries({ queryKey: draftsKey(account) });
    },
  });
  const { isPending, error, mutate } = save;
  const refused = error instanceof ApiError && error.status === 409 ? error : undefined;
  const isOver = isReadOnly || refused !== undefined;
  useEffect(() => {
    if (!isDirty || isPending || isOver) return undefined;
    const timer = setTimeout(() => mutate(JSON.parse(json)), error ? AGAIN_MS : SAVE_MS);
    return () => clearTimeout(timer);
  }, [json, isDirty, isPending, isOver, error, mutate]);
  useUnsaved(isDirty && !isOver && !isPending);
  return {
    ...{ typed, saved, isDirty, isPending, refused },
    hasFailed: error !== null && refused === undefined,
    change: (next: Partial<Typed>) => setTyped((before) => ({ ...before, ...next })),
    saveNow: () => {
      if (!isPending && !isOver) mutate(content);
    },
    reload: async () => {
      if (saved.id === undefined) return;
      const draft = { account, draft: saved.id };
      const now = await answer(ofAccount.drafts[":draft"].$get({ param: draft }));
      const values = typedOf(now.content, currentLanguage());
      setTyped(values);
      setSaved(savedFrom(values, now));
      client.setQueryData(draftKey(account, now.id), now);
      save.reset();
    },
  };
}

export type DraftOnPage = ReturnType<typeof useDraftOnPage>;

/** A draft that was opened is saved as it is; a blank one is no draft until something is typed. */
function savedFrom(values: Typed, read: ReadDraft | undefined): Saved {
  const json = JSON.stringify(contentOf(values, currentLanguage()));
  if (!read) return { version: 0, json };
  return { id: read.id, version: read.version, savedAt: read.savedAt, json };
}

interface Sending {
  readonly account: string;
  readonly key: string;
  readonly saved: Saved;
}

async function send(content: Content, { account, key, saved }: Sending) {
  const { id, version } = saved;
  if (id === undefined) {
    return answer(ofAccount.drafts.$post({ param: { account }, json: { idempotency_key: key, content } }));
  }
  const param = { account, draft: id };
  const done = await answer(ofAccount.drafts[":draft"].$put({ param, json: { version, content } }));
  return { id, ...done };
}
