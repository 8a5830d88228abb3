import { Button, Card } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { answer } from "../../api/client.ts";
import { currentLanguage } from "../../app/language.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { useWrongFields } from "../../parts/form.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import shared from "../../parts/preview.module.css";
import { ReadOnly } from "../../parts/read-only.tsx";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { time } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import { CustomerCard } from "./customer-card.tsx";
import { DraftActs } from "./draft-acts.tsx";
import {
  type DraftForm,
  ofAccount,
  type Previewed,
  type ReadDraft,
  useDraft,
  useDraftForm,
  usePreview,
} from "./draft-queries.ts";
import { typedOf } from "./draft-values.ts";
import { IssueDialog } from "./issue-dialog.tsx";
import { PreviewCard, WholeSheet } from "./preview-card.tsx";
import { problemText } from "./problems.ts";
import { SaleCard } from "./sale-card.tsx";
import { TermsCard } from "./terms-card.tsx";
import { type DraftOnPage, useDraftOnPage } from "./use-draft.ts";

/** An invoice by hand: a new one, or a draft that is opened again. */
export function ByHandPage() {
  const { account } = useCompany();
  const { draft } = useParams();
  // The page that made a draft goes on with its form; another address is another form.
  const [made, setMade] = useState<string>();
  const opened = draft === made ? undefined : draft;
  useEffect(() => {
    if (draft !== undefined && draft !== made) setMade(undefined);
  }, [draft, made]);
  const form = useDraftForm(account.id);
  const read = useDraft(account.id, opened);
  if (form.isPending || (opened !== undefined && read.isPending)) return <Loading rows={8} />;
  if (form.isLoadingError) return <ErrorCard error={form.error} retry={() => void form.refetch()} />;
  if (opened !== undefined && read.isLoadingError) {
    return <ErrorCard error={read.error} retry={() => void read.refetch()} />;
  }
  return (
    <DraftEditor
      key={opened ?? "new"}
      read={opened === undefined ? undefined : read.data}
      form={form.data}
      onMade={setMade}
    />
  );
}

interface DraftEditorProps {
  readonly read: ReadDraft | undefined;
  readonly form: DraftForm;
  readonly onMade: (id: string) => void;
}

function DraftEditor({ read, form, onMade }: DraftEditorProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const go = useNavigate();
  const draft = useDraftOnPage({
    ...{ account: account.id, isReadOnly },
    begin: typedOf(read?.content ?? form.blank, currentLanguage()),
    ...(read ? { read } : {}),
    onMade: useCallback(
      (id: string) => {
        onMade(id);
        void go(paths.newInvoice(account.id, id), { replace: true, preventScrollReset: true });
      },
      [account.id, go, onMade],
    ),
  });
  const preview = usePreview(account.id, draft.saved.id, draft.saved.version);
  const issuing = useIssuing(draft, preview);
  const wrong = useWrongFields<HTMLDivElement>(draft.refused?.message ?? "");
  const told = issuing.isTold ? (preview.data?.problems ?? []) : [];
  const card = {
    ...{ typed: draft.typed, form: form.form, change: draft.change },
    errorAt: (...places: readonly string[]) => {
      const [problem] = told.filter(({ path }) => places.includes(path));
      return problem && problemText(problem, say);
    },
  };
  return (
    <>
      <PageHead
        title={say("hand.title")}
        lead={<SavedLine draft={draft} zone={account.timeZone} />}
        from={{ to: paths.invoices(account.id), name: say("nav.invoices") }}
        place={say("hand.title")}
      >
        {!isReadOnly && draft.saved.id !== undefined && <DraftActs draft={draft} id={draft.saved.id} />}
      </PageHead>
      <TurnOn byHand={form.byHand} />
      <div className={shared.beside}>
        <div className="stack" ref={wrong.place} {...wrong.watching}>
          {wrong.summary}
          {draft.refused && (
            <Button variant="default" onClick={() => void draft.reload()} className={styles.reload ?? ""}>
              {say("hand.reload")}
            </Button>
          )}
          <ReadOnly isReadOnly={isReadOnly}>
            <CustomerCard {...card} />
            <SaleCard {...card} />
            <TermsCard {...card} />
          </ReadOnly>
        </div>
        <PreviewCard preview={preview} isTold={issuing.isTold} />
      </div>
      <Dock
        preview={preview.data}
        isBusy={issuing.isAsked}
        press={() => {
          wrong.submitted();
          issuing.press();
        }}
      />
      {issuing.shown && draft.saved.id !== undefined && (
        <IssueDialog
          draft={draft.saved.id}
          version={draft.saved.version}
          shown={issuing.shown}
          close={issuing.close}
        />
      )}
    </>
  );
}

/** The button saves first and waits for the preview of it; then it asks, or tells what is wrong. */
function useIssuing(draft: DraftOnPage, preview: ReturnType<typeof usePreview>) {
  const [isTold, setTold] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { saved, isDirty, isPending, hasFailed, refused } = draft;
  const isCurrent = !isDirty && !isPending && !preview.isFetching && preview.data?.version === saved.version;
  const isStuck = hasFailed || refused !== undefined || preview.isError;
  const isReady = isCurrent && preview.data?.preview !== null;
  useEffect(() => {
    if (!isAsked || !(isCurrent || isStuck)) return;
    setAsked(false);
    if (isReady) setOpen(true);
  }, [isAsked, isCurrent, isStuck, isReady]);
  return {
    ...{ isTold, isAsked },
    shown: isOpen && isReady ? (preview.data?.preview ?? undefined) : undefined,
    close: () => setOpen(false),
    press() {
      setTold(true);
      setAsked(true);
      if (isDirty || saved.id === undefined) draft.saveNow();
    },
  };
}

function SavedLine({ draft, zone }: { readonly draft: DraftOnPage; readonly zone: string }) {
  const say = useWords();
  const { saved, isPending, hasFailed } = draft;
  const text = () => {
    if (hasFailed) return say("hand.unsaved");
    if (isPending) return say("hand.saving");
    return saved.savedAt === undefined
      ? say("hand.draft")
      : say("hand.saved", { time: time(saved.savedAt, zone) });
  };
  return <span role="status">{text()}</span>;
}

/** Nothing is issued by hand before its owner has agreed to it. */
function TurnOn({ byHand }: Pick<DraftForm, "byHand">) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const go = useNavigate();
  const open = useSave({
    send: () => answer(ofAccount.drafts.connection.$post({ param: { account: account.id } })),
    onSaved: ({ connectionId }) => void go(paths.consent(account.id, connectionId)),
  });
  if (byHand?.consented || isReadOnly) return null;
  return (
    <Card mb={16}>
      <div className={styles.notice}>
        <p>{say("hand.off")}</p>
        <Button variant="default" loading={open.isPending} onClick={() => open.mutate(undefined)}>
          {say("hand.turn_on")}
        </Button>
      </div>
    </Card>
  );
}

interface DockProps {
  readonly preview: Previewed | undefined;
  readonly isBusy: boolean;
  readonly press: () => void;
}

function Dock({ preview, isBusy, press }: DockProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const pending = preview?.problems.length ?? 0;
  if (isReadOnly) return null;
  return (
    <Card mt={16}>
      <div className={parts.dock}>
        <span className="muted small">{say("hand.number")}</span>
        <div className="end">
          {pending > 0 && <span className="muted small">{say("hand.pending", { n: pending })}</span>}
          {preview?.preview && <WholeSheet shown={preview.preview} />}
          <Button loading={isBusy} onClick={press}>
            {say("hand.issue")}
          </Button>
        </div>
      </div>
    </Card>
  );
}
