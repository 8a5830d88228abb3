import {
  type ComponentProps,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";
import { type WrongField, wrongFieldsIn } from "./wrong-fields.ts";

/** From so many wrong fields on a form lists them, and from the second number on the list takes the focus. */
const LISTED_FROM = 2;
const FOCUSED_FROM = 3;

/**
 * What every form does with its errors. After a submit, once the page or the server has found an error,
 * the focus goes to the first wrong field, or to the list of all if there are many. It never moves while a
 * person types. `refused` is the refusal of the whole form, which is no field's.
 */
export function useWrongFields<Place extends HTMLElement>(refused: ReactNode) {
  const place = useRef<Place>(null);
  const summary = useRef<HTMLDivElement>(null);
  const isSubmitted = useRef(false);
  const [listed, setListed] = useState<readonly WrongField[]>([]);
  // Fields get their errors in many ways, but all show them: so the form looks after each render.
  useEffect(() => {
    if (!place.current || !(isSubmitted.current || listed.length > 0)) return;
    const wrong = wrongFieldsIn(place.current);
    const next = wrong.length >= LISTED_FROM ? wrong : [];
    if (JSON.stringify(next) !== JSON.stringify(listed)) {
      setListed(next);
      return;
    }
    if (!isSubmitted.current || (wrong.length === 0 && !refused)) return;
    isSubmitted.current = false;
    const [first] = wrong;
    if (first && wrong.length < FOCUSED_FROM) focusOn(first);
    else summary.current?.focus();
  });
  const moveOn = () => {
    isSubmitted.current = false;
  };
  return {
    place,
    submitted: () => {
      isSubmitted.current = true;
    },
    watching: {
      onInputCapture: moveOn,
      onPointerDownCapture: moveOn,
      onKeyDownCapture: moveOn,
      onMouseDownCapture: keepFocus,
    },
    summary: <Summary place={summary} wrong={listed} refused={refused} />,
  };
}

/**
 * A field that is left shows its error at once, which moves what is below. A press on the button must not be
 * lost by that, so it does not take the focus from the field.
 */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const isSubmit = event.target instanceof Element && event.target.closest("button[type=submit]") !== null;
  if (isSubmit) event.preventDefault();
}

interface FormProps extends Omit<ComponentProps<"form">, "noValidate" | "ref" | "onSubmit"> {
  readonly refused?: ReactNode;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** A form that is submitted. */
export function Form({ refused, onSubmit, children, ...form }: FormProps) {
  const { place, submitted, watching, summary } = useWrongFields<HTMLFormElement>(refused);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // A dialog passes its events up the tree of components: its submit is not the page's.
    if (event.target !== event.currentTarget) return;
    submitted();
    onSubmit(event);
  }
  return (
    <form {...form} {...watching} noValidate ref={place} onSubmit={submit}>
      {summary}
      {children}
    </form>
  );
}

interface SummaryProps {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly wrong: readonly WrongField[];
  readonly refused: ReactNode;
}

/** All problems of a form, each linked to its field. */
function Summary({ place, wrong, refused }: SummaryProps) {
  const say = useWords();
  if (wrong.length === 0 && !refused) return null;
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} ref={place}>
      {refused && <p>{refused}</p>}
      {wrong.length > 0 && <strong>{say("form.summary", { n: wrong.length })}</strong>}
      {wrong.length > 0 && (
        <ul>
          {wrong.map((field) => (
            <li key={field.id}>
              <a
                href={`#${field.id}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusOn(field);
                }}
              >
                {field.message}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function focusOn({ id }: WrongField): void {
  document.getElementById(id)?.focus();
}
