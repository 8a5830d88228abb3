const PAGE = new TextEncoder().encode("<!DOCTYPE html><title>A constant</title>");
const HEADERS = { "Content-Type": "text/html; charset=utf-8" };

export default {
  fetch: () => new Response(PAGE, { headers: HEADERS }),
} satisfies ExportedHandler;
