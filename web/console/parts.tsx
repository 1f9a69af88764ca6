import { type ButtonHTMLAttributes, type ComponentChildren, render, type VNode } from 'preact';
import type { OperationBrief } from '../../src/server/console/console-api.ts';
import { type WithChildren, writeClipboard } from '../shared/elements.tsx';
import { addressOf, guarded, type Route, say, Toasts } from './app.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  /** The action; its errors are shown as a message. */
  readonly act: () => unknown;
}

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
  /** What is wrong with the value. */
  readonly issue?: string | undefined;
}

export function Field({ label, hint, hidden, issue, children }: FieldProps): VNode {
  return (
    <label class="field" hidden={hidden}>
      <span>{label}</span>
      {children}
      {hint === undefined ? undefined : <small>{hint}</small>}
      {issue === undefined ? undefined : (
        <small class="field-error" role="alert">
          {issue}
        </small>
      )}
    </label>
  );
}

export type Option = readonly [value: string, text: string];

/** An operation as an option: its request, and its id if the contract gives one. */
export function operationOption({ id, method, path }: OperationBrief): Option {
  const request = `${method} ${path}`;
  return [id, id === request ? request : `${request} · ${id}`];
}

interface ChoiceProps {
  readonly options: readonly Option[];
  readonly value: string;
  readonly change: (value: string) => void;
  readonly label?: string;
  readonly id?: string;
}

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

interface SearchBoxProps {
  /** What is searched: `traffic`. */
  readonly what: string;
  readonly words: string;
  readonly change: (words: string) => void;
}

/** The search of a view, which the key / leads to. */
export function SearchBox({ what, words, change }: SearchBoxProps): VNode {
  return (
    <input
      type="search"
      id="search"
      placeholder="Search, or press /"
      aria-label={`Search in ${what}`}
      value={words}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

interface FormProps extends WithChildren {
  readonly class: string;
  /** Called on submit; errors are shown as a message. */
  readonly submit: () => unknown;
}

/** A form that the page handles itself. */
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
  /** The column headings; '' for the column of actions. */
  readonly heads: readonly string[];
  /** The headings of numeric columns. */
  readonly numbers?: readonly string[];
  readonly sort?: TableSort;
}

/** The columns that can sort a table, and the one that does. */
export interface TableSort {
  readonly columns: readonly string[];
  readonly order: { readonly column: string; readonly isDown: boolean } | undefined;
  readonly choose: (column: string) => void;
}

/** A table in a scrollable region that is reachable by keyboard. */
export function Table({ caption, heads, numbers = [], sort, children }: TableProps): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th
                scope="col"
                class={numbers.includes(head) ? 'number' : undefined}
                aria-sort={directionOf(head, sort)}
              >
                {head === '' ? (
                  <span class="unseen">Actions</span>
                ) : sort?.columns.includes(head) === true ? (
                  <SortButton head={head} sort={sort} />
                ) : (
                  head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function directionOf(
  head: string,
  sort: TableSort | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort?.order?.column !== head) return undefined;
  return sort.order.isDown ? 'descending' : 'ascending';
}

function SortButton({ head, sort }: { readonly head: string; readonly sort: TableSort }): VNode {
  const direction = directionOf(head, sort);
  const mark = direction === undefined ? ' ↕' : direction === 'ascending' ? ' ↑' : ' ↓';
  return (
    <Button class="sort" title={`Sort by ${head}`} act={() => sort.choose(head)}>
      {head}
      <span aria-hidden="true">{mark}</span>
    </Button>
  );
}

/** Shown in place of an empty list. */
export function Empty({ children }: WithChildren): VNode {
  return <div class="empty">{children}</div>;
}

interface HeadProps extends WithChildren {
  readonly title: string;
}

/** A heading with elements beside it. */
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

/** A box with the result of an action, in its color. */
export function Verdict({ kind, role, children }: VerdictProps): VNode {
  return (
    <div class={`verdict ${kind}`} role={role}>
      {children}
    </div>
  );
}

/** Copies a text and confirms it: `Copied a curl command.` */
export async function copyText(text: string, what: string): Promise<void> {
  await writeClipboard(text);
  say(`Copied ${what}.`);
}

/**
 * Opens a dialog and removes it when it closes. The browser traps the focus, and Escape closes it.
 * Messages are shown inside it while it is open.
 */
export function openDialog(
  title: string,
  content: (dialog: HTMLDialogElement) => ComponentChildren,
  kind?: 'wide' | 'palette',
): void {
  const dialog = document.createElement('dialog');
  if (kind !== undefined) dialog.className = kind;
  dialog.setAttribute('aria-label', title);
  dialog.addEventListener('close', () => {
    dialog.remove();
    render(null, dialog);
  });
  render(
    <>
      <h2 class={kind === 'palette' ? 'unseen' : undefined}>{title}</h2>
      {content(dialog)}
      <Toasts />
    </>,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}

interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the button that confirms. */
  readonly verb: string;
  readonly act: () => Promise<void>;
  /** What can be done instead. */
  readonly other?: { readonly verb: string; readonly act: () => void };
}

/** Asks for confirmation of an action that cannot be undone. */
export function confirm({ title, text, verb, act, other }: Question): void {
  openDialog(title, (dialog) => (
    <>
      <p>{text}</p>
      <div class="actions">
        <Button act={() => dialog.close()}>Cancel</Button>
        {other === undefined ? undefined : (
          <Button
            act={() => {
              other.act();
              dialog.close();
            }}
          >
            {other.verb}
          </Button>
        )}
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
