import { Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import type { ProfileForm } from "./profile-form.ts";
import type { Selling } from "./queries.ts";
import styles from "./settings.module.css";
import { TestBox } from "./test-box.tsx";

interface MatchCardProps {
  readonly form: UseFormReturnType<ProfileForm>;
  readonly selling: Selling;
  /** Undefined of a new one. */
  readonly profile: string | undefined;
}

/** The orders of the profile, with a box to test it. */
export function MatchCard({ form, selling, profile }: MatchCardProps) {
  const say = useWords();
  const stores = [
    { value: "", label: say("profile.store.any") },
    ...selling.stores.map(({ id, name }) => ({ value: id, label: name ?? id })),
  ];
  const channel = form.getInputProps("channel");
  return (
    <Section title={say("profile.match")}>
      <div className={styles.fields}>
        <TextInput
          id="name"
          className={styles.wide ?? ""}
          label={say("profile.name")}
          description={say("profile.name.hint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          {...form.getInputProps("name")}
        />
        <TextInput
          id="channel"
          label={`${say("profile.channel")} ${say("optional")}`}
          description={channel.error ? undefined : say("profile.channel.hint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          {...channel}
        />
        <Select
          id="store_id"
          label={`${say("profile.store")} ${say("optional")}`}
          data={stores}
          allowDeselect={false}
          {...form.getInputProps("store_id")}
        />
      </div>
      <TestBox form={form} selling={selling} profile={profile} />
    </Section>
  );
}
