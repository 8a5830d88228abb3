import { z } from "zod";
import { ACTIVITY_AREAS } from "../../../usecases/console/activity-areas.ts";
import { date } from "../values.ts";

export const activityQuery = z.strictObject({
  person: z.string().max(100).optional(),
  area: z.enum(ACTIVITY_AREAS).optional(),
  from: date.optional(),
  to: date.optional(),
  cursor: z.string().max(200).optional(),
});
