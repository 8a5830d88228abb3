import { Button, Checkbox, Radio } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";

/** To whom invoices are mailed when they are issued: of the connection, or of each of its profiles. */
export function MailingCard() {
  const say = useWords();
  const mailing = useMailing();
  if (mailing.isPending) return <Loading />;
  if (mailing.isLoadingError) return <ErrorCard error={mailing.error} retry={() => void mailing.refetch()} />;
  const { targets, text } = mailing.data;
  return (
    <Section title={say("mailing.title")}>
      <div className="stack">
        <p className="text-column">{say("mailing.lead")}</p>
        {targets.map((target) => (
          <TargetForm key={target.profile?.id ?? ""} target={target} text={text} />
        ))}
      </div>
    </Section>
  );
}

function mailingKey({ account, connection }: ReturnType<typeof useConnectionPlace>) {
  return ["mailing", account, connection] as const;
}

function useMailing() {
  const place = useConnectionPlace();
  return useQuery({
    queryKey: mailingKey(place),
    queryFn: () => answer(ofConnection.mailing.$get({ param: place })),
  });
}

type Mailing = NonNullable<ReturnType<typeof useMailing>["data"]>;
type Target = Mailing["targets"][number];

const CHOICES = ["nobody", "accepting", "everyone"] as const;

interface TargetFormProps {
  readonly target: Target;
  readonly text: Mailing["text"];
}

function TargetForm({ target, text }: TargetFormProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { profile, declared } = target;
  const [to, setTo] = useState(target.to);
  const [isDeclared, setDeclared] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = useSwitch(target);
  const isNew = to === "everyone" && target.to !== "everyone";
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isNew && !isDeclared) return setProblem(say("mailing.declare.missing"));
    save.mutate({
      to,
      ...(to === "everyone" ? { text_version: text.version, text_sha256: text.sha256 } : {}),
    });
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Radio.Group
        label={profile ? say("mailing.whom.of", { profile: profile.name }) : say("mailing.whom")}
        value={to}
        onChange={(chosen) => setTo(CHOICES.find((choice) => choice === chosen) ?? "nobody")}
      >
        <div className="stack" style={{ gap: 8 }}>
          <Radio value="nobody" label={say("mailing.nobody")} disabled={isReadOnly} />
          <Radio
            value="accepting"
            label={say("mailing.accepting")}
            description={say("mailing.accepting.hint")}
            disabled={isReadOnly}
          />
          <Radio value="everyone" label={say("mailing.everyone")} disabled={isReadOnly} />
        </div>
      </Radio.Group>
      {declared && to === "everyone" && (
        <p className="muted">
          {say("mailing.declared", {
            name: declared.by ?? say("activity.former"),
            date: longDate(declared.at, account.timeZone),
            version: declared.version,
          })}
        </p>
      )}
      {isNew && (
        <div className="stack text-column" lang={text.language}>
          <p>{text.intro}</p>
          <ol className="stack" style={{ gap: 8, paddingLeft: 20 }}>
            {text.clauses.map(({ title, body }) => (
              <li key={title}>
                <strong>{title}</strong> {body}
              </li>
            ))}
          </ol>
          <Checkbox
            label={say("mailing.declare")}
            checked={isDeclared}
            error={problem}
            onChange={({ currentTarget }) => {
              setDeclared(currentTarget.checked);
              setProblem(undefined);
            }}
          />
        </div>
      )}
      {to !== target.to && !isReadOnly && (
        <div>
          <Button type="submit" loading={save.isPending}>
            {say("mailing.save")}
          </Button>
        </div>
      )}
    </form>
  );
}

interface Choice {
  readonly to: Target["to"];
  readonly text_version?: string;
  readonly text_sha256?: string;
}

function useSwitch({ profile }: Target) {
  const say = useWords();
  const place = useConnectionPlace();
  return useSave({
    send: (choice: Choice) =>
      answer(
        ofConnection.mailing.$put({
          param: place,
          json: { ...choice, ...(profile ? { profile: profile.id } : {}) },
        }),
      ),
    refresh: [mailingKey(place)],
    said: say("mailing.saved"),
  });
}
