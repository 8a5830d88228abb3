import { Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { NotFoundPage } from "../not-found.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ProfileCards, TreatmentsCard } from "./profile-cards.tsx";
import {
  connectionForm,
  formOf,
  NEW_PROFILE,
  newForm,
  newProfileBody,
  type ProfileForm,
  profileChangeBody,
  salesBody,
  WITHOUT_PROFILE,
} from "./profile-form.ts";
import { changesIn, checksOf } from "./profile-words.ts";
import { connectionsKey, type Selling, sellingKey, useSelling } from "./queries.ts";
import { NextNumbers } from "./series-table.tsx";
import styles from "./settings.module.css";
import { TestBox } from "./test-box.tsx";

export function ProfilePage() {
  const place = useConnectionPlace();
  const { profile = "" } = useParams();
  const selling = useSelling(place);
  if (selling.isPending) return <Loading />;
  if (selling.isLoadingError) return <ErrorCard error={selling.error} retry={() => void selling.refetch()} />;
  const read = readForm(selling.data, profile);
  if (!read) return <NotFoundPage />;
  return <Editor key={profile} selling={selling.data} read={read} profile={profile} />;
}

interface ReadForm {
  readonly version: string;
  readonly values: ProfileForm;
}

function readForm(selling: Selling, profile: string): ReadForm | undefined {
  // A new profile has no stored version that could conflict.
  if (profile === NEW_PROFILE) return { version: "", values: newForm(selling.orders.sales) };
  if (profile === WITHOUT_PROFILE) {
    return { version: selling.orders.version, values: connectionForm(selling.orders) };
  }
  const found = selling.profiles.find(({ id }) => id === profile);
  return found && { version: found.version, values: formOf(found) };
}

interface EditorProps {
  readonly selling: Selling;
  readonly read: ReadForm;
  readonly profile: string;
}

function Editor({ selling, read, profile }: EditorProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const isProfile = profile !== WITHOUT_PROFILE;
  const isNew = profile === NEW_PROFILE;
  const editing = useEditing({ read, profile });
  const { form, refusal, save, newer } = editing;
  const { isDirty } = newer;
  const saved = newer.base.values;
  const storeName = (id: string) => selling.stores.find((store) => store.id === id)?.name ?? id;
  const title = isNew ? say("profile.new") : isProfile ? saved.name : say("profile.connection");
  return (
    <>
      <PageHead
        title={title}
        lead={
          isProfile
            ? selling.connection.name
            : say("profile.connection.lead", { connection: selling.connection.name })
        }
        from={{ to: paths.profiles(place.account), name: say("nav.profiles") }}
      >
        {isProfile && !isNew && !isReadOnly && <RemoveProfile id={profile} name={saved.name} />}
        {!isProfile && !isReadOnly && (
          <Button
            component={Link}
            to={paths.profile(place.account, place.connection, NEW_PROFILE)}
            variant="default"
          >
            {say("profiles.add")}
          </Button>
        )}
      </PageHead>
      <Form
        className={styles.form}
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
          save.mutate(values);
        })}
      >
        <NewerNotice
          newer={newer}
          changes={newer.before ? changesIn(newer.before, saved, { say, storeName }) : []}
        />
        <ReadOnly isReadOnly={isReadOnly}>
          {isProfile && <MatchCard form={form} selling={selling} profile={isNew ? undefined : profile} />}
          {isProfile && <StemCard form={form} profile={isNew ? undefined : profile} />}
          <TreatmentsCard form={form} />
          <ProfileCards form={form} />
        </ReadOnly>
        {!isReadOnly && (isDirty || isNew) && (
          <ProfileDock form={form} selling={selling} saved={saved} isNew={isNew} isBusy={save.isPending} />
        )}
      </Form>
    </>
  );
}

