import { Hono } from "hono";
import { CONSENT_TEXT_TODAY, foralProvinceOf } from "../../domain/connection/consent.ts";
import { FORM_VERSIONS } from "../../domain/connection/form-versions.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { ConsoleEnv } from "../deps.ts";
import { act } from "../owner-verb.ts";
import { declaredStems } from "../sales/series-view.ts";
import { body } from "../valid.ts";
import { seriesOf, todayOf, wizardOf } from "./wizard-read.ts";
import { storesBody } from "./wizard-shapes.ts";

/** How far a connection has been set up, and step 2. */
export const setupRoutes = new Hono<ConsoleEnv>()
  .get("/setup", async (c) => {
    const read = await wizardOf(c);
    const { ordinal: _1, installationOrdinal: _2, consent, ...shown } = read;
    const names = consent ? await c.var.deps.members.namesOf([consent.grantedBy]) : new Map<string, string>();
    const { series, year } = seriesOf(c, read);
    const data = {
      ...shown,
      ...(consent ? { consent: { ...consent, grantedByName: names.get(consent.grantedBy) ?? "" } } : {}),
      today: todayOf(c, read),
      year,
      series,
      /** Of what the forms are filled from. */
      versions: {
        stores: FORM_VERSIONS.stores(read.setup.storeIds),
        stem: FORM_VERSIONS.stem(declaredStems(read).orders),
      },
      isStemFree: !series.some(({ isOfOrders, isNumbered }) => isOfOrders && isNumbered),
      takesOrders: takesOrders(read.kind),
      foralProvince: foralProvinceOf(read.issuer.postcode) ?? null,
      textVersion: CONSENT_TEXT_TODAY,
      representative: c.var.deps.software.producerName,
      representativeNif: c.var.deps.software.producerNif,
    };
    return c.json({ success: true as const, data });
  })
  .put("/stores", body(storesBody), async (c) => {
    const { store_ids: storeIds, version: seen } = c.req.valid("json");
    await act(c, { verb: "complete_setup", storeIds, seen });
    return c.json({ success: true as const, data: {} });
  });
