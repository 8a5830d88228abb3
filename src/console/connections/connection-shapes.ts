import * as z from "zod";
import { text } from "../../api/wire/values.ts";

export const newConnectionBody = z.strictObject({
  kind: z.enum(["commerce", "api"]),
  name: text(80),
});
