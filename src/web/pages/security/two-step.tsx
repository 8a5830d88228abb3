import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { correction, generate } from "lean-qr";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, errorText } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { CodeForm } from "../sign-in/code-form.tsx";
import { Done, Refused } from "../sign-in/frame.tsx";
import styles from "../sign-in/sign-in.module.css";
import { whenFresh } from "./fresh.ts";
import { SESSIONS } from "./queries.ts";
import own from "./two-step.module.css";

const SECOND_FACTOR = ["second-factor"] as const;

interface SetUp {
  readonly secret: string;
  readonly url: string;
}

/** What this tab shows once: a secret that is being set up, or the codes that came of it. */
type Shown =
  | { readonly is: "nothing"; readonly isEnded?: boolean }
  | { readonly is: "set_up"; readonly setUp: SetUp }
  | { readonly is: "codes"; readonly codes: readonly string[] };

/** Verificación en dos pasos: set up with an app, switched off with a code. */
export function TwoStep() {
  const say = useWords();
  const client = useQueryClient();
  const [shown, show] = useState<Shown>({ is: "nothing" });
  const factor = useQuery({
    queryKey: SECOND_FACTOR,
    queryFn: () => answer(api.me["second-factor"].$get()),
  });
  return (
    <section className={styles.form} aria-labelledby="two-step">
      <h2 id="two-step">{say("security.totp")}</h2>
      {factor.isError && <ErrorCard error={factor.error} retry={() => void factor.refetch()} />}
      {shown.is === "set_up" && (
        <SettingUp
          setUp={shown.setUp}
          done={(codes) => {
            show({ is: "codes", codes });
            void client.invalidateQueries({ queryKey: SECOND_FACTOR });
            void client.invalidateQueries({ queryKey: SESSIONS });
          }}
          cancel={() => show({ is: "nothing" })}
        />
      )}
      {shown.is === "codes" && <RecoveryCodes codes={shown.codes} done={() => show({ is: "nothing" })} />}
      {shown.is === "nothing" && factor.data && (
        <>
          {shown.isEnded && <Done>{say("security.totp.ended")}</Done>}
          {factor.data.isOn ? (
            <SwitchedOn {...factor.data} ended={() => show({ is: "nothing", isEnded: true })} />
          ) : (
            <SwitchedOff begun={(setUp) => show({ is: "set_up", setUp })} />
          )}
        </>
      )}
    </section>
  );
}

function SwitchedOff({ begun }: { readonly begun: (setUp: SetUp) => void }) {
  const say = useWords();
  const [refused, setRefused] = useState("");
  const begin = useSave({
    send: () => answer(api.me["second-factor"]["set-up"].$post()),
    onSaved: begun,
    onRefused: (error) => void whenFresh(error, () => setRefused(errorText(error, say))),
    refresh: [SECOND_FACTOR],
  });
  return (
    <>
      <p className="muted">{say("security.totp.lead")}</p>
      <Refused>{refused}</Refused>
      <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
        {say("security.totp.begin")}
      </Button>
    </>
  );
}

interface SettingUpProps {
  readonly setUp: SetUp;
  readonly done: (codes: readonly string[]) => void;
  readonly cancel: () => void;
}

function SettingUp({ setUp: { secret, url }, done, cancel }: SettingUpProps) {
  const say = useWords();
  const grouped = secret.match(/.{1,4}/g)?.join(" ") ?? secret;
  return (
    <>
      <p>{say("security.totp.scan")}</p>
      <Qr text={url} label={say("security.totp.qr")} />
      <p className="muted">{say("security.totp.secret")}</p>
      <p className={own.secret}>
        <code>{grouped}</code>
        <CopyIcon text={secret} what={say("security.totp.secret.what")} />
      </p>
      <CodeForm
        isNext
        hint={say("security.totp.first")}
        button={say("security.totp.confirm")}
        send={(code) => answer(api.me["second-factor"].confirm.$post({ json: { code } }))}
        onSaved={({ recoveryCodes }) => done(recoveryCodes)}
        back={cancel}
      />
    </>
  );
}

const QUIET_ZONE = 4;

/** Black on white in both schemes: cameras want the contrast. */
function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M });
  const places = Array.from({ length: code.size }, (_, index) => index);
  const dark = places.flatMap((y) => places.flatMap((x) => (code.get(x, y) ? [`M${x} ${y}h1v1h-1z`] : [])));
  const side = code.size + 2 * QUIET_ZONE;
  return (
    <svg
      className={own.qr}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={dark.join("")} />
    </svg>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly done: () => void;
}

/** They are never shown again, so leaving asks first. */
function RecoveryCodes({ codes, done }: RecoveryCodesProps) {
  const say = useWords();
  useUnsaved(true, "security.totp.leave");
  return (
    <>
      <Done>{say("security.totp.on")}</Done>
      <p>{say("security.totp.recovery")}</p>
      <ul className={own.codes} aria-label={say("security.totp.recovery.list")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={own.secret}>
        <span className="muted">{say("security.totp.recovery.lead")}</span>
        <CopyIcon text={codes.join("\n")} what={say("security.totp.recovery.list")} />
      </p>
      <Button variant="default" onClick={done}>
        {say("security.totp.recovery.kept")}
      </Button>
    </>
  );
}

interface SwitchedOnProps {
  readonly since: string | null;
  readonly codesLeft: number;
  readonly ended: () => void;
}

function SwitchedOn({ since, codesLeft, ended }: SwitchedOnProps) {
  const say = useWords();
  const [isEnding, setEnding] = useState(false);
  return (
    <>
      <p>
        {since && say("security.totp.since", { date: date(since) })}{" "}
        {say("security.totp.codes_left", { n: codesLeft })}
      </p>
      <p className="muted">{say("security.totp.renew")}</p>
      {isEnding ? (
        <CodeForm
          isNext
          isQuiet
          hint={say("security.totp.either")}
          button={say("security.totp.end")}
          send={(code) => answer(api.me["second-factor"].$delete({ json: { code } }))}
          refresh={[SECOND_FACTOR]}
          onSaved={ended}
          back={() => setEnding(false)}
        />
      ) : (
        <Button variant="default" onClick={() => setEnding(true)}>
          {say("security.totp.end")}
        </Button>
      )}
    </>
  );
}
