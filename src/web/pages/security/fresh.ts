import { ApiError } from "../../api/errors.ts";

/** Some changes need a recent sign-in: the person signs in again and returns. */
export async function whenFresh(error: unknown, otherwise: () => void): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== "sign_in_again") return otherwise();
  const { signInAgain } = await import("../../app/auth.ts");
  signInAgain();
}
