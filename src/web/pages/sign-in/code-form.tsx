import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { whenFresh } from "../security/fresh.ts";
import { refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

interface CodeFormProps<Saved>
  extends Pick<Parameters<typeof useSave<string, Saved>>[0], "send" | "refresh"> {
  readonly button: string;
  readonly isQuiet?: boolean;
  /** Undefined while an app is set up, which has no recovery codes yet. */
  readonly hint?: string;
  /** The field takes the focus, because a form before it led here. */
  readonly isNext?: boolean;
  readonly onSaved: (saved: Saved) => void;
  /** Leads back to the form before. */
  readonly back?: () => void;
}

/** Asks for a code of the person's app, or for a recovery code. */
export function CodeForm<Saved>(props: CodeFormProps<Saved>) {
  const { send, refresh = [], button, isQuiet = false, hint, isNext = false, onSaved, back } = props;
  const say = useWords();
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({
    initialValues: { code: "" },
    validate: {
      code: (code) => (code.trim() ? null : say("form.required", { field: say("security.totp.code.the") })),
    },
  });
  const refusal = useRefusal(form);
  const save = useSave({
    ...{ send, refresh },
    onSaved: (saved: Saved) => {
      form.reset();
      onSaved(saved);
    },
    onRefused: (error) => void whenFresh(error, () => refusal.show(refusedBy(error, say))),
  });
  useEffect(() => {
    if (isNext) field.current?.focus();
  }, [isNext]);
  return (
    <Form
      className={styles.form}
      refused={refusal.whole}
      onSubmit={form.onSubmit(({ code }) => {
        refusal.clear();
        save.mutate(code.trim());
      })}
    >
      <TextInput
        ref={field}
        label={say("security.totp.code")}
        description={hint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps("code")}
      />
      <Button type="submit" variant={isQuiet ? "default" : "filled"} loading={save.isPending}>
        {button}
      </Button>
      {back && (
        <Button variant="subtle" color="gray" onClick={back}>
          {say("back")}
        </Button>
      )}
    </Form>
  );
}
