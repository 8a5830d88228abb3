import { TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer } from "../../api/client.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import type { ProfileForm } from "./profile-form.ts";
import { NextNumbers } from "./series-table.tsx";

const PAUSE_MS = 300;

interface StemCardProps {
  readonly form: UseFormReturnType<ProfileForm>;
  readonly profile: string | undefined;
}

/** The stem while it is typed: whether it is free, and the numbers that it would give. */
export function StemCard({ form, profile }: StemCardProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [stem] = useDebouncedValue(form.values.stem.trim(), PAUSE_MS);
  const checked = useQuery({
    queryKey: ["stem", place.account, place.connection, profile ?? "", stem],
    queryFn: () =>
      answer(
        ofConnection.profiles.stem.check.$post({
          param: place,
          json: { stem, ...(profile === undefined ? {} : { profile }) },
        }),
      ),
    enabled: stem !== "",
    placeholderData: keepPreviousData,
  });
  const { error, onChange: _, ...field } = form.getInputProps("stem");
  const problem = error ?? (stem === "" ? undefined : checked.data?.problem);
  return (
    <Section title={say("profile.series")}>
      <div className="stack">
        <TextInput
          id="stem"
          maw={240}
          label={say("profile.stem")}
          description={problem ? undefined : say("profile.stem.hint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          autoCapitalize="characters"
          {...field}
          error={problem ?? undefined}
          onChange={(event) => form.setFieldValue("stem", event.currentTarget.value.toUpperCase())}
        />
        {stem !== "" && checked.data && !checked.data.problem && <NextNumbers series={checked.data.series} />}
      </div>
    </Section>
  );
}
