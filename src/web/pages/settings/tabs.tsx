import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import styles from "./settings.module.css";

export interface Tab {
  readonly id: string;
  readonly name: string;
  /** Something there asks for the owner. */
  readonly mark?: ReactNode;
  readonly content: () => ReactNode;
}

interface PageTabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly to: (tab: string) => string;
}

/** Parts of a page, each with its own address; only the current one is rendered. */
export function PageTabs({ label, tabs, current, to }: PageTabsProps) {
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector(`[data-tab="${current}"]`);
    shown?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [current]);
  return (
    <Tabs
      className={styles.tabs ?? ""}
      value={current}
      onChange={(tab) => tab !== null && void navigate(to(tab))}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label={label} ref={list} mb={20}>
        {tabs.map(({ id, name, mark }) => (
          <Tabs.Tab key={id} value={id} data-tab={id} rightSection={mark}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id}>
          <div className="stack">{id === current && content()}</div>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
