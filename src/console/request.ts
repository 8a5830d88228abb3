import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { ConsoleEnv } from "./deps.ts";

/** One of ours: a browser has none to send. */
export const consoleRequestId: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const id = c.var.deps.randomId();
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
};

/** Exactly one line per request: the pattern of its route, never its address, and nobody's data. */
export const consoleLog: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const { deps, requestId } = c.var;
  const started = deps.now();
  await next();
  const { errorCode, failureCause, frames, connection } = c.var;
  deps.log({
    request_id: requestId,
    ...(connection ? { connection_id: connection.id } : {}),
    route: routePath(c, -1),
    method: c.req.method,
    status: c.res.status,
    ...(errorCode ? { error_code: errorCode } : {}),
    ...(c.error && !errorCode ? { error_name: c.error.name } : {}),
    ...(failureCause ? { cause: failureCause } : {}),
    ...(frames ? { frames } : {}),
    duration_ms: deps.now() - started,
  });
};
