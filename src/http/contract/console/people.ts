import { z } from "zod";
import { ROLES } from "../../../usecases/console/member-ports.ts";
import { sentText, text } from "../values.ts";

export const emailText = sentText(254).pipe(z.email().max(254));
export const role = z.enum(ROLES);

export const invitationBody = z.strictObject({ email: emailText, role });
export const roleBody = z.strictObject({ role });
export const acceptBody = z.strictObject({ token: text(64) });
