import { useState } from "react";

interface RefusedForm {
  getValues(): object;
  setErrors(errors: Record<string, string>): void;
}

/**
 * The problems that the server found in a form, by the name of their field: each is shown at its field, and
 * those that no field of the form has are the refusal of the whole.
 */
export function useRefusal(form: RefusedForm) {
  const [whole, setWhole] = useState("");
  return {
    whole,
    show(problems: Readonly<Record<string, string>>) {
      const names = Object.keys(form.getValues());
      const isOfField = ([path]: [string, string]) => names.some((name) => isPathOf(name, path));
      const entries = Object.entries(problems);
      form.setErrors(Object.fromEntries(entries.filter(isOfField)));
      setWhole([...new Set(entries.filter((one) => !isOfField(one)).map(([, text]) => text))].join(" "));
    },
    clear: () => setWhole(""),
  };
}

/** `treatments.0.code` is in the field `treatments`. */
function isPathOf(name: string, path: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}
