import type { PullCallback } from "../../../src/domain/callback/pull-callback.ts";
import { type CallbackUrlPolicy, checkCallbackUrl } from "../../../src/domain/callback/url.ts";
import type { Setup } from "../../../src/domain/connection/setup.ts";

/** Addresses as customers and attackers write them, with what becomes of each: judged in both runtimes. */

export const PUBLIC_POLICY: CallbackUrlPolicy = {
  ownHosts: ["api.cuadre.example", "Consola.Cuadre.example"],
  allowLoopback: false,
};

/** The address in its one spelling, or the code of the refusal. */
export function judged(text: string, policy = PUBLIC_POLICY): string {
  const checked = checkCallbackUrl(text, policy);
  return checked.ok ? checked.value : checked.error.code;
}

export const TAKEN: readonly (readonly [string, string])[] = [
  ["https://tienda.es", "https://tienda.es/"],
  ["https://tienda.es/modulo/cuadre", "https://tienda.es/modulo/cuadre"],
  ["HTTPS://Tienda.ES/Modulo", "https://tienda.es/Modulo"],
  ["https://tienda.es:443/x", "https://tienda.es/x"],
  ["https://tienda.es:/x", "https://tienda.es/x"],
  ["https://tienda.es/x?token=a%20b&b", "https://tienda.es/x?token=a%20b&b"],
  ["https://tienda.es/x?", "https://tienda.es/x?"],
  [
    "https://tienda.es/index.php?fc=module&module=cuadre",
    "https://tienda.es/index.php?fc=module&module=cuadre",
  ],
  ["https://tienda.es/@usuario", "https://tienda.es/@usuario"],
  ["https://tienda.es/?a=b@c.es", "https://tienda.es/?a=b@c.es"],
  ["https://tienda-española.es/año", "https://xn--tienda-espaola-0nb.es/a%C3%B1o"],
  ["https://tienda.xn--p1ai/", "https://tienda.xn--p1ai/"],
  ["https://1and1.es/", "https://1and1.es/"],
  ["https://127.0.0.1.tienda.es/", "https://127.0.0.1.tienda.es/"],
  ["https://a--b.tienda.es/", "https://a--b.tienda.es/"],
  ["https://local.es/", "https://local.es/"],
  ["https://tienda.es/../../etc", "https://tienda.es/etc"],
  ["https://micuadre.example/", "https://micuadre.example/"],
  ["https://cuadre.example.tienda.es/", "https://cuadre.example.tienda.es/"],
  ["https://tienda.es/?xstore_ids=1", "https://tienda.es/?xstore_ids=1"],
];

const HIDDEN = String.fromCodePoint(0x200b);
const SOFT_HYPHEN = String.fromCodePoint(0xad);

