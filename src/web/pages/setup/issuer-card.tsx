import { Checkbox } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import type { Setup } from "./setup.ts";
import styles from "./wizard.module.css";

interface IssuerCardProps {
  readonly setup: Setup;
  readonly declared: { readonly notInSii: boolean; readonly commonRules: boolean };
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (next: { readonly notInSii?: boolean; readonly commonRules?: boolean }) => void;
}

/** The issuer as printed, and the declarations that only the owner can make. */
export function IssuerCard({ setup, declared, problems, change }: IssuerCardProps) {
  const say = useWords();
  const { issuer, foralProvince } = setup;
  return (
    <Section title={say("step3.who")}>
      <div className="stack">
        <dl className="facts">
          <dt>{say("step3.who.name")}</dt>
          <dd>{issuer.legalName}</dd>
          <dt>{say("company.nif")}</dt>
          <dd>
            {issuer.nif}
            <Correct text={say("step3.nif_ok")} />
          </dd>
          <dt>{say("step3.who.address")}</dt>
          <dd>
            {issuer.address1}, {issuer.postcode} {issuer.city}
            {foralProvince === null && <Correct text={say("step3.common")} />}
          </dd>
          {issuer.registry !== undefined && (
            <>
              <dt>{say("company.registry.short")}</dt>
              <dd>{issuer.registry}</dd>
            </>
          )}
          <dt>{say("step3.who.tax")}</dt>
          <dd>
            {say("step3.who.regime", {
              tax: say(`step3.tax.${issuer.territory}`),
              regime: say(regimeWord(issuer)),
            })}
          </dd>
        </dl>
        <Checkbox
          id="sii"
          label={say("company.sii")}
          checked={declared.notInSii}
          error={problems.sii}
          onChange={(event) => change({ notInSii: event.currentTarget.checked })}
        />
        {foralProvince !== null && (
          <Checkbox
            id="foral"
            label={say("company.foral", { province: foralProvince })}
            checked={declared.commonRules}
            error={problems.foral}
            onChange={(event) => change({ commonRules: event.currentTarget.checked })}
          />
        )}
      </div>
    </Section>
  );
}

function regimeWord({ defaultRegime, territory }: Setup["issuer"]) {
  if (defaultRegime === "07") return "step3.regime.07";
  if (defaultRegime !== "18") return "step3.regime.01";
  return territory === "canarias" ? "step3.regime.18.igic" : "step3.regime.18";
}

function Correct({ text }: { readonly text: string }) {
  return (
    <span className={styles.correct}>
      <IconCircleCheck size={16} aria-hidden />
      {text}
    </span>
  );
}
