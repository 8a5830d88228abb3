interface PagesEnv {
  readonly OWNER_API: Fetcher;
}

/** Same origin for the browser: requests under /api are forwarded unchanged to the owner's entrypoint. */
export const onRequest: PagesFunction<PagesEnv> = ({ request, env }) => env.OWNER_API.fetch(request);
