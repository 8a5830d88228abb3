import { Outlet } from "react-router";
import { CompanyProvider } from "../../app/session.tsx";

export function WizardShell() {
  return (
    <CompanyProvider>
      <Outlet />
    </CompanyProvider>
  );
}
