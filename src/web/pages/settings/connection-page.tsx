import { Button } from "@mantine/core";
import { useState } from "react";
import { useParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { AccessTab } from "./access-tab.tsx";
import { useKindName } from "./connection-state.tsx";
import { ErasureTab } from "./erasure-tab.tsx";
import { InvoicingTab } from "./invoicing-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { type Connection, useConnection } from "./queries.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { StatusTab } from "./status-tab.tsx";
import { StoresTab } from "./stores-tab.tsx";
import { PageTabs, type Tab } from "./tabs.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";

export function ConnectionPage() {
  const say = useWords();
  const place = useConnectionPlace();
  const connection = useConnection(place);
  const kindName = useKindName();
  const { isReadOnly } = useCompany();
  const [isRenaming, setRenaming] = useState(false);
  if (connection.isPending) return <Loading />;
  if (connection.isLoadingError) {
    return <ErrorCard error={connection.error} retry={() => void connection.refetch()} />;
  }
  const { name, kind, module } = connection.data;
  return (
    <>
      <PageHead
        title={name}
        lead={kindName(kind, module?.platform)}
        from={{ to: paths.connections(place.account), name: say("nav.connections") }}
      >
        {!isReadOnly && (
          <Button variant="default" onClick={() => setRenaming(true)}>
            {say("conn.rename")}
          </Button>
        )}
      </PageHead>
      {isRenaming && <RenameDialog connection={connection.data} close={() => setRenaming(false)} />}
      <ConnectionTabs connection={connection.data} />
    </>
  );
}

function ConnectionTabs({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const place = useConnectionPlace();
  const { tab } = useParams();
  const tabs: readonly Tab[] = [
    { id: "estado", name: say("conn.tab.state"), content: () => <StatusTab connection={connection} /> },
    { id: "tiendas", name: say("conn.tab.stores"), content: () => <StoresTab connection={connection} /> },
    {
      id: "facturacion",
      name: say("conn.tab.invoicing"),
      content: () => <InvoicingTab connection={connection} />,
    },
    { id: "claves", name: say("conn.tab.keys"), content: () => <KeysTab connection={connection} /> },
    { id: "acceso", name: say("conn.tab.access"), content: () => <AccessTab connection={connection} /> },
    { id: "avisos", name: say("conn.tab.webhooks"), content: () => <WebhooksTab connection={connection} /> },
    { id: "datos", name: say("conn.tab.personal"), content: () => <ErasureTab /> },
  ];
  const current = tabs.some(({ id }) => id === tab) ? (tab ?? "") : "estado";
  return (
    <PageTabs
      label={say("conn.tabs")}
      tabs={tabs}
      current={current}
      to={(next) => paths.connection(place.account, place.connection, next)}
    />
  );
}
