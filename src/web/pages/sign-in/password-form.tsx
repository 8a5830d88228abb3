import { Button, type PasswordInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { useSave } from "../../parts/save.ts";
import { PasswordInput } from "../../parts/text-fields.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import { whenFresh } from "../security/fresh.ts";
import { asksForCode, checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

interface PasswordsTyped {
  /** Empty where it is not asked for. */
  readonly current: string;
  readonly password: string;
}

interface PasswordFormProps<Saved>
  extends Pick<Parameters<typeof useSave<PasswordsTyped, Saved>>[0], "send"> {
  /** The label of the field for the current password; without it there is no such field. */
  readonly currentLabel?: string;
  readonly button: string;
  readonly variant?: "default";
  readonly refresh?: readonly (readonly string[])[];
  readonly onSaved: (saved: Saved) => void;
  /** Takes over if the password is allowed and a code is asked for besides it. */
  readonly askForCode?: (typed: PasswordsTyped) => void;
  /** Help shown if the whole form is refused. */
  readonly remedy?: ReactNode;
}

/** Chooses a password. A refusal of the password is shown at its field, any other above. */
export function PasswordForm<Saved>(props: PasswordFormProps<Saved>) {
  const { currentLabel, button, variant = "filled", remedy, send, refresh = [] } = props;
  const say = useWords();
  const checks = checksOf(say);
  const form = useForm({
    initialValues: { current: "", password: "" },
    validate: {
      current: currentLabel === undefined ? () => null : checks.password,
      password: checks.newPassword,
    },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const save = useSave({
    ...{ send, refresh },
    onSaved: (saved: Saved) => {
      form.reset();
      props.onSaved(saved);
    },
    onRefused: (error) => {
      if (props.askForCode && asksForCode(error)) props.askForCode(form.getValues());
      else void whenFresh(error, () => refusal.show(refusedBy(error, say)));
    },
  });
  // A password is chosen once by its link; on the page of a person it is a change like others.
  useUnsaved(currentLabel !== undefined && form.isDirty() && !save.isPending);
  return (
    <Form
      className={styles.form}
      refused={
        refusal.whole && (
          <>
            {refusal.whole} {remedy}
          </>
        )
      }
      onSubmit={form.onSubmit((typed) => {
        refusal.clear();
        save.mutate(typed);
      })}
    >
      {currentLabel !== undefined && (
        <PasswordInput
          label={currentLabel}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": say("show") }}
          {...form.getInputProps("current")}
        />
      )}
      <NewPassword {...form.getInputProps("password")} />
      <Button type="submit" variant={variant} loading={save.isPending}>
        {button}
      </Button>
    </Form>
  );
}

function NewPassword(props: PasswordInputProps) {
  const say = useWords();
  return (
    <PasswordInput
      label={say("reset.password")}
      description={say("signup.password_hint")}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": say("show") }}
      {...props}
    />
  );
}
