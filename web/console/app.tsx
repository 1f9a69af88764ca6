import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { OperationList } from '../../src/server/console/console-api.ts';
import { encode } from '../shared/text.ts';
import { type Feed, token, TokenRefused } from './control-api.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'kept' | 'error';
}

let toasts: readonly Toast[] = [];
let changed = (): void => {};
let count = 0;

/** Shows a message for a few seconds, and announces it to screen readers. */
export function say(text: string, kind: Toast['kind'] = 'kept'): void {
  count += 1;
  const toast = { id: count, text, kind };
  toasts = [...toasts, toast];
  changed();
  setTimeout(
    () => {
      toasts = toasts.filter((each) => each !== toast);
      changed();
    },
    kind === 'error' ? 8000 : 2500,
  );
}

/** The current messages. */
export function Toasts(): VNode {
  const [shown, show] = useState(toasts);
  useLayoutEffect(() => {
    changed = () => show(toasts);
    changed();
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
  /** Reloads the view, and keeps its input and focus. */
  reload(): Promise<void>;
  chooseSession(name: string): void;
}

/** A part of the console as in the address: `#/state/pets` is `['state', 'pets']`. */
export type Route = readonly string[];

/** The address of a part of the console. */
export function addressOf(route: Route): string {
  return `#/${route.map(encode).join('/')}`;
}

/** The origin of the mock. */
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

/** Forgets the token and asks for another one. */
export function lock(why: string): void {
  token.clear();
  window.dispatchEvent(new CustomEvent(tokenRefused, { detail: why }));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
