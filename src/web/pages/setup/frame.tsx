import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, Outlet } from "react-router";
import { paths } from "../../app/paths.ts";
import { CompanyProvider, useCompany } from "../../app/session.tsx";
import { PRODUCT, Sign } from "../../app/sign.tsx";
import { useTitle } from "../../parts/page-head.tsx";
import { ErrorCard } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";

type Step = 1 | 2 | 3;
const STEPS: readonly Step[] = [1, 2, 3];

interface FrameProps {
  readonly step: Step;
  readonly title: string;
  readonly lead?: ReactNode;
  /** A program of one's own has no shops to choose. */
  readonly hasShops?: boolean;
  /** A summary of each finished step. */
  readonly done?: Readonly<Partial<Record<Step, string>>>;
  readonly aside: ReactNode;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** Bar, steps, content, and the next step, which precedes the button. */
export function SetupFrame(props: FrameProps) {
  const { step, title, lead, done = {}, hasShops = true, aside, foot, children } = props;
  const say = useWords();
  useTitle(title);
  const name = say(`wizard.step.${step}`);
  return (
    <div className={styles.setup}>
      <Bar />
      <div className={styles.inside}>
        <StepList step={step} done={done} hasShops={hasShops} />
        <section className={styles.progress} aria-label={say("wizard.steps")}>
          {say("wizard.progress", { n: step, step: name })}
          <div aria-hidden>
            {STEPS.map((one) => (
              <i key={one} data-on={one <= step || undefined} />
            ))}
          </div>
        </section>
        <main className={styles.body} id="content">
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          <div className="stack">{children}</div>
        </main>
        <aside className={styles.aside}>{aside}</aside>
        <footer className={styles.foot}>{foot}</footer>
      </div>
    </div>
  );
}

interface SetupFailedProps {
  readonly setup: Pick<UseQueryResult, "error" | "refetch">;
  readonly step: Step;
}

/** The step could not be loaded; the way out is still offered. */
export function SetupFailed({ setup, step }: SetupFailedProps) {
  const say = useWords();
  return (
    <SetupFrame step={step} title={say(`step${step}.title`)} aside={null} foot={null}>
      <ErrorCard error={setup.error} retry={() => void setup.refetch()} />
    </SetupFrame>
  );
}

function Bar() {
  const say = useWords();
  const { account } = useCompany();
  return (
    <header className={styles.bar}>
      <div className={styles.mark}>
        <Sign />
        <span>{PRODUCT}</span>
      </div>
      <div className={styles.who}>
        <b>{account.legalName}</b> <span>NIF {account.nif}</span>
      </div>
      <Button component={Link} to={paths.overview(account.id)} variant="subtle" color="gray" size="xs">
        {say("wizard.leave")}
      </Button>
    </header>
  );
}

function StepList({ step, done, hasShops }: Required<Pick<FrameProps, "step" | "done" | "hasShops">>) {
  const say = useWords();
  return (
    <nav className={styles.stepNav} aria-label={say("wizard.steps")}>
      <ol className={styles.steps}>
        {STEPS.map((one) => (
          <li
            key={one}
            data-state={one < step ? "done" : one === step ? "now" : "later"}
            {...(one === step ? { "aria-current": "step" as const } : {})}
          >
            <i aria-hidden>{one < step ? <IconCheck size={14} /> : one}</i>
            <div>
              <b>{say(`wizard.step.${one}`)}</b>
              <span>{subtitleOf(one)}</span>
            </div>
          </li>
        ))}
      </ol>
    </nav>
  );
  function subtitleOf(one: Step): string {
    if (one === 2 && !hasShops) return say("wizard.step.none");
    if (one < step) return [say("wizard.step.done"), done[one]].filter(Boolean).join(" · ");
    return one === 3 ? say("wizard.step.3.sub") : "";
  }
}

interface AsideProps {
  readonly title: string;
  readonly lines: readonly { readonly icon: ReactNode; readonly text: string }[];
}

export function AsideList({ title, lines }: AsideProps) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {lines.map(({ icon, text }) => (
          <li key={text}>
            {icon}
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function SetupShell() {
  return (
    <CompanyProvider>
      <Outlet />
    </CompanyProvider>
  );
}
