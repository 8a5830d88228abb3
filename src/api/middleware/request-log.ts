import type { Context, MiddlewareHandler } from "hono";
import { loggedRequestId } from "../../platform/logged-request-id.ts";
import type { AppEnv, RequestLogLine } from "../deps.ts";

/** A cause that is a code of ours may be logged; prose may quote what somebody sent. */
const CAUSE_CODE = /^[\w:.-]{1,60}$/;
const UNMATCHED = "(none)";

/** Exactly one line per request, also for those that failed. */
export const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const started = c.var.deps.now();
  await next();
  c.var.deps.log(lineOf(c, c.var.deps.now() - started));
};

function lineOf(c: Context<AppEnv>, durationMs: number): RequestLogLine {
  const { deps, requestId, route, caller, errorCode, failureCause, d1Trips, admissionTrips } = c.var;
  return {
    request_id: loggedRequestId(requestId, deps.randomId),
    ...(caller ? { connection_id: caller.connectionId } : {}),
    route: route ?? UNMATCHED,
    method: c.req.method,
    status: c.res.status,
    ...(errorCode ? { error_code: errorCode } : {}),
    ...(c.error ? { error_name: c.error.name } : {}),
    ...(failureCause && CAUSE_CODE.test(failureCause) ? { cause: failureCause } : {}),
    duration_ms: durationMs,
    d1_trips: (d1Trips ?? 0) + (admissionTrips ?? 0),
  };
}
