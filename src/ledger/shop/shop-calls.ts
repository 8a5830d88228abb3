import { unavailable } from "../../db/store-calls.ts";
import { shopAdmissionOf } from "../core/admission.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { ShopStatusReading } from "../core/ledger-cache.ts";
import type { LedgerCalls } from "../rpc.ts";
import { isQueryOnly, type ShopOutcome } from "./record-shop.ts";

/** Reports of connectors about their shop. */
export function shopCalls(core: LedgerCore): Pick<LedgerCalls, "reportShop"> {
  return {
    reportShop(caller, report) {
      const sizeBytes = isQueryOnly(report) ? 0 : sizeOf(report);
      const refusedBy = shopAdmissionOf(caller, report.resource, core.admission, sizeBytes);
      if (!isQueryOnly(report)) return core.settleReport({ item: report, refusedBy }, sizeBytes);
      return core.outsideQueue<ShopStatusReading, ShopOutcome>({
        refusedBy,
        read: (trips) => core.cache.readShopStatus(trips),
        outcome: ({ status }) =>
          status
            ? { outcome: "recorded", created: 0, updated: 0, standing: status }
            : unavailable("unknown_connection"),
      });
    },
  };
}