export const REFUSED: readonly (readonly [string, readonly string[]])[] = [
  [
    "callback_url_too_long",
    [
      `https://tienda.es/${"x".repeat(1_983)}`,
      // 1,018 characters become more than 6,000.
      `https://tienda.es/${"ñ".repeat(1_000)}`,
      "x".repeat(2_001),
    ],
  ],
  [
    "callback_url_invalid",
    [
      ...[
        "",
        "x",
        "tienda.es",
        "//tienda.es/x",
        "/modulo",
        "https:",
        "https://",
        "https:///tienda.es",
        "https://?x",
      ],
      ...["https:tienda.es", "https:/tienda.es", "https:\\\\tienda.es", "https://tienda.es\\@127.0.0.1/"],
      ...[" https://tienda.es", "https://tienda.es ", "https://tien da.es", "https://tienda.es/a b"],
      ...["ht\ttps://tienda.es", "https://tienda.es/\r\nX: y", "https://tienda.es/\0", "https://tien\tda.es"],
      ...[`https://tienda${HIDDEN}.es`, `https://loc${SOFT_HYPHEN}alhost`, "https://tienda.es/\ud800"],
      ...["https://tien%20da.es", "https://tienda%2ees%2f.es", "https://tienda.es%40127.0.0.1/", "https://%"],
      ...["https://tienda.es:65536/", "https://tienda.es:x/", "https://tienda.es:443:443/", "https://[::1"],
      ...[
        "https://1.2.3.4.5/",
        "https://tienda.0x7f/",
        "https://256.0.0.1/",
        "https://tienda.1/",
        "https://0x100000000/",
      ],
      ...["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "mailto:a@tienda.es"],
    ],
  ],
  [
    "callback_url_not_https",
    [
      ...[
        "http://tienda.es",
        "http://127.0.0.1:8080/x",
        "ftp://tienda.es/",
        "ws://tienda.es/",
        "wss://tienda.es/",
      ],
      ...["gopher://tienda.es/", "file://tienda.es/x", "httpss://tienda.es/"],
    ],
  ],
  [
    "callback_url_with_credentials",
    [
      ...["https://ana@tienda.es/", "https://ana:clave@tienda.es/", "https://:clave@tienda.es/"],
      ...[
        "https://@tienda.es/",
        "https://:@tienda.es/",
        "https://tienda.es@127.0.0.1/",
        "https://a@b@tienda.es/",
      ],
      "https://tienda.es:443@127.0.0.1/",
    ],
  ],
  [
    "callback_url_with_fragment",
    ["https://tienda.es/#x", "https://tienda.es/#", "https://tienda.es#@127.0.0.1/"],
  ],
  [
    "callback_url_port_not_allowed",
    ["https://tienda.es:8443/", "https://tienda.es:80/", "https://tienda.es:0/", "https://127.0.0.1:8787/"],
  ],
  [
    "callback_url_ip_address",
    [
      ...[
        "https://127.0.0.1/",
        "https://203.0.113.7/x",
        "https://169.254.169.254/latest",
        "https://0.0.0.0/",
      ],
      ...["https://127.1/", "https://127.0.1/", "https://0/", "https://2130706433/", "https://017700000001/"],
      ...[
        "https://0177.0.0.1/",
        "https://0x7f.0.0.1/",
        "https://0x7f000001/",
        "https://0X7F.1/",
        "https://127.0.0.1./",
      ],
      ...["https://127.0.0.01/", "https://10.000.0.1/", "https://0x/", "https://1/", "https://192.168.257/"],
      ...[
        "https://%31%32%37.0.0.1/",
        "https://127%2e0%2e0%2e1/",
        "https://１２７.０.０.１/",
        "https://①②⑦.0.0.1/",
      ],
      ...[
        "https://127。0。0。1/",
        "https://127．0．0．1/",
        "https://127｡0｡0｡1/",
        "https://０ｘ7f.1/",
        "https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/",
      ],
      ...["https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/"],
      ...[
        "https://[fd00::1]/",
        "https://[2001:db8::1]/",
        "https://[0:0:0:0:0:0:0:1]/",
        "https://[64:ff9b::7f00:1]/",
      ],
    ],
  ],
  [
    "callback_url_host_not_public",
    [
      ...[
        "https://localhost/",
        "https://LOCALHOST/",
        "https://localhost./",
        "https://ｌｏｃａｌｈｏｓｔ/",
        "https://%6cocalhost/",
      ],
      ...[
        "https://a.localhost/",
        "https://shop.local/",
        "https://shop.LOCAL/",
        "https://metadata.google.internal/",
      ],
      ...[
        "https://shop.localdomain/",
        "https://shop.lan/",
        "https://shop.corp/",
        "https://shop.home/",
        "https://a.intranet/",
      ],
      ...[
        "https://1.0.0.127.in-addr.arpa/",
        "https://router.home.arpa/",
        "https://a.onion/",
        "https://a.alt/",
      ],
      ...["https://shop.test/", "https://shop.invalid/", "https://shop.private/", "https://shop。local/"],
      ...[
        "https://intranet/",
        "https://com/",
        "https://xn--/",
        "https://xn--p1ai/",
        "https://tienda.es./",
        "https://tienda.es../",
      ],
      ...[
        "https://.tienda.es/",
        "https://tienda..es/",
        "https://mi_tienda.es/",
        "https://-tienda.es/",
        "https://tienda-.es/",
      ],
      ...[
        "https://tienda.e/",
        "https://*.tienda.es/",
        "https://tienda!.es/",
        "https://tien'da.es/",
        "https://tien$da.es/",
      ],
      ...[`https://${"x".repeat(64)}.es/`, `https://${"x.".repeat(126)}es/`],
    ],
  ],
  [
    "callback_url_own_host",
    [
      ...[
        "https://api.cuadre.example/api/v1/invoice",
        "https://API.cuadre.example/",
        "https://v2.api.cuadre.example/",
      ],
      ...[
        "https://consola.cuadre.example/",
        "https://%61pi.cuadre.example/",
        "https://api。cuadre。example/",
      ],
    ],
  ],
  [
    "callback_url_with_store_ids",
    [
      ...[
        "https://tienda.es/?store_ids=1",
        "https://tienda.es/?store_ids",
        "https://tienda.es/?a=b&store_ids=",
      ],
      ...["https://tienda.es/?store%5Fids=1", "https://tienda.es/?%73tore_ids=1"],
    ],
  ],
];

export const NOON = Date.UTC(2026, 10, 28, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Secrets of the right form that differ. */
export function aSecret(number: number): string {
  return `whsec_${btoa(String.fromCharCode(number).repeat(32))}`;
}

/** Random bytes for tests: 0, 1, 2, ... */
export function counting(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => index);
}

export const PENDING: Setup = { state: "pending_configuration", storeIds: null };

export function configured(storeIds: string | null): Setup {
  return { state: "configured", storeIds };
}

/** Registered, and never called. */
export function aCallback(change: Partial<PullCallback> = {}): PullCallback {
  return { url: "https://tienda.es/pull", secrets: { current: aSecret(1) }, delivery: undefined, ...change };
}
