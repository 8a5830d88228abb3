/** One without a module, and one that the service cannot read by itself. */
export const OTHER_PLATFORM = "other";

/** Platforms with a module; the entry for other platforms has no name. */
export const PLATFORMS: readonly { readonly value: string; readonly name?: string }[] = [
  { value: "woocommerce", name: "WooCommerce" },
  { value: "prestashop", name: "PrestaShop" },
  { value: "shopify", name: "Shopify" },
  { value: "magento", name: "Magento" },
  { value: OTHER_PLATFORM },
];

/** A platform as its maker writes it; the module reports it in small letters. */
export function platformTitle(reported: string | undefined): string | undefined {
  const known = PLATFORMS.find(({ value }) => value === reported?.toLowerCase());
  return known?.name ?? (reported === OTHER_PLATFORM ? undefined : reported);
}
