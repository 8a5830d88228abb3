import * as z from "zod";
import { emailText } from "../people/people-shapes.ts";

/** Long enough for any address; unknown addresses get the same reply as known ones. */
const typedEmail = z.string().min(1).max(254);
/** The password policy checks the length; the body's size is limited already. */
const password = z.string().min(1).max(4_096);
const token = z.string().min(1).max(128);

/** Other members, such as a password, are ignored. */
export const signUpBody = z.object({ name: z.string().max(500), email: typedEmail });
export const signInBody = z.object({ email: typedEmail, password });
export const askForPasswordBody = z.object({ email: typedEmail });
export const choosePasswordBody = z.object({ token, newPassword: password });
export const changePasswordBody = z.object({ currentPassword: password, newPassword: password });
export const linkBody = z.object({ token });
export const newEmailBody = z.strictObject({ email: emailText });
export const deletionBody = z.strictObject({ email: typedEmail });
/** A browser's passkey response; the library checks it in detail. */
export const passkeyBody = z.object({
  response: z.looseObject({ id: z.string().min(1).max(1_500) }),
  name: z.string().max(120).optional(),
});
export const passkeyIdBody = z.object({ id: z.string().min(1).max(128) });
export const ownActivityQuery = z.object({ before: z.string().max(30).pipe(z.iso.datetime()).optional() });
