import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../deps.ts";

const VISIBLE_ASCII = /^[\x21-\x7E]{1,128}$/;

/** The caller's X-Request-Id when it can be printed anywhere, else one of ours; always echoed. */
export const requestId: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sent = c.req.header("X-Request-Id");
  const id = sent !== undefined && VISIBLE_ASCII.test(sent) ? sent : c.var.deps.randomId();
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
};
