import { IconDownload } from "@tabler/icons-react";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import type { InvoiceDetail } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

/** The files for programs: each a download, or the first reason why there is none. */
export function FilesSection({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  const base = `/api/accounts/${account.id}/invoices/${invoice.id}`;
  const files = [...invoice.files, { format: "record" as const, reasons: [] }];
  return (
    <Section title={say("invoice.files")}>
      <ul className={styles.files}>
        {files.map(({ format, reasons }) => (
          <li key={format}>
            {reasons.length === 0 ? (
              <a href={`${base}/${format}`} download>
                <IconDownload size={18} aria-hidden />
                {say(`invoice.files.${format}`)}
              </a>
            ) : (
              <>
                <span>{say(`invoice.files.${format}`)}</span>
                <p className="muted">
                  {say("invoice.files.none")} {reasons[0]}
                </p>
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
