/** Text that may be wider than the screen; focusable, so that it scrolls without a mouse (WCAG 2.1.1). */
export function CodeBlock({ text }: { readonly text: string }) {
  return <pre tabindex={0}>{text}</pre>;
}
