import { useParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { PeopleTab } from "../people/people-tab.tsx";
import { AuthorisationsTab } from "./authorisations-tab.tsx";
import { ContactTab } from "./contact-tab.tsx";
import { DeclarationTab } from "./declaration-tab.tsx";
import { LookTab } from "./look-tab.tsx";
import { useCompanySettings } from "./queries.ts";
import { RepresentationTab } from "./representation-tab.tsx";
import { PageTabs, type Tab } from "./tabs.tsx";
import { TaxDetailsTab } from "./tax-details-tab.tsx";
import { VerificationTab } from "./verification-tab.tsx";

/** The company itself. */
export function CompanyPage() {
  const say = useWords();
  const { account } = useCompany();
  const { tab } = useParams();
  const company = useCompanySettings(account.id);
  if (company.isPending) return <Loading />;
  if (company.isLoadingError) return <ErrorCard error={company.error} retry={() => void company.refetch()} />;
  const { data } = company;
  const tabs: readonly Tab[] = [
    { id: "datos", name: say("company.tab.details"), content: () => <TaxDetailsTab company={data} /> },
    { id: "cobro", name: say("company.tab.contact"), content: () => <ContactTab company={data} /> },
    { id: "aspecto", name: say("look.title"), content: () => <LookTab company={data} /> },
    { id: "verificacion", name: say("company.tab.verification"), content: () => <VerificationTab /> },
    {
      id: "representacion",
      name: say("company.tab.representation"),
      content: () => <RepresentationTab company={data} />,
    },
    {
      id: "autorizaciones",
      name: say("company.tab.authorisations"),
      content: () => <AuthorisationsTab company={data} />,
    },
    { id: "personas", name: say("company.tab.people"), content: () => <PeopleTab /> },
    { id: "declaracion", name: say("nav.declaration"), content: () => <DeclarationTab /> },
  ];
  const current = tabs.some(({ id }) => id === tab) ? (tab ?? "") : "datos";
  return (
    <>
      <PageHead title={say("nav.company")} lead={`${data.legalName} · ${data.nif}`} />
      <PageTabs
        label={say("nav.company")}
        tabs={tabs}
        current={current}
        to={(next) => paths.company(account.id, next)}
      />
    </>
  );
}
