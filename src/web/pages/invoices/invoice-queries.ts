import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";

const ofAccount = api.accounts[":account"];

export interface InvoiceFilters {
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly document?: string;
  readonly state?: string;
  readonly series?: string;
  readonly connection?: string;
  readonly search?: string;
  readonly cursor?: string;
}

export function useInvoices(account: string, filters: InvoiceFilters) {
  return useQuery({
    queryKey: ["invoices", account, filters],
    // The states of the address are checked by the API.
    queryFn: () => answer(ofAccount.invoices.$get({ param: { account }, query: filters as InvoicesQuery })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? OPEN_MS : false),
  });
}

/** The interval of reading again while the AEAT has not answered. */
const OPEN_MS = 5_000;
/** New invoices and counts appear by themselves; a hidden page asks nothing. */
const OFTEN_MS = 15_000;

function isOpen({ state }: { readonly state: string }): boolean {
  return state === "pending_submission" || state === "submitted";
}

type InvoicesQuery = Parameters<typeof ofAccount.invoices.$get>[0]["query"];
export type ListedInvoice = NonNullable<ReturnType<typeof useInvoices>["data"]>["items"][number];

export function useChoices(account: string) {
  const [params] = useSearchParams();
  const isChosen = params.has("serie") || params.has("conexion");
  return useQuery({
    queryKey: ["invoice-choices", account],
    queryFn: () => answer(ofAccount.invoices.choices.$get({ param: { account } })),
    staleTime: 60_000,
    // Older ones may lack the series or the connection of the address.
    refetchOnMount: isChosen ? "always" : true,
  });
}

/** The choices by which a value of the address can be none. */
export function currentChoices({ data, isFetchedAfterMount }: ReturnType<typeof useChoices>) {
  return isFetchedAfterMount ? data : undefined;
}

export type Choices = NonNullable<ReturnType<typeof useChoices>["data"]>;

export function useInvoice(account: string, invoice: string) {
  return useQuery({
    queryKey: ["invoice", account, invoice],
    queryFn: () => answer(ofAccount.invoices[":invoice"].$get({ param: { account, invoice } })),
    refetchInterval: ({ state: { data } }) =>
      data?.records.some(isOpen) || data?.mail.deliveries.some(({ state }) => state === "queued")
        ? OPEN_MS
        : false,
  });
}

export type InvoiceDetail = NonNullable<ReturnType<typeof useInvoice>["data"]>;
export type CourseRecord = InvoiceDetail["records"][number];

export function useOverview(account: string, connection: string | null) {
  return useQuery({
    queryKey: ["overview", account, connection],
    queryFn: () =>
      answer(ofAccount.overview.$get({ param: { account }, query: connection ? { connection } : {} })),
    placeholderData: keepPreviousData,
    refetchInterval: OFTEN_MS,
  });
}

export type Overview = NonNullable<ReturnType<typeof useOverview>["data"]>;

export function useAttention(account: string) {
  return useQuery({
    queryKey: ["attention", account],
    queryFn: () => answer(ofAccount.overview.attention.$get({ param: { account } })),
    refetchInterval: OFTEN_MS,
  });
}

export type Attention = NonNullable<ReturnType<typeof useAttention>["data"]>;

export function useSubmission(account: string) {
  return useQuery({
    queryKey: ["submission", account],
    queryFn: () => answer(ofAccount.submission.$get({ param: { account } })),
    refetchInterval: OFTEN_MS,
  });
}

export type Submission = NonNullable<ReturnType<typeof useSubmission>["data"]>;
export type Chain = Submission["chains"][number];

/** The queries to read again after a change of an invoice. */
export function afterChange(account: string): readonly QueryKey[] {
  return ["invoice", "invoices", "overview", "attention", "submission"].map((name) => [name, account]);
}

/** The acts of an invoice that have a form. */
export type OpenAct = "amend" | "cancel" | "rectify" | "ours" | "foreign";

type Correction = Parameters<
  (typeof api.accounts)[":account"]["invoices"][":invoice"]["corrections"]["$post"]
>[0]["json"];
type WithoutChangeId<Body> = Body extends { deed: string } ? Omit<Body, "deed"> : never;

/** The id stays the same on every try: a retry after a lost response has no second effect. */
export function useCorrection(
  { id }: InvoiceDetail,
  options: {
    readonly onSaved: () => void;
    readonly said: string;
    readonly onRefused: (error: unknown) => void;
  },
) {
  const { account } = useCompany();
  const [changeId] = useState(() => crypto.randomUUID());
  return useSave({
    ...options,
    send: (correction: WithoutChangeId<Correction>) =>
      answer(
        api.accounts[":account"].invoices[":invoice"].corrections.$post({
          param: { account: account.id, invoice: id },
          json: { ...correction, deed: changeId },
        }),
      ),
    refresh: afterChange(account.id),
  });
}
