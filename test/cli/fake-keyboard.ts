import type { Keyboard } from '../../src/cli/io.ts';

/** A keyboard whose keys a test presses. */
export interface FakeKeyboard extends Keyboard {
  press(...keys: readonly string[]): void;
  readonly isListening: () => boolean;
}

export function makeFakeKeyboard(): FakeKeyboard {
  let onKey: ((key: string) => void) | undefined;
  return {
    listen: (take) => {
      onKey = take;
      return () => {
        onKey = undefined;
      };
    },
    press: (...keys) => {
      for (const key of keys) onKey?.(key);
    },
    isListening: () => onKey !== undefined,
  };
}
