import { Button, Checkbox, Modal, Radio, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { emailFrom } from "../../../domain/shared/email.ts";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { afterChange, type InvoiceDetail } from "./invoice-queries.ts";

interface MailDialogProps {
  readonly invoice: InvoiceDetail;
  readonly close: () => void;
}

/** Each label is nearer to its own mark than to the next one. */
const CHOICES = { columnGap: 24 } as const;

type Attached = "ubl" | "facturae";
type Language = "es" | "en";

/** Sends the invoice to an address: the customer's, or a corrected one. */
export function MailDialog({ invoice, close }: MailDialogProps) {
  const say = useWords();
  return (
    <Modal
      opened
      onClose={close}
      closeButtonProps={{ "aria-label": say("close") }}
      title={say("mail.title", { number: invoice.fullNumber })}
    >
      <MailForm invoice={invoice} close={close} />
    </Modal>
  );
}

function MailForm({ invoice, close }: MailDialogProps) {
  const say = useWords();
  const { mail } = invoice;
  const [to, setTo] = useState(mail.to);
  const [language, setLanguage] = useState<Language>("es");
  const [formats, setFormats] = useState<readonly Attached[]>([]);
  const [problem, setProblem] = useState<string>();
  const address = to.trim().toLowerCase();
  const wasSent = mail.deliveries.some((one) => one.to === address && one.state === "sent");
  const send = useMail(invoice, {
    onSaved: close,
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0]),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (address === "") return setProblem(say("form.required", { field: say("mail.to.the") }));
    if (emailFrom(to) === undefined) return setProblem(say("mail.to.bad"));
    send.mutate({ to, language, formats: ["pdf", ...formats], resend: wasSent });
  }
  const offered = mail.formats.filter((format) => format !== "pdf");
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextInput
        label={say("mail.to")}
        type="email"
        value={to}
        error={problem}
        description={wasSent ? say("mail.again") : undefined}
        onChange={({ currentTarget }) => {
          setTo(currentTarget.value);
          setProblem(undefined);
        }}
        data-autofocus
      />
      <Radio.Group
        label={say("mail.language")}
        value={language}
        onChange={(chosen) => setLanguage(chosen === "en" ? "en" : "es")}
      >
        <div className="row" style={CHOICES}>
          <Radio value="es" label={say("mail.language.es")} />
          <Radio value="en" label={say("mail.language.en")} />
        </div>
      </Radio.Group>
      {offered.length > 0 && (
        <Checkbox.Group
          label={say("mail.formats")}
          value={[...formats]}
          onChange={(chosen) => setFormats(offered.filter((format) => chosen.includes(format)))}
        >
          <div className="row" style={CHOICES}>
            {offered.map((format) => (
              <Checkbox key={format} value={format} label={say(`mail.format.${format}`)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <div className="row">
        <Button variant="default" onClick={close}>
          {say("cancel")}
        </Button>
        <Button type="submit" className="end" loading={send.isPending}>
          {say("mail.button")}
        </Button>
      </div>
    </form>
  );
}

interface Mailing {
  readonly to: string;
  readonly language: Language;
  readonly formats: ("pdf" | Attached)[];
  readonly resend: boolean;
}

/** The id stays the same on every try: a retry after a lost response sends nothing twice. */
function useMail(
  { id }: InvoiceDetail,
  options: { readonly onSaved: () => void; readonly onRefused: (error: unknown) => void },
) {
  const say = useWords();
  const { account } = useCompany();
  const [changeId] = useState(() => crypto.randomUUID());
  return useSave({
    ...options,
    send: (mailing: Mailing) =>
      answer(
        api.accounts[":account"].invoices[":invoice"].mails.$post({
          param: { account: account.id, invoice: id },
          json: { ...mailing, deed: changeId },
        }),
      ),
    said: say("mail.queued"),
    refresh: afterChange(account.id),
  });
}
