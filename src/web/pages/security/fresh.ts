import { ApiError } from "../../api/errors.ts";

/** Some changes want a sign-in that is young: whoever is asked signs in again and comes back. */
export async function whenFresh(error: unknown, otherwise: () => void): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== "sign_in_again") return otherwise();
  const { signInAgain } = await import("../../app/auth.ts");
  signInAgain();
}
