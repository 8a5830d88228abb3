import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useCompany } from "../../app/session.tsx";
import { Select } from "../../parts/fields.tsx";
import { monthTitle } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { Choices } from "./invoice-queries.ts";
import { monthsUntil, thisMonth } from "./months.ts";

/** A month of one connection as files. */
export function ExportButton({ choices }: { readonly choices: Choices | undefined }) {
  const say = useWords();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={dialog.open}
        disabled={!choices || choices.connections.length === 0}
      >
        {say("invoices.export")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={say("export.title")}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        {choices && <ExportForm choices={choices} />}
      </Modal>
    </>
  );
}

export function ExportForm({ choices }: { readonly choices: Choices }) {
  const say = useWords();
  const { account } = useCompany();
  const now = thisMonth(account.timeZone);
  const [month, setMonth] = useState(now);
  const [connection, setConnection] = useState(choices.connections[0]?.id ?? "");
  const months = monthsUntil(choices.months?.first, now);
  const base = `/api/accounts/${account.id}/connections/${connection}/exports`;
  return (
    <div className="stack">
      <p className="muted">{say("export.lead")}</p>
      <Select
        label={say("invoices.month")}
        data={months.map((value) => ({ value, label: monthTitle(value) }))}
        value={month}
        onChange={(value) => value && setMonth(value)}
        allowDeselect={false}
        maw={240}
      />
      {choices.connections.length > 1 && (
        <Select
          label={say("invoices.connection")}
          data={choices.connections.map(({ id, name }) => ({ value: id, label: name }))}
          value={connection}
          onChange={(value) => value && setConnection(value)}
          allowDeselect={false}
          maw={320}
        />
      )}
      <div className="row">
        <Button component="a" variant="default" href={`${base}/invoices.csv?month=${month}`} download>
          {say("export.csv")}
        </Button>
        <Button component="a" variant="default" href={`${base}/records.xml?month=${month}`} download>
          {say("export.xml")}
        </Button>
      </div>
    </div>
  );
}
