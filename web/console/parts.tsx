import { type ButtonHTMLAttributes, type ComponentChildren, render, type VNode } from 'preact';
import { type WithChildren, writeClipboard } from '../shared/elements.tsx';
import { addressOf, guarded, type Route, say } from './app.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  /** What it does; errors are said in a toast. */
  readonly act: () => unknown;
}

/** A button that does something. */
export function Button({ act, children, ...rest }: ButtonProps): VNode {
  return (
    <button type="button" {...rest} onClick={() => void guarded(act)}>
      {children}
    </button>
  );
}

interface LinkProps extends WithChildren {
  readonly to: Route;
  readonly class?: string;
  readonly title?: string;
  readonly label?: string;
  readonly current?: boolean;
  readonly id?: number;
}

/** A link to a part of the console. */
export function Link({ to, label, current, id, children, ...rest }: LinkProps): VNode {
  return (
    <a
      {...rest}
      aria-label={label}
      aria-current={current === true ? 'true' : undefined}
      data-id={id}
      href={addressOf(to)}
    >
      {children}
    </a>
  );
}

interface FieldProps extends WithChildren {
  readonly label: string;
  readonly hint?: string;
  readonly hidden?: boolean;
}

/** A control with its label. */
export function Field({ label, hint, hidden, children }: FieldProps): VNode {
  return (
    <label class="field" hidden={hidden}>
      <span>{label}</span>
      {children}
      {hint === undefined ? undefined : <small>{hint}</small>}
    </label>
  );
}

/** A value with the text that stands for it. */
export type Option = readonly [value: string, text: string];

interface ChoiceProps {
  readonly options: readonly Option[];
  readonly value: string;
  readonly change: (value: string) => void;
  readonly label?: string;
  readonly id?: string;
}

/** A choice of one value. */
export function Choice({ options, value, change, label, id }: ChoiceProps): VNode {
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface FormProps extends WithChildren {
  readonly class: string;
  /** Called when the form is submitted; errors are said in a toast. */
  readonly submit: () => unknown;
}

/** A form that this page handles itself. */
export function Form({ class: name, submit, children }: FormProps): VNode {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        void guarded(submit);
      }}
    >
      {children}
    </form>
  );
}

interface TableProps extends WithChildren {
  readonly caption: string;
  /** The heads of the columns; '' for that of the actions. */
  readonly heads: readonly string[];
  /** The heads of columns that hold numbers. */
  readonly numbers?: readonly string[];
}

/** A table in a scrollable region that can be reached with the keyboard. */
export function Table({ caption, heads, numbers = [], children }: TableProps): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" class={numbers.includes(head) ? 'number' : undefined}>
                {head === '' ? <span class="unseen">Actions</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** What stands where there is nothing. */
export function Empty({ children }: WithChildren): VNode {
  return <div class="empty">{children}</div>;
}

interface HeadProps extends WithChildren {
  readonly title: string;
}

/** The heading of a part, and what stands beside it. */
export function Head({ title, children }: HeadProps): VNode {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

interface VerdictProps extends WithChildren {
  readonly kind: string;
  readonly role?: 'status';
}

/** A box in the colour of its kind that says what came of something. */
export function Verdict({ kind, role, children }: VerdictProps): VNode {
  return (
    <div class={`verdict ${kind}`} role={role}>
      {children}
    </div>
  );
}

/** Copies a text, and says so: `Copied a curl command.` */
export async function copyText(text: string, what: string): Promise<void> {
  await writeClipboard(text);
  say(`Copied ${what}.`);
}

/**
 * Opens a dialog, which is gone when it is closed. The browser keeps the focus within, and Escape
 * closes it.
 */
export function openDialog(
  title: string,
  content: (dialog: HTMLDialogElement) => ComponentChildren,
): void {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title);
  dialog.addEventListener('close', () => {
    dialog.remove();
    render(null, dialog);
  });
  render(
    <>
      <h2>{title}</h2>
      {content(dialog)}
    </>,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}

interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says that does it. */
  readonly verb: string;
  readonly act: () => Promise<void>;
}

/** Asks before something is done that cannot be undone. */
export function confirm({ title, text, verb, act }: Question): void {
  openDialog(title, (dialog) => (
    <>
      <p>{text}</p>
      <div class="actions">
        <Button act={() => dialog.close()}>Cancel</Button>
        <Button
          class="danger"
          act={async () => {
            await act();
            dialog.close();
          }}
        >
          {verb}
        </Button>
      </div>
    </>
  ));
}
