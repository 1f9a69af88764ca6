import type { RivalName } from '../../rivals/pinned.ts';

/** What a runner is pointed at. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  /** The path of the contract. */
  readonly contract: string;
  readonly key: string;
  /** The credentials as headers, where the service takes more than the key: `Name: value`. */
  readonly headers?: readonly string[];
  /** An empty folder, for this run alone. */
  readonly folder: string;
}

/** Where a runner is, and the program that runs it: a Node, `java`, or a Python. */
export interface Tool {
  readonly folder: string;
  readonly program: string;
}

/** One program to run, to its end, in the folder of the target. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * What programs left behind: what they printed, and how the last of them ended (nothing where it
 * was cut off).
 */
export interface Outcome {
  readonly exitCode: number | undefined;
  readonly printed: string;
}

/** A program that says whether a service keeps its contract. */
export interface Runner {
  readonly name: string;
  readonly title: string;
  /** Under which name it is installed; nothing where it is vouch. */
  readonly rival?: RivalName;
  /** After how long a run is cut off. */
  readonly limitSeconds: number;
  /** How it is run at its defaults, with the key given as its documentation says. */
  commands(target: Target, tool: Tool): readonly Command[];
  /**
   * What it accuses the service of, each in words that say the same of the same fault in another
   * run.
   */
  findings(target: Target, outcome: Outcome): readonly string[];
}
