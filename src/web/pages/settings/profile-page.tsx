import { Button, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RefObject, useRef, useState } from "react";
import { useBlocker, useNavigate, useParams } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { FormSummary } from "../../parts/form-summary.tsx";
import { Loading } from "../../parts/loading.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { NotFoundPage } from "../not-found.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ProfileCards } from "./profile-cards.tsx";
import { ProfileDock } from "./profile-dock.tsx";
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
import { MatchCard } from "./profile-match.tsx";
import { changesIn, checksOf } from "./profile-words.ts";
import { connectionsKey, type Selling, sellingKey, useSelling } from "./queries.ts";
import { RemoveProfile } from "./remove-profile.tsx";
import styles from "./settings.module.css";
import { StemCard } from "./stem-card.tsx";
import { TreatmentsCard } from "./treatments-card.tsx";

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
  const { form, problems, save, newer } = editing;
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
      </PageHead>
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit(
          (values) => save.mutate(values),
          () => editing.tellProblems(),
        )}
      >
        <NewerNotice
          newer={newer}
          changes={newer.before ? changesIn(newer.before, saved, { say, storeName }) : []}
        />
        <FormSummary problems={problems} />
        <fieldset
          disabled={isReadOnly}
          className="stack"
          style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
        >
          {isProfile && <MatchCard form={form} selling={selling} profile={isNew ? undefined : profile} />}
          {isProfile && <StemCard form={form} profile={isNew ? undefined : profile} />}
          <TreatmentsCard form={form} />
          <ProfileCards form={form} />
        </fieldset>
        {!isReadOnly && (isDirty || isNew) && (
          <ProfileDock form={form} selling={selling} saved={saved} isNew={isNew} isBusy={save.isPending} />
        )}
      </form>
      <LeaveDialog isDirty={isDirty} isSaved={editing.isSaved} />
    </>
  );
}

function useEditing({ read, profile }: Omit<EditorProps, "selling">) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const [problems, setProblems] = useState<readonly { field: string; message: string }[]>([]);
  // Known at once, not with the next picture: the way back begins in the same breath.
  const isSaved = useRef(false);
  const isProfile = profile !== WITHOUT_PROFILE;
  const form = useForm<ProfileForm>({
    initialValues: read.values,
    validate: checksOf(say, isProfile),
    validateInputOnBlur: true,
  });
  const newer = useNewer<ProfileForm>({
    ...{ read, typed: form.values, take: form.setValues },
    readAgain: sellingKey(place.account),
  });
  const save = useSave({
    send: (values: ProfileForm) => newer.send(() => sendForm(place, { values, saved: newer.base, profile })),
    refresh: [sellingKey(place.account), connectionsKey(place.account), ["setup"]],
    said: say("saved_applies"),
    onSaved: () => {
      setProblems([]);
      isSaved.current = true;
      void navigate(paths.profiles(place.account));
    },
    onRefused: (error) => {
      if (newer.isRefusedBy(error)) return setProblems([]);
      const told = Object.entries(problemsByField(error, say));
      const found = Object.fromEntries(told.map(([path, message]) => [fieldOf(path), message]));
      form.setErrors(found);
      setProblems(Object.entries(found).map(([field, message]) => ({ field, message })));
    },
  });
  function tellProblems() {
    const { errors } = form.validate();
    setProblems(Object.entries(errors).map(([field, message]) => ({ field, message: String(message) })));
  }
  return { form, problems, save, isSaved, newer, tellProblems };
}

/** Each destination is a field of its own. */
function fieldOf(path: string): string {
  return path.replace(/^destinations\./, "");
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

interface LeaveDialogProps {
  readonly isDirty: boolean;
  readonly isSaved: RefObject<boolean>;
}

/** Unsaved values are never lost without a warning. */
function LeaveDialog({ isDirty, isSaved }: LeaveDialogProps) {
  const say = useWords();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isSaved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== "blocked") return null;
  return (
    <Modal
      opened
      onClose={() => blocker.reset()}
      title={say("leave_unsaved")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <div className="row">
        <Button variant="subtle" color="gray" onClick={() => blocker.proceed()}>
          {say("leave")}
        </Button>
        <Button className="end" onClick={() => blocker.reset()}>
          {say("stay")}
        </Button>
      </div>
    </Modal>
  );
}
