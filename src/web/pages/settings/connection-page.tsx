import { Button } from "@mantine/core";
import { useState } from "react";
import { useParams } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ShopTab } from "../shop/shop-tab.tsx";
import { AccessTab } from "./access-tab.tsx";
import { useKindName } from "./connection-state.tsx";
import { ErasureTab } from "./erasure-tab.tsx";
import { InvoicingTab } from "./invoicing-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { type Connection, connectionsKey, sellingKey, useConnection } from "./queries.ts";
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
    ...(connection.kind === "commerce"
      ? [{ id: "tienda", name: say("conn.tab.shop"), content: () => <ShopTab connection={connection} /> }]
      : []),
    { id: "tiendas", name: say("conn.tab.stores"), content: () => <StoresTab connection={connection} /> },
    {
      id: "facturacion",
      name: say("conn.tab.invoicing"),
      content: () => <InvoicingTab connection={connection} />,
    },
    ...(connection.kind === "console"
      ? []
      : [{ id: "claves", name: say("conn.tab.keys"), content: () => <KeysTab connection={connection} /> }]),
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

interface RenameDialogProps {
  readonly connection: Connection;
  readonly close: () => void;
}

/** The name of the connection in the console: no invoice depends on it. */
export function RenameDialog({ connection, close }: RenameDialogProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState(connection.name);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version: connection.versions.name, values: { name: connection.name } },
    typed: { name: typed },
    take: (values) => setTyped(values.name),
    readAgain: connectionsKey(place.account),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.name.$put({ param: place, json: { name: typed, version } })),
      ),
    refresh: [connectionsKey(place.account), sellingKey(place.account), ["setup"]],
    onSaved: close,
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const { before } = newer;
  const changes = before
    ? [{ what: say("step1.name"), before: before.name, after: newer.base.values.name }]
    : [];
  return (
    <FormDialog close={close} title={say("conn.rename")}>
      <Form
        className="stack"
        onSubmit={() => {
          if (typed.trim()) save.mutate(undefined);
          else setProblem(say("form.required", { field: say("step1.name.the") }));
        }}
      >
        <NewerNotice newer={newer} changes={changes} />
        <TextInput
          label={say("step1.name")}
          description={say("step1.name.hint")}
          maxLength={80}
          value={typed}
          error={problem || undefined}
          data-autofocus
          onChange={(event) => {
            setProblem("");
            setTyped(event.currentTarget.value);
          }}
        />
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button type="submit" className="end" loading={save.isPending}>
            {say("save")}
          </Button>
        </div>
      </Form>
    </FormDialog>
  );
}
