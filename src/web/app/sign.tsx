/** An equals sign in a square of ink. */
export function Sign({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="5" fill="var(--accent)" />
      <path d="M6 9h12M6 15h12" stroke="var(--on-accent)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}

export const PRODUCT = "Cuadre";
