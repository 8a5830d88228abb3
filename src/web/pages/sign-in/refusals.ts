import { ApiError } from "../../api/errors.ts";
import { errorText } from "../../parts/states.tsx";
import type { Say } from "../../words/words.tsx";

/** The form field of each refusal. */
const FIELD_OF: Readonly<Record<string, string>> = {
  password_too_short: "password",
  password_too_long: "password",
  password_guessable: "password",
  password_wrong: "current",
  person_name_invalid: "name",
  name_invalid: "name",
  email_invalid: "email",
  email_mismatch: "email",
  code_wrong: "code",
  second_factor_required: "code",
};

/** The password was right, and a code is asked for besides it. */
export function asksForCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === "second_factor_required";
}

/** The API's refusal by field; "" is the form itself. */
export function refusedBy(error: unknown, say: Say): Readonly<Record<string, string>> {
  const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
  return { [field ?? ""]: errorText(error, say) };
}

export const SHORTEST_PASSWORD = 12;

/** Checked when the person moves to the next field; the server checks it again. */
export function checksOf(say: Say) {
  return {
    name: (value: string) => (value.trim() ? null : say("form.required", { field: say("signup.name.the") })),
    email: (value: string) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : say("signup.email_bad")),
    newPassword: (value: string) =>
      [...value].length < SHORTEST_PASSWORD ? say("signup.password_hint") : null,
    password: (value: string) => (value ? null : say("form.required", { field: say("signin.password.the") })),
  };
}
