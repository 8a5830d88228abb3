import { Button, Menu } from "@mantine/core";
import { IconBan, IconDotsVertical, IconReceiptRefund } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { useWords } from "../../words/words.tsx";
import type { Order } from "./queries.ts";

/** The acts on the invoice of an order: the page of its lines says what is left and what can be done. */
export function OrderActs({ order }: { readonly order: Order }) {
  const say = useWords();
  const go = useNavigate();
  const { account } = useCompany();
  const invoice = actedInvoice(order);
  if (!invoice) return null;
  const isUntouched = order.state === "invoiced";
  return (
    <Menu position="bottom-end" width="min(360px, calc(100vw - 32px))">
      <Menu.Target>
        <Button variant="default" px={10} aria-label={say("invoice.acts")}>
          <IconDotsVertical size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconReceiptRefund size={18} aria-hidden />}
          onClick={() => void go(paths.rectify(account.id, invoice))}
        >
          {say("act.rectify_lines")}
        </Menu.Item>
        {isUntouched && (
          <Menu.Item
            leftSection={<IconBan size={18} aria-hidden />}
            onClick={() => void go(paths.annul(account.id, invoice))}
          >
            {say("act.cancel")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The newest invoice in force of an order that has something left: refunds of an order act on it. */
function actedInvoice({ state, documents }: Order): string | undefined {
  if (state !== "invoiced" && state !== "partially_rectified") return undefined;
  return documents.findLast(
    (document) => document.kind !== "rectification" && document.state !== "cancelled" && document.id !== "",
  )?.id;
}
