interface PagesEnv {
  readonly OWNER_API: Fetcher;
}

/** Same origin for the browser: what is asked under /api goes to the owner's entrypoint as it came. */
export const onRequest: PagesFunction<PagesEnv> = ({ request, env }) => env.OWNER_API.fetch(request);
