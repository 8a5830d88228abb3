import { Button, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconSignature } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { nifProblem } from "../sign-in/company-form.tsx";
import styles from "./setup.module.css";
import { type ConnectionPlace, ofConnection, type Setup, setupKey } from "./setup.ts";

const CAPACITIES = ["self_employed", "director", "attorney"] as const;

interface Signer {
  signer: string;
  signer_nif: string;
  capacity: (typeof CAPACITIES)[number];
  power: string;
}

interface Grant {
  readonly signer: Signer;
  readonly sha256: string;
  readonly intro: string;
  readonly clauses: readonly { readonly title: string; readonly body: string }[];
}

interface RepresentationProps {
  readonly setup: Setup;
  readonly place: ConnectionPlace;
}

/**
 * The representation: read completely, then signed. Without it invoices are issued and no record is
 * submitted.
 */
export function RepresentationCard({ setup, place }: RepresentationProps) {
  const say = useWords();
  const { account, me } = useCompany();
  const { representation } = setup;
  const isVerified = account.verification === "verified";
  const state = representation
    ? say("rep.state.signed", { date: date(representation.signedOn), name: representation.signedBy })
    : say("rep.state.unsigned");
  if (!representation && me.environment === "test") {
    return (
      <Section title={say("rep.title")}>
        <p>{say("rep.sandbox")}</p>
      </Section>
    );
  }
  const facts = { representative: setup.representative, representative_nif: setup.representativeNif };
  return (
    <Section title={say("rep.title")} aside={state}>
      <div className="stack">
        <p className="text-column">{say("rep.why")}</p>
        <p className="text-column muted">
          {say("rep.what", facts)} {say("rep.end")}
        </p>
        {!representation && isVerified && <SignerForm setup={setup} place={place} />}
        {!representation && !isVerified && (
          <p className="text-column">
            {say("rep.after_verification")}{" "}
            <Link to={paths.company(account.id, "verificacion")}>{say("rep.verify")}</Link>
          </p>
        )}
      </div>
    </Section>
  );
}

function SignerForm({ setup, place }: RepresentationProps) {
  const say = useWords();
  const { me, isReadOnly } = useCompany();
  const [grant, setGrant] = useState<Grant>();
  const form = useForm<Signer>({
    initialValues: { signer: me.user.name, signer_nif: "", capacity: "director", power: "" },
    validate: signerChecks(say),
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const read = useSave({
    send: async (signer: Signer): Promise<Grant> => ({
      ...(await answer(ofConnection["representation-text"].$get({ param: place, query: signer }))),
      signer,
    }),
    onSaved: setGrant,
    onRefused: (error) => refusal.show(problemsByField(error, say)),
  });
  // Until it is signed.
  useUnsaved(form.isDirty());
  return (
    <>
      <Form
        className="stack"
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
          read.mutate(values);
        })}
      >
        <div className={styles.two}>
          <TextInput label={say("rep.signer")} autoComplete="name" {...form.getInputProps("signer")} />
          <TextInput label={say("rep.signer_nif")} {...form.getInputProps("signer_nif")} />
        </div>
        <Select
          label={say("rep.capacity")}
          allowDeselect={false}
          data={CAPACITIES.map((value) => ({ value, label: say(`rep.capacity.${value}`) }))}
          {...form.getInputProps("capacity")}
        />
        {form.values.capacity === "attorney" && (
          <TextInput label={say("rep.power")} {...form.getInputProps("power")} />
        )}
        <div>
          <Button
            type="submit"
            variant="default"
            disabled={isReadOnly}
            loading={read.isPending}
            leftSection={<IconSignature size={18} aria-hidden />}
          >
            {say("rep.button")}
          </Button>
        </div>
      </Form>
      {grant && <SigningDialog setup={setup} place={place} grant={grant} close={() => setGrant(undefined)} />}
    </>
  );
}

function signerChecks(say: Say) {
  return {
    signer: (value: string) => (value.trim() ? null : say("form.required", { field: say("rep.signer.the") })),
    signer_nif: (value: string) => nifProblem(value, say),
    power: (value: string, { capacity }: Signer) =>
      capacity !== "attorney" || value.trim() ? null : say("form.required", { field: say("rep.power.the") }),
  };
}

interface SigningDialogProps extends RepresentationProps {
  readonly grant: Grant;
  readonly close: () => void;
}

function SigningDialog({ setup, place, grant, close }: SigningDialogProps) {
  const say = useWords();
  const [isConfirmed, setConfirmed] = useState(false);
  const [isTold, setTold] = useState(false);
  const sign = useSave({
    send: () =>
      answer(
        ofConnection.representation.$post({
          param: place,
          json: { ...grant.signer, text_sha256: grant.sha256 },
        }),
      ),
    refresh: [setupKey(place), ["submission"], ["company"]],
    onSaved: close,
  });
  function submit() {
    setTold(true);
    if (isConfirmed) sign.mutate(undefined);
  }
  return (
    <Modal
      opened
      onClose={close}
      title={say("rep.title")}
      size="lg"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Form className="stack" onSubmit={submit}>
        <LegalText intro={grant.intro} clauses={grant.clauses} />
        <Checkbox
          label={say("rep.sign.confirm", { legal_name: setup.issuer.legalName })}
          checked={isConfirmed}
          error={isTold && !isConfirmed ? say("rep.sign.missing") : undefined}
          onChange={(event) => setConfirmed(event.currentTarget.checked)}
        />
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button className="end" type="submit" loading={sign.isPending}>
            {say("rep.sign.button")}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

interface LegalTextProps {
  readonly intro: string;
  readonly clauses: readonly { readonly title: string; readonly body: string }[];
}

export function LegalText({ intro, clauses }: LegalTextProps) {
  return (
    <div className={styles.legal}>
      <p>{intro}</p>
      <ol>
        {clauses.map(({ title, body }) => (
          <li key={title}>
            <b>{title}</b> {body}
          </li>
        ))}
      </ol>
    </div>
  );
}
