import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { OperationList } from '../../src/server/console/console-api.ts';
import { encode } from '../shared/text.ts';
import { type Feed, TokenRefused } from './control-api.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'kept' | 'error';
}

let toasts: readonly Toast[] = [];
/** Where messages can be shown: the page, and the dialogs over it. Only the last one shows them. */
const outlets: ((shown: readonly Toast[]) => void)[] = [];
let count = 0;

function showToasts(): void {
  for (const outlet of outlets) outlet(outlet === outlets.at(-1) ? toasts : []);
}

/** Shows a message for a few seconds, and announces it to screen readers. */
export function say(text: string, kind: Toast['kind'] = 'kept'): void {
  count += 1;
  const toast = { id: count, text, kind };
  toasts = [...toasts.filter((each) => each.text !== text), toast];
  showToasts();
  setTimeout(
    () => {
      toasts = toasts.filter((each) => each !== toast);
      showToasts();
    },
    kind === 'error' ? 8000 : 2500,
  );
}

/** An error is about the page that it arose on. */
function dropErrors(): void {
  toasts = toasts.filter(({ kind }) => kind !== 'error');
  showToasts();
}
window.addEventListener('hashchange', dropErrors);

/** The current messages. They take room of their own, and never lie over a button. */
export function Toasts(): VNode {
  const [shown, show] = useState<readonly Toast[]>([]);
  useLayoutEffect(() => {
    outlets.push(show);
    showToasts();
    return () => {
      outlets.splice(outlets.indexOf(show), 1);
      showToasts();
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <div key={id} class={`toast ${kind}`}>
          {text}
        </div>
      ))}
    </div>
  );
}

/** The state and the actions that the views of the console share. */
export interface ConsoleApp {
  /** Facts about the mock that do not change while it runs. */
  readonly facts: OperationList;
  /** The selected session. */
  readonly session: string;
  readonly feed: Feed;
  /** Reloads the view and the state bar, and keeps the input and the focus. */
  reload(): Promise<void>;
  chooseSession(name: string): void;
}

/** A part of the console as in the address: `#/records/pets` is `['records', 'pets']`. */
export type Route = readonly string[];

/** The address of a part of the console. */
export function addressOf(route: Route): string {
  return `#/${route.map(encode).join('/')}`;
}

export function mockOrigin({ facts }: ConsoleApp): string {
  return facts.origin ?? location.origin;
}

/** A path of the control API with the selected session. */
export function inSession({ session }: ConsoleApp, path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}session=${encode(session)}`;
}

/** The event of the window after the mock refuses the token; `detail` is the reason. */
export const tokenRefused = 'vouch-token-refused';

/** Runs an action of the user, and shows its error if it fails. */
export async function guarded(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TokenRefused) lock(error.message);
    else say(messageOf(error), 'error');
  }
}

/** Asks for the token. */
export function lock(why: string): void {
  window.dispatchEvent(new CustomEvent(tokenRefused, { detail: why }));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const minIntervalMs = 700;

/** Reloads the view after requests that change it, but not while the user types or chooses. */
export function useFollowing(app: ConsoleApp): void {
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (isBadMoment()) later();
        else void app.reload();
      }, minIntervalMs);
    };
    const unlisten = app.feed.listen((change) => {
      const isNews =
        change.kind === 'replaced' ||
        (change.kind === 'added' &&
          change.fresh.some(
            ({ method, session }) =>
              !/^(GET|HEAD|OPTIONS)$/.test(method) && (session ?? 'default') === app.session,
          ));
      if (isNews) later();
    });
    return () => {
      clearTimeout(timer);
      unlisten();
    };
  }, [app.session]);
}

/** Whether the page is hidden, or a dialog, a choice or a field other than the search is in use. */
function isBadMoment(): boolean {
  const at = document.activeElement;
  const isInUse =
    at !== null &&
    at.id !== 'search' &&
    at.closest('#view') !== null &&
    /^(SELECT|INPUT|TEXTAREA)$/.test(at.tagName);
  return document.hidden || document.querySelector('dialog[open]') !== null || isInUse;
}
