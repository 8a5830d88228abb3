import * as z from "zod";
import { ACTIVITY_AREAS } from "../../domain/connection/activity-areas.ts";
import { listedDay } from "../shapes/values.ts";

export const activityQuery = z.strictObject({
  person: z.string().max(100).optional(),
  area: z.enum(ACTIVITY_AREAS).optional(),
  from: listedDay.optional(),
  to: listedDay.optional(),
  cursor: z.string().max(200).optional(),
});
