import { Button, FileButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { LONGEST_FOOTER } from "../../../domain/brand/look.ts";
import { spacedIban } from "../../../domain/shared/iban.ts";
import { answer } from "../../api/client.ts";
import { currentLanguage } from "../../app/language.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ColorInput } from "../../parts/color-input.tsx";
import { FieldError } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, errorText, Loading } from "../../parts/states.tsx";
import { Textarea } from "../../parts/text-fields.tsx";
import { type Say, useWords } from "../../words/words.tsx";
import { Sheet } from "../invoices/sheet.tsx";
import { drawnLogo, UnreadablePicture } from "./drawn-logo.ts";
import { type CompanySettings, companyKey, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";
import { useVersionedForm, VersionedForm } from "./versioned-form.tsx";

interface LookForm {
  accent: string;
  footer: string;
}

/** How invoices look, beside an invoice that looks so. */
export function LookTab({ company }: { readonly company: CompanySettings }) {
  const state = useLook(company);
  const { form } = state;
  const say = useWords();
  const { isReadOnly } = useCompany();
  return (
    <div className={styles.look}>
      <VersionedForm
        state={state}
        changesIn={(before, after) => changesIn(before, after, say)}
        note={say("look.note")}
      >
        <LogoSection company={company} />
        <Section title={say("look.texts")}>
          <ReadOnly isReadOnly={isReadOnly}>
            <ColorInput
              id="accent"
              label={say("look.accent")}
              description={<Darker typed={form.values.accent} />}
              placeholder={say("look.accent.none")}
              maxLength={7}
              withEyeDropper={false}
              {...form.getInputProps("accent")}
            />
            <Textarea
              id="footer"
              label={say("look.footer")}
              description={say("look.footer.hint")}
              autosize
              minRows={2}
              maxLength={LONGEST_FOOTER}
              {...form.getInputProps("footer")}
            />
          </ReadOnly>
        </Section>
        <PaymentShown company={company} />
      </VersionedForm>
      <LiveSheet values={form.values} company={company} />
    </div>
  );
}

const PAUSE_MS = 300;

function useTypedLook(values: LookForm, logo: string) {
  const { account } = useCompany();
  const [typed] = useDebouncedValue(JSON.stringify(lookBody(values)), PAUSE_MS);
  return useQuery({
    queryKey: [...companyKey(account.id), "look", logo, currentLanguage(), typed],
    queryFn: () =>
      answer(
        ofAccount.company.look.preview.$post({
          param: { account: account.id },
          json: JSON.parse(typed) as ReturnType<typeof lookBody>,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** The invoice as it would look; a colour that cannot be read yet changes nothing. */
function LiveSheet({ values, company }: { readonly values: LookForm; readonly company: CompanySettings }) {
  const say = useWords();
  const { logo } = company.appearance;
  const accent = isColour(values.accent) ? values.accent : "";
  const shown = useTypedLook({ ...values, accent }, logo?.file ?? "");
  return (
    <div className={styles.liveSheet} aria-busy={shown.isPending}>
      <h2 className={styles.liveTitle}>{say("look.sheet")}</h2>
      {shown.isPending && <Loading />}
      {shown.isLoadingError && <ErrorCard error={shown.error} retry={() => void shown.refetch()} />}
      {shown.data && <Sheet {...shown.data.sheet} />}
    </div>
  );
}

/** A colour too light for text on white is darkened, and said so. */
function Darker({ typed }: { readonly typed: string }) {
  const say = useWords();
  const accent = isColour(typed) ? typed : "";
  const { data } = useTypedLook({ accent, footer: "" }, "");
  const { chosen, printed } = data?.accent ?? {};
  const isDarker = accent !== "" && chosen === accent.toUpperCase() && printed !== chosen;
  return <span aria-live="polite">{isDarker && say("look.accent.darker", { colour: printed ?? "" })}</span>;
}

function LogoSection({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { logo } = company.appearance;
  const [problem, setProblem] = useState("");
  const saving = {
    refresh: [companyKey(account.id)],
    said: say("saved"),
    onSaved: () => setProblem(""),
  };
  const send = useSave({
    ...saving,
    send: async (file: File) => {
      const drawn = await drawnLogo(file);
      return sendLogo(account.id, drawn);
    },
    onRefused: (error) => setProblem(isUnreadable(error) ? say("look.logo.bad") : errorText(error, say)),
  });
  const remove = useSave({
    ...saving,
    send: () => answer(ofAccount.company.look.logo.$delete({ param: { account: account.id } })),
  });
  const address = `/api/accounts/${account.id}/company/look/logo?file=${logo?.file.split("/")[1] ?? ""}`;
  return (
    <Section title={say("look.logo")}>
      <div className="stack">
        <p className="muted text-column">{say("look.logo.hint")}</p>
        {logo && (
          <p className={styles.logo}>
            <img src={address} width={logo.width} height={logo.height} alt={say("look.logo.current")} />
          </p>
        )}
        {problem !== "" && (
          <div role="alert">
            <FieldError>{problem}</FieldError>
          </div>
        )}
        {!isReadOnly && (
          <div className="row">
            <FileButton
              accept="image/png,image/svg+xml"
              onChange={(file) => file && send.mutate(file)}
              inputProps={{ "aria-label": say("look.logo.choose") }}
            >
              {(props) => (
                <Button variant="default" loading={send.isPending} {...props}>
                  {say("look.logo.choose")}
                </Button>
              )}
            </FileButton>
            {logo && (
              <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
                {say("look.logo.remove")}
              </Button>
            )}
          </div>
        )}
      </div>
    </Section>
  );
}

function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadablePicture;
}

/** Sends bytes: the typed calls of the API send JSON only. */
function sendLogo(account: string, png: Blob) {
  return answer<object>(
    fetch(`/api/accounts/${account}/company/look/logo`, {
      method: "PUT",
      headers: { "Content-Type": "image/png", "Accept-Language": currentLanguage() },
      body: png,
    }),
  );
}

/** Payment and days to pay are set in their own tab. */
function PaymentShown({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { account } = useCompany();
  const { payment, dueDays } = company.contact;
  return (
    <Section title={say("payment.title")}>
      <div className="stack">
        <dl className="facts">
          <dt>{say("payment.means")}</dt>
          <dd>
            {say(`payment.means.${payment?.means ?? "none"}`)}
            {payment?.iban && `, ${spacedIban(payment.iban)}`}
          </dd>
          <dt>{say("payment.due_days.short")}</dt>
          <dd>{dueDays === null ? say("payment.means.none") : say("look.due", { n: dueDays })}</dd>
        </dl>
        <p>
          <Link to={paths.company(account.id, "cobro")}>{say("company.tab.contact")}</Link>
        </p>
      </div>
    </Section>
  );
}

function useLook(company: CompanySettings) {
  const say = useWords();
  const { account } = useCompany();
  return useVersionedForm<LookForm>({
    read: { version: company.appearance.version, values: lookForm(company) },
    validate: {
      accent: (accent) => (accent === "" || isColour(accent) ? null : say("look.accent.bad")),
    },
    put: (values, version) =>
      answer(
        ofAccount.company.look.$put({
          param: { account: account.id },
          json: { ...lookBody(values), version },
        }),
      ),
    said: say("saved"),
  });
}

function lookForm({ appearance }: CompanySettings): LookForm {
  return { accent: appearance.accent?.chosen ?? "", footer: appearance.footer ?? "" };
}

function lookBody({ accent, footer }: LookForm) {
  return { accent: accent.trim() || null, footer: footer.trim() || null };
}

function isColour(typed: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(typed.trim());
}

/** Another user's changes in words. */
function changesIn(before: LookForm, after: LookForm, say: Say) {
  const names = ["accent", "footer"] as const;
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      ...{ what: say(`look.${name}`), before: before[name] || "—", after: after[name] || "—" },
    }));
}
