import { IconAlertTriangle } from "@tabler/icons-react";
import { countryName, percent } from "../words/format.ts";
import { type Say, useWords } from "../words/words.tsx";
import shared from "./preview.module.css";

/** The regime of sales through the one-stop shop, which bear the VAT of another country. */
const ONE_STOP_SHOP = "17";

interface TaxedThere {
  readonly regime?: string | undefined;
  /** Percent, as an exact text. */
  readonly rate: string;
  /** Empty or absent where it is not known. */
  readonly country?: string | undefined;
}

/** IVA de Francia 10 %; undefined for a tax of the issuer's own. */
export function ossTaxWord({ regime, rate, country = "" }: TaxedThere, say: Say): string | undefined {
  if (regime !== ONE_STOP_SHOP) return undefined;
  const values = { tax: say("invoice.oss.name"), rate: percent(rate) };
  if (country === "") return say("invoice.oss.somewhere", values);
  return say("invoice.oss.tax", { ...values, country: placeName(country, say) });
}

/** XI is a code of the Union's VAT, and no country's. */
function placeName(country: string, say: Say): string {
  return country === "XI" ? say("invoice.oss.northern_ireland") : countryName(country);
}

interface OssDoubtsProps {
  readonly doubts: readonly {
    readonly country: string;
    readonly rate: string;
    readonly standard: string;
  }[];
}

/** Rates of other countries that look like Spanish ones: a warning, and no more. */
export function OssDoubts({ doubts }: OssDoubtsProps) {
  const say = useWords();
  return doubts.map(({ country, rate, standard }) => (
    <p key={`${country} ${rate}`} className={shared.note}>
      <IconAlertTriangle size={16} aria-hidden className={shared.warn} />
      <span>
        {say("warning.oss_rate", {
          rate: percent(rate),
          country: placeName(country, say),
          standard: percent(standard),
        })}
      </span>
    </p>
  ));
}