function useEditing({ read, profile }: Omit<EditorProps, "selling">) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const isProfile = profile !== WITHOUT_PROFILE;
  const form = useForm<ProfileForm>({
    initialValues: read.values,
    validate: checksOf(say, isProfile),
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const newer = useNewer<ProfileForm>({
    ...{ read, typed: form.values, take: form.setValues },
    readAgain: sellingKey(place.account),
  });
  const save = useSave({
    send: (values: ProfileForm) => newer.send(() => sendForm(place, { values, saved: newer.base, profile })),
    refresh: [sellingKey(place.account), connectionsKey(place.account), ["setup"]],
    said: say("saved_applies"),
    onSaved: () => void navigate(paths.profiles(place.account)),
    onRefused: (error) => {
      if (newer.isRefusedBy(error)) return;
      const problems = Object.entries(problemsByField(error, say));
      refusal.show(Object.fromEntries(problems.map(([path, message]) => [fieldOf(path), message])));
    },
  });
  return { form, refusal, save, newer };
}

/** Each destination is a field of its own, and so is each part of the payment. */
function fieldOf(path: string): string {
  return path.replace(/^(destinations|payment)\./, "");
}

interface Sending {
  readonly values: ProfileForm;
  readonly saved: ReadForm;
  readonly profile: string;
}

async function sendForm(
  place: { readonly account: string; readonly connection: string },
  { values, saved, profile }: Sending,
): Promise<void> {
  const { profiles, sales } = ofConnection;
  if (profile === NEW_PROFILE) {
    await answer(profiles.$post({ param: place, json: newProfileBody(values) }));
  } else if (profile === WITHOUT_PROFILE) {
    await answer(
      sales.$put({ param: place, json: { ...salesBody(values, saved.values), version: saved.version } }),
    );
  } else {
    const json = { ...profileChangeBody(values, saved.values), version: saved.version };
    await answer(profiles[":profile"].$put({ param: { ...place, profile }, json }));
  }
}

interface ProfileDockProps {
  readonly form: UseFormReturnType<ProfileForm>;
  readonly selling: Selling;
  readonly saved: ProfileForm;
  readonly isNew: boolean;
  readonly isBusy: boolean;
}

/** The unsaved changes, before and after, with the save button. */
export function ProfileDock({ form, selling, saved, isNew, isBusy }: ProfileDockProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const storeName = (id: string) => selling.stores.find((store) => store.id === id)?.name ?? id;
  const changes = isNew ? [] : changesIn(saved, form.values, { say, storeName });
  return (
    <div className={styles.dock}>
      {changes.length > 0 && (
        <ul className={styles.changes} aria-label={say("profile.changes")}>
          {changes.map(({ what, before, after }) => (
            <li key={what}>
              {what}: <del>{before}</del> → <ins>{after}</ins>
            </li>
          ))}
        </ul>
      )}
      {isNew && selling.profiles.length === 0 && <p className="small">{say("profiles.first.warn")}</p>}
      <div className={styles.dockActs}>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => (isNew ? void navigate(paths.profiles(place.account)) : form.setValues(saved))}
        >
          {say(isNew ? "cancel" : "profile.undo")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {say(isNew ? "profile.create" : "save")}
        </Button>
      </div>
    </div>
  );
}

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
          {...form.getInputProps("name")}
        />
        <TextInput
          id="channel"
          label={`${say("profile.channel")} ${say("optional")}`}
          description={say("profile.channel.hint")}
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

/** Its orders would be held from then on: it is asked for by name. */
export function RemoveProfile({ id, name }: { readonly id: string; readonly name: string }) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const remove = useSave({
    send: () => answer(ofConnection.profiles[":profile"].$delete({ param: { ...place, profile: id } })),
    refresh: [connectionsKey(place.account), sellingKey(place.account)],
    onSaved: () => void navigate(paths.profiles(place.account)),
  });
  const press = () =>
    typed.trim() === name ? remove.mutate(undefined) : setProblem(say("profile.remove.mismatch", { name }));
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say("profile.remove")}
      </Button>
      <ConfirmDialog
        title={say("profile.remove")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("profile.remove")}
        isBusy={remove.isPending}
        confirm={press}
      >
        <p>{say("profile.remove.body", { name })}</p>
        <TextInput
          label={say("profile.remove.type")}
          description={name}
          value={typed}
          error={problem || undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  );
}

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
          description={say("profile.stem.hint")}
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
