import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** What a command does once its words have been read: it answers an exit code. */
export type Run = (io: Io) => Promise<number>;

/** One command of the program: it declares its words, and hands over what is to be run. */
export interface CommandEntry {
  readonly name: string;
  register(program: Command, start: (run: Run) => Promise<void>): void;
}
