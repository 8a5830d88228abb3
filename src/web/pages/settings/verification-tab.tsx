import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { currentLanguage } from "../../app/language.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { ErrorCard, errorText, Loading } from "../../parts/states.tsx";
import { FileInput, Textarea } from "../../parts/text-fields.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

const ofAccount = api.accounts[":account"];
const keyOf = (account: string) => ["verification", account] as const;

function useVerification() {
  const { account } = useCompany();
  return useQuery({
    queryKey: keyOf(account.id),
    queryFn: () => answer(ofAccount.verification.$get({ param: { account: account.id } })),
  });
}

type Verification = NonNullable<ReturnType<typeof useVerification>["data"]>;

/** The proof of the NIF: its meaning, the ways to prove it, the proofs so far. */
export function VerificationTab() {
  const { isReadOnly } = useCompany();
  const verification = useVerification();
  if (verification.isPending) return <Loading />;
  if (verification.isLoadingError) {
    return <ErrorCard error={verification.error} retry={() => void verification.refetch()} />;
  }
  const { data } = verification;
  const isOpen = data.verification === "unverified" || data.verification === "in_review";
  return (
    <>
      <VerificationState verification={data} />
      {isOpen && !isReadOnly && data.claim === null && <Proving takesCertificates={data.takesCertificates} />}
    </>
  );
}

function VerificationState({
  verification: { verification, nif, changes, claim },
}: {
  readonly verification: Verification;
}) {
  const say = useWords();
  const { account } = useCompany();
  const tone = verification === "verified" ? "done" : "decide";
  return (
    <Section title={say("verify.title")}>
      <div className="stack">
        <div>
          <StateMark tone={tone}>{say(`verify.state.${verification}`)}</StateMark>
        </div>
        <p className="text-column">{say(`verify.means.${verification}`, { nif })}</p>
        {claim && (
          <p className="text-column">
            {say(claim.isContested ? "verify.claim.contested" : "verify.claim.waits", {
              date: date(claim.madeAt, account.timeZone),
            })}
          </p>
        )}
        {changes.length > 0 && (
          <ul className={styles.dated}>
            {changes.map(({ to, at }) => (
              <li key={`${at}${to}`}>
                {date(at, account.timeZone)}: {say(`verify.state.${to}`)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

interface Text {
  readonly nonce: string;
  readonly text: string;
}

/** First the text, which is signed outside; then the document or the signature. */
function Proving({ takesCertificates }: { readonly takesCertificates: boolean }) {
  const say = useWords();
  const { account } = useCompany();
  const [text, setText] = useState<Text>();
  const [refused, setRefused] = useState("");
  const ask = useSave({
    send: () => answer(ofAccount.proofs.text.$post({ param: { account: account.id } })),
    onSaved: ({ nonce, text: made }) => setText({ nonce, text: made }),
    onRefused: (error) => setRefused(errorText(error, say)),
  });
  return (
    <Section title={say("verify.how")}>
      <div className="stack">
        <p className="text-column">{say("verify.how.body")}</p>
        {refused && <p role="alert">{refused}</p>}
        {text ? (
          <>
            <Textarea label={say("verify.text")} value={text.text} readOnly autosize />
            <Sending text={text} takesCertificates={takesCertificates} onSent={() => setText(undefined)} />
          </>
        ) : (
          <div>
            <Button loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
              {say("verify.text.ask")}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

interface SendingProps {
  readonly text: Text;
  readonly takesCertificates: boolean;
  /** A text is good for one proof: another one has to be asked for. */
  readonly onSent: () => void;
}

function Sending({ text, takesCertificates, onSent }: SendingProps) {
  const say = useWords();
  const { account } = useCompany();
  const [file, setFile] = useState<File | null>(null);
  const [refused, setRefused] = useState("");
  const [isHeld, setHeld] = useState(false);
  const send = useSave({
    send: ({ shown, isClaim }: { readonly shown: File; readonly isClaim: boolean }) =>
      isPdf(shown)
        ? sendDocument(account.id, text.nonce, shown, isClaim)
        : sendSignature(account.id, text.nonce, shown, isClaim),
    refresh: [keyOf(account.id), ["me"]],
    onSaved: onSent,
    onRefused: (error) => {
      setRefused(errorText(error, say));
      // The NIF is another's: then that company is claimed, with the same document.
      setHeld(error instanceof ApiError && error.code === "issuer_exists");
    },
  });
  const act = (isClaim: boolean) =>
    file ? send.mutate({ shown: file, isClaim }) : setRefused(say("verify.file.none"));
  return (
    <>
      <FileInput
        label={say("verify.file")}
        description={say(takesCertificates ? "verify.file.hint.certificate" : "verify.file.hint")}
        placeholder={say("verify.file.choose")}
        accept={takesCertificates ? "application/pdf,.csig,.p7s" : "application/pdf"}
        value={file}
        onChange={(chosen) => {
          setFile(chosen);
          setRefused("");
        }}
      />
      {refused && <p role="alert">{refused}</p>}
      <div className="row">
        <Button loading={send.isPending} onClick={() => act(false)}>
          {say("verify.send")}
        </Button>
        {isHeld && (
          <Button variant="default" loading={send.isPending} onClick={() => act(true)}>
            {say("verify.claim")}
          </Button>
        )}
      </div>
    </>
  );
}

function isPdf({ type, name }: File): boolean {
  return type === "application/pdf" || name.toLowerCase().endsWith(".pdf");
}

/** Sends the bytes of the file: the typed calls of the API send JSON only. */
function sendDocument(account: string, nonce: string, shown: File, isClaim: boolean) {
  const query = new URLSearchParams({ nonce, ...(isClaim ? { account } : {}) });
  const path = isClaim ? "/api/claims/document" : `/api/accounts/${account}/proofs/document`;
  return answer<object>(
    fetch(`${path}?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/pdf", "Accept-Language": currentLanguage() },
      body: shown,
    }),
  );
}

async function sendSignature(account: string, nonce: string, shown: File, isClaim: boolean): Promise<object> {
  const signature = base64Of(new Uint8Array(await shown.arrayBuffer()));
  if (isClaim) return answer(api.claims.$post({ json: { account, nonce, signature } }));
  return answer(ofAccount.proofs.certificate.$post({ param: { account }, json: { nonce, signature } }));
}

function base64Of(bytes: Uint8Array): string {
  return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(""));
}
