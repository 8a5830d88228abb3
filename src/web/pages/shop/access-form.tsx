import { Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { Checkbox, Radio } from "../../parts/choices.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import { setupKey, useConnectionPlace } from "../setup/setup.ts";
import {
  type AccessValues,
  bodyOf,
  missingIn,
  problemsIn,
  problemsOfTest,
  valuesOf,
} from "./access-values.ts";
import { Guide } from "./guide.tsx";
import { canMakeWebhooks, credentialsOf, DIRECT_PLATFORMS, stepsOf } from "./platform.ts";
import { ofShop, type Platform, type ShopReading, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

interface AccessFormProps {
  readonly reading: ShopReading;
  /** Chosen before, as in the guided setup. */
  readonly platform?: Platform | undefined;
  readonly cancel?: () => void;
  /** The shop is connected, and if it is read, its test was good. */
  readonly onConnected: (secret: string | undefined) => void;
  /** The secret of a shop that is stored although its test failed. */
  readonly keepSecret: (secret: string) => void;
}

type FormState = UseFormReturnType<AccessValues>;

/** The platform, the address and the keys of a shop, with the clicks that make them; tried when sent. */
export function AccessForm(props: AccessFormProps) {
  const say = useWords();
  const { reading, cancel } = props;
  const { shop } = reading;
  const form = useAccessForm(props);
  const { save, newer, refused } = useConnect(form, props);
  const { platform, way, app } = form.values;
  const steps = platform === "" ? [] : stepsOf({ platform, way, app }, say);
  const { before } = newer;
  const changes = before
    ? [{ what: say("shop.url"), before: before.url || "—", after: newer.base.values.url || "—" }]
    : [];
  const submit = way === "post" ? ".post" : "";
  useUnsaved(form.isDirty() && !save.isPending);
  return (
    <Form className="stack" refused={refused} onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <NewerNotice newer={newer} changes={changes} />
      {!shop && <PlatformChoice form={form} />}
      {platform !== "" && (
        <>
          <WayChoice form={form} />
          <div className={styles.access}>
            <Guide steps={steps} title={say(way === "post" ? "shop.how.post" : "shop.how")} />
            <AccessFields form={form} platform={platform} hasShop={shop !== null} />
          </div>
          <div className="row">
            {cancel && (
              <Button variant="subtle" color="gray" onClick={cancel}>
                {say("cancel")}
              </Button>
            )}
            <Button type="submit" className="end" loading={save.isPending}>
              {say(`${shop ? "shop.resubmit" : "shop.submit"}${submit}`)}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

function useAccessForm({ reading, platform }: AccessFormProps): FormState {
  const say = useWords();
  return useForm<AccessValues>({
    initialValues: valuesOf(reading.shop, platform ?? ""),
    validate: (values) => missingIn(values, say),
    validateInputOnBlur: true,
  });
}

/** One press stores the access, tries it at the shop and has the shop send its changes. */
function useConnect(form: FormState, { reading, onConnected, keepSecret }: AccessFormProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [refused, setRefused] = useState("");
  const { shop, version } = reading;
  const read = { url: shop?.url ?? "" };
  const newer = useNewer({
    read: { version, values: read },
    typed: { url: form.values.url },
    take: ({ url }) => form.setFieldValue("url", url),
    readAgain: shopKey(place),
  });
  const save = useSave({
    send: async (values: AccessValues) => {
      const { platform } = values;
      if (platform === "") throw new Error("a form without a platform is not sent");
      const made = await newer.send((seen) =>
        answer(ofShop.$put({ param: place, json: bodyOf(values, platform, seen) })),
      );
      const secret = "secret" in made ? made.secret : undefined;
      newer.saved();
      if (secret !== undefined) keepSecret(secret);
      if (values.way === "post") return { secret, problems: {} };
      const problems = problemsOfTest(await answer(ofShop.test.$post({ param: place })), values, say);
      const isGood = Object.keys(problems).length === 0;
      if (isGood && values.webhooks && canMakeWebhooks(platform)) {
        await answer(ofShop.webhooks.$post({ param: place }));
      }
      return { secret, problems };
    },
    refresh: [shopKey(place), setupKey(place), ["connections", place.account]],
    onSaved: ({ secret, problems }, values) => {
      setRefused("");
      if (Object.keys(problems).length === 0) {
        form.resetDirty(values);
        onConnected(secret);
        return;
      }
      form.setErrors(problems);
    },
    onRefused: (error) => {
      if (newer.isRefusedBy(error)) return;
      const { "": whole, ...fields } = problemsIn(problemsByField(error, say), form.values);
      form.setErrors(fields);
      setRefused(whole ?? "");
    },
  });
  return { save, newer, refused };
}

function PlatformChoice({ form }: { readonly form: FormState }) {
  const say = useWords();
  return (
    <Radio.Group label={say("shop.platform")} {...form.getInputProps("platform")}>
      <div className={styles.platforms}>
        {DIRECT_PLATFORMS.map(({ value, name }) => (
          <Radio.Card key={value} value={value} className={styles.option ?? ""}>
            <Radio.Indicator />
            <b>{name}</b>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

function WayChoice({ form }: { readonly form: FormState }) {
  const say = useWords();
  return (
    <Radio.Group label={say("shop.way")} {...form.getInputProps("way")}>
      <div className={styles.ways}>
        {(["fetch", "post"] as const).map((way) => (
          <Radio.Card key={way} value={way} className={styles.option ?? ""}>
            <Radio.Indicator />
            <div>
              <b>{say(`shop.way.${way}`)}</b>
              <span>{say(`shop.way.${way}.sub`)}</span>
            </div>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

interface AccessFieldsProps {
  readonly form: FormState;
  readonly platform: Platform;
  readonly hasShop: boolean;
}

function AccessFields({ form, platform, hasShop }: AccessFieldsProps) {
  const say = useWords();
  const { way, app, webhooks } = form.values;
  const hint = (name: keyof AccessValues, text: string) => (form.errors[name] ? undefined : text);
  return (
    <div className="stack">
      {hasShop && <p className="muted small">{say("shop.key.again")}</p>}
      {platform === "shopify" && way === "fetch" && (
        <Radio.Group label={say("shop.app")} {...form.getInputProps("app")}>
          <div className={styles.radios}>
            <Radio.One value="client" label={say("shop.app.client")} />
            <Radio.One value="token" label={say("shop.app.token")} />
          </div>
        </Radio.Group>
      )}
      {way === "fetch" && (
        <TextInput
          label={say("shop.url")}
          description={hint("url", say(urlHint(platform)))}
          type="url"
          autoComplete="off"
          {...form.getInputProps("url")}
        />
      )}
      {credentialsOf(platform, way, app).map((name) => (
        <TextInput
          key={name}
          label={say(`shop.key.${name}`)}
          description={hint(name, say(keyHint(name, platform)))}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          classNames={{ input: styles.secretInput ?? "" }}
          {...form.getInputProps(name)}
        />
      ))}
      {platform === "woocommerce" && <OwnFields form={form} />}
      {way === "fetch" && canMakeWebhooks(platform) && (
        <Checkbox
          label={say("shop.make_webhooks")}
          description={say(
            platform === "shopify" ? "shop.make_webhooks.hint.shopify" : "shop.make_webhooks.hint",
          )}
          checked={webhooks}
          onChange={({ currentTarget: { checked } }) => form.setFieldValue("webhooks", checked)}
        />
      )}
    </div>
  );
}

function urlHint(platform: Platform) {
  if (platform === "shopify" || platform === "magento") return `shop.url.hint.${platform}` as const;
  return "shop.url.hint" as const;
}

function keyHint(name: ReturnType<typeof credentialsOf>[number], platform: Platform) {
  if (name !== "token") return `shop.key.${name}.hint` as const;
  return `shop.key.token.hint.${platform === "shopify" ? "shopify" : "magento"}` as const;
}

/** Members that only this shop has; most shops need none. */
function OwnFields({ form }: { readonly form: FormState }) {
  const say = useWords();
  const { nif_key, credit_keys } = form.values;
  return (
    <details className={styles.own} open={nif_key !== "" || credit_keys !== "" ? true : undefined}>
      <summary>{say("shop.own")}</summary>
      <div className="stack">
        <TextInput
          label={say("shop.own.nif")}
          description={say("shop.own.nif.hint")}
          maw={320}
          spellCheck={false}
          {...form.getInputProps("nif_key")}
        />
        <TextInput
          label={say("shop.own.credit")}
          description={say("shop.own.credit.hint")}
          maw={320}
          spellCheck={false}
          {...form.getInputProps("credit_keys")}
        />
      </div>
    </details>
  );
}
