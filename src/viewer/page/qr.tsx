import type { Language } from "../../words/words.ts";
import type { QrBlock } from "../presentation/invoice-presentation.ts";
import { fill } from "../presentation/texts.ts";
import { WORDS } from "../presentation/words.ts";
import { QUIET_ZONE, qrCode } from "../qr-code.ts";
import { Legal } from "./words.tsx";

/** The symbol in millimetres: 30 to 40 are allowed (article 21 Orden HAC/1177/2024). */
const SYMBOL = 35;

interface QrProps {
  readonly qr: QrBlock;
  readonly language: Language;
}

/** Also a link, because a phone cannot scan its own screen. */
export function Qr({ qr, language }: QrProps) {
  return (
    <div class="qr">
      <p>
        <Legal words={qr.above} language={language} />
      </p>
      <a href={qr.url} target="_blank" rel="noopener noreferrer" aria-label={fill(WORDS.check, language)}>
        <QrSymbol url={qr.url} label={fill(WORDS.qrCode, language)} />
      </a>
      <p>
        <Legal words={qr.below} language={language} />
      </p>
      {qr.amount === undefined ? null : <p class="soft">{qr.amount}</p>}
    </div>
  );
}

function QrSymbol({ url, label }: { readonly url: string; readonly label: string }) {
  const { size, runs } = qrCode(url);
  const modules = size + 2 * QUIET_ZONE;
  const side = `${(SYMBOL * modules) / size}mm`;
  const path = runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join("");
  const box = `${-QUIET_ZONE} ${-QUIET_ZONE} ${modules} ${modules}`;
  return (
    <svg width={side} height={side} viewBox={box} shape-rendering="crispEdges" role="img" aria-label={label}>
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={modules} height={modules} fill="#fff" />
      <path fill="#000" d={path} />
    </svg>
  );
}
