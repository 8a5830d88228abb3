import { Button, Card } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconKey, IconLock, IconPlayerPause } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { type Say, useWords } from "../../words/words.tsx";
import { AsideList, SetupFrame } from "./frame.tsx";
import { PLATFORMS } from "./platforms.ts";
import styles from "./setup.module.css";
import { showKey } from "./shown-key.ts";

const KINDS = ["commerce", "api"] as const;
const FORM = "connect";

/** Step 1: the kind of connection, and its name. */
export function ConnectPage() {
  const say = useWords();
  const { account } = useCompany();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { kind: "commerce" as (typeof KINDS)[number], platform: "woocommerce", name: "" },
    validate: {
      name: (value) => (value.trim() ? null : say("form.required", { field: say("step1.name.the") })),
    },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const open = useSave({
    send: ({ kind, name }: typeof form.values) =>
      answer(
        api.accounts[":account"].connections.$post({ param: { account: account.id }, json: { kind, name } }),
      ),
    refresh: [["connections", account.id]],
    onSaved: ({ id, key }, { platform }) => {
      showKey(id, key);
      void navigate(`${paths.connect(account.id)}/${id}`, { state: { platform } });
    },
    onRefused: (error) => refusal.show(problemsByField(error, say)),
  });
  useUnsaved(form.isDirty() && !open.isPending && !open.isSuccess);
  const isShop = form.values.kind === "commerce";
  return (
    <SetupFrame
      step={1}
      title={say("step1.title")}
      aside={<ConnectAside say={say} />}
      foot={
        <div className="end">
          <Button type="submit" form={FORM} loading={open.isPending}>
            {say("step1.button")}
          </Button>
        </div>
      }
    >
      <Form
        id={FORM}
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
          open.mutate(values);
        })}
      >
        <Card className={styles.pad}>
          <div className="stack">
            <Radio.Group label={say("step1.kind")} {...form.getInputProps("kind")}>
              <div className={styles.options}>
                {KINDS.map((kind) => (
                  <Radio.Card key={kind} value={kind} className={styles.option ?? ""}>
                    <Radio.Indicator />
                    <div>
                      <b>{say(`step1.kind.${kind}`)}</b>
                      <span>{say(`step1.kind.${kind}.sub`)}</span>
                    </div>
                  </Radio.Card>
                ))}
              </div>
            </Radio.Group>
            {isShop && (
              <Select
                label={say("step1.platform")}
                maw={320}
                allowDeselect={false}
                data={PLATFORMS.map(({ value, name }) => ({
                  value,
                  label: name ?? say("step1.platform.other"),
                }))}
                {...form.getInputProps("platform")}
              />
            )}
            <TextInput
              label={say("step1.name")}
              description={say("step1.name.hint")}
              maw={420}
              {...form.getInputProps("name")}
            />
          </div>
        </Card>
      </Form>
    </SetupFrame>
  );
}

export function ConnectAside({ say }: { readonly say: Say }) {
  return (
    <AsideList
      title={say("step1.aside")}
      lines={[
        { icon: <IconKey size={16} aria-hidden />, text: say("step1.aside.1") },
        { icon: <IconLock size={16} aria-hidden />, text: say("step1.aside.2") },
        { icon: <IconPlayerPause size={16} aria-hidden />, text: say("step1.aside.3") },
      ]}
    />
  );
}
