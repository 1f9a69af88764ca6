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

/** Says what came of something, for the eye and for a screen reader, for a few seconds. */
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

/** What was said just now. */
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

/** What the views of the console know and can do. */
export interface ConsoleApp {
  /** What is true of the mock from its start on. */
  readonly facts: OperationList;
  /** The session that is looked at. */
  readonly session: string;
  readonly feed: Feed;
  /** Loads the view anew; what was typed into it and where the focus is stays. */
  reload(): Promise<void>;
  chooseSession(name: string): void;
}

/** A part of the console as the address names it: `#/state/pets` is `['state', 'pets']`. */
export type Route = readonly string[];

/** The address of a part of the console. */
export function addressOf(route: Route): string {
  return `#/${route.map(encode).join('/')}`;
}

/** Where the mock answers. */
export function mockOrigin({ facts }: ConsoleApp): string {
  return facts.origin ?? location.origin;
}

/** A path of the control API, for the session that is looked at. */
export function inSession({ session }: ConsoleApp, path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}session=${encode(session)}`;
}

/** Announced on the window when the mock refuses the token; `detail` is why. */
export const tokenRefused = 'vouch-token-refused';

/** Does something for a person, and says what went wrong if it fails. */
export async function guarded(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TokenRefused) lock(error.message);
    else say(messageOf(error), 'error');
  }
}

/** Forgets the token, and asks for another one. */
export function lock(why: string): void {
  token.clear();
  window.dispatchEvent(new CustomEvent(tokenRefused, { detail: why }));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
