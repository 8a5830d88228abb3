import { Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { IconPlus, IconSelector } from "@tabler/icons-react";
import { Link } from "react-router";
import { useWords } from "../words/words.tsx";
import { paths } from "./paths.ts";
import { useCompany } from "./session.tsx";
import styles from "./shell.module.css";

/** The current company, always visible; a menu if there are several. */
export function CompanyMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const say = useWords();
  const { account, me } = useCompany();
  const { legalName, nif } = account;
  const label = say("issuer.label", { legal_name: legalName, nif });
  return (
    <Menu width={260} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={isSmall ? styles.companySmall : styles.company} title={label}>
          <span className={styles.companyName}>
            <b>{legalName}</b>
            <span>
              NIF {nif}
              {me.environment === "test" && <TestMark />}
            </span>
          </span>
          {!isSmall && <IconSelector size={16} aria-hidden />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.accounts.length > 1 && (
          <Menu.Label>{say("issuer.several", { n: me.accounts.length, legal_name: legalName })}</Menu.Label>
        )}
        {me.accounts.map((one) => (
          <Menu.Item
            key={one.id}
            component={Link}
            to={paths.overview(one.id)}
            aria-current={one.id === account.id}
          >
            {one.legalName}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.newCompany} leftSection={<IconPlus size={16} aria-hidden />}>
          {say("issuer.add")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function TestMark() {
  const say = useWords();
  return (
    <Tooltip label={say("env.test.hint")} multiline w={240}>
      <span className={styles.testMark}>{say("env.test")}</span>
    </Tooltip>
  );
}
