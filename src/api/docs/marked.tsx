/** Text of the contract, in which backticks stand around names as they are written. */
export function Marked({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}
