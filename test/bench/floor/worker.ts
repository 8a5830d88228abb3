import { DurableObject } from "cloudflare:workers";

interface FloorEnv {
  readonly DB: D1Database;
  readonly FLOOR: DurableObjectNamespace<Floor>;
}

export class Floor extends DurableObject<FloorEnv> {
  async insert(body: string): Promise<number> {
    const row = this.env.DB.prepare("INSERT INTO floor (body) VALUES (?)").bind(body);
    return (await row.run()).meta.last_row_id;
  }
}

export default {
  async fetch(request, env) {
    if (request.method === "GET") {
      await env.DB.prepare("CREATE TABLE IF NOT EXISTS floor (id INTEGER PRIMARY KEY, body TEXT)").run();
      return new Response("ready");
    }
    const id = await env.FLOOR.getByName("floor").insert(await request.text());
    return Response.json({ id }, { status: 201 });
  },
} satisfies ExportedHandler<FloorEnv>;
