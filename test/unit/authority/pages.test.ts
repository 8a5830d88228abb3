/** The pages, for people. */
import { describe, expect, test } from "vitest";
import { aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import { alta, behind, message, series } from "../../support/authority/messages.ts";
import { faultOf } from "../../support/rules/readable.ts";

test("nothing received yet", async () => {
  const { text, response } = await pageOf(aSandbox(), "/");
  expect(text).toContain("Todavía no hay registros.");
  expect(text).toContain("Todavía no ha llegado ningún mensaje.");
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect((await aSandbox().get("/authority.css")).headers.get("Content-Type")).toBe("text/css");
});

describe("the received records", () => {
  test("is in its chain, with its states", async () => {
    const { text } = await pageOf(await busy(), "/");
    expect(cells(text)).toEqual(
      expect.arrayContaining([
        "89890001K",
        "instalacion-1",
        "4",
        "2",
        "1",
        "Íntegro",
        "Normal",
        "No tramitado",
      ]),
    );
    expect(text).toContain("Rechazado entero (4102)");
  });

  test("record by record, in order", async () => {
    const { text } = await pageOf(await busy(), "/cadena/1");
    const positions = ["S-1", "S-2", "S-3", "S-4"].map((number) => text.indexOf(`>${number}<`));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(cells(text)).toEqual(
      expect.arrayContaining([
        "Primero",
        "Encadenado",
        "Incorrecto (1189)",
        "AceptadoConErrores (2005)",
        "1 vez",
      ]),
    );
  });

  test("with its XML and every time that it came", async () => {
    const { text } = await pageOf(await busy(), "/registro/1");
    expect(text).toContain("&lt;sf:RegistroAlta xmlns:sf=");
    expect(text).toContain("&lt;sf:NumSerieFactura&gt;S-1&lt;/sf:NumSerieFactura&gt;");
    expect(cells(text)).toEqual(expect.arrayContaining(["1", "Correcto"]));
  });

  test("message by message, both ways", async () => {
    const { text } = await pageOf(await busy(), "/mensaje/1");
    expect(text).toContain("&lt;lr:RegistroFactura&gt;");
    expect(text).toContain("&lt;tikR:EstadoEnvio&gt;ParcialmenteCorrecto&lt;/tikR:EstadoEnvio&gt;");
    expect(cells(text)).toEqual(expect.arrayContaining(["S-3", "27-11-2026", "Alta"]));
  });

  test("also when nothing could be read in it", async () => {
    const { text } = await pageOf(await busy(), "/mensaje/2");
    expect(text).toContain("No reconocida");
    expect(text).toContain("Codigo[4102]");
  });

  test("page by page, when it is much", async () => {
    const sandbox = aSandbox();
    await sandbox.submit(...series(450));
    const { text } = await pageOf(sandbox, "/cadena/1?desde=200");
    expect(text).toContain(">S-201<");
    expect(text).not.toContain(">S-200<");
    expect(text).toContain('href="/cadena/1?desde=0"');
    expect(text).toContain('href="/cadena/1?desde=400"');
    const last = await pageOf(sandbox, "/cadena/1?desde=400");
    expect(last.text).not.toContain("Siguientes");
  });

  test("and is text, never markup", async () => {
    const sandbox = aSandbox();
    const evil = "<script>alert(1)</script>";
    const system = { NombreRazon: "P", NIF: "B12345674", NumeroInstalacion: evil };
    await sandbox.send(
      message([alta({ DescripcionOperacion: evil, SistemaInformatico: { ...usual(), ...system } })]),
    );
    await sandbox.send(evil);
    for (const path of ["/", "/cadena/1", "/registro/1", "/mensaje/1", "/mensaje/2"]) {
      expect((await pageOf(sandbox, path)).text).not.toContain("<script");
    }
    const raw = await sandbox.get("/messages/2/request");
    expect(raw.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  });
});

test("a broken chain is seen at a glance", async () => {
  const sandbox = aSandbox();
  const [one = alta(), , three = alta()] = series(3);
  await sandbox.submit(one, three);
  expect((await pageOf(sandbox, "/")).text).toContain("1 salto");
  expect((await pageOf(sandbox, "/cadena/1")).text).toContain("Anterior desconocido");
});

test.each(["/cadena/9", "/registro/9", "/mensaje/9"])("%s does not exist", async (path) => {
  const response = await aSandbox().get(path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("No hay nada con ese número.");
});

test.each(["/cadena/1?desde=-1", "/cadena/1?desde=x", "/cadena/1?desde=1e99", "/cadena/1?desde=7"])(
  "%s begins at the beginning",
  async (path) => {
    expect((await pageOf(await busy(), path)).text).toContain(">S-1<");
  },
);

test("all of it is Spanish", async () => {
  const sandbox = await busy();
  for (const path of ["/", "/cadena/1", "/registro/1", "/mensaje/1", "/mensaje/3"]) {
    const { text } = await pageOf(sandbox, path);
    const words = text.replace(/<(pre|code|style)[^>]*>.*?<\/\1>/gs, "").replace(/<[^>]+>/g, "\n");
    const faults = words.split("\n").map((line) => faultOf(line.trim(), "es"));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }
});

/** Four records, an unreadable message, and one that is never viewed. */
async function busy(): Promise<Sandbox> {
  const sandbox = aSandbox();
  await sandbox.control({ queue: [{ fault: "none" }, { fault: "none" }, { fault: "http_error" }] });
  const [one = alta(), two = alta()] = series(2);
  const named = (number: string) => ({
    IDFactura: {
      IDEmisorFactura: "89890001K",
      NumSerieFactura: number,
      FechaExpedicionFactura: "27-11-2026",
    },
  });
  const three = behind(two, alta({ ...named("S-3"), Destinatarios: undefined }));
  await sandbox.submit(one, two, three, behind(three, alta({ ...named("S-4"), ImporteTotal: "500.00" })));
  await sandbox.send("<nada/>");
  await sandbox.submit(alta());
  return sandbox;
}

function usual(): object {
  const { SistemaInformatico } = alta().fields;
  return typeof SistemaInformatico === "object" ? SistemaInformatico : {};
}

async function pageOf(sandbox: Sandbox, path: string): Promise<{ text: string; response: Response }> {
  const response = await sandbox.get(path);
  expect(response.status).toBe(200);
  return { text: await response.text(), response };
}

function cells(html: string): string[] {
  return [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
    cell.replace(/<[^>]+>/g, "").trim(),
  );
}
