import type { Context, MiddlewareHandler } from "hono";
import { faultOf } from "../../platform/fault.ts";
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
    ...(failureCause && CAUSE_CODE.test(failureCause) ? { cause: failureCause } : {}),
    ...(c.error ? thrown(c.error) : {}),
    duration_ms: durationMs,
    d1_trips: (d1Trips ?? 0) + (admissionTrips ?? 0),
  };
}

/** What nothing caught; the message only where it says more than the name. */
function thrown(error: Error): Pick<RequestLogLine, "error_name" | "cause" | "frames"> {
  const { cause, ...frames } = faultOf(error);
  return { error_name: error.name, ...(cause === error.name ? {} : { cause }), ...frames };
}
