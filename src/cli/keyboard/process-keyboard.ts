import type { ReadStream } from 'node:tty';
import { isContinuousIntegration } from '../is-continuous-integration.ts';
import { isForeground } from './is-foreground.ts';
import { makeKeyboard, type Keyboard } from './keyboard.ts';

/** What a keyboard needs of the process. */
export interface ProcessWorld {
  readonly input: ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  interrupt(): void;
  whenContinued(callback: () => void): () => void;
}

/** The keyboard of a process; none where its input is no terminal, or in CI. */
export function openKeyboard({
  input,
  env,
  interrupt,
  whenContinued,
}: ProcessWorld): Keyboard | undefined {
  if (!input.isTTY || isContinuousIntegration(env)) return undefined;
  // What the terminal would send to the whole job on Ctrl-Z: npm and npx among it.
  const suspend = (): void => {
    if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
  };
  return makeKeyboard({ input, interrupt, whenContinued, suspend, isForeground });
}
