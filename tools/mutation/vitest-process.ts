import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestOrder, TestOutcome } from './messages.ts';

/**
 * A Vitest in a process of its own: started when it is first asked, and anew after a run that took
 * too long.
 */
export class VitestProcess {
  readonly #folder: string;
  readonly #setup: string | undefined;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(
    folder: string,
    {
      setup,
      environment = {},
    }: { readonly setup?: string; readonly environment?: NodeJS.ProcessEnv } = {},
  ) {
    this.#folder = folder;
    this.#setup = setup;
    this.#environment = environment;
  }

  /**
   * What came of the tests, or `undefined` where they took longer than they may. Time in which the
   * machine was held does not count.
   */
  async run(order: TestOrder, seconds: number): Promise<TestOutcome | undefined> {
    const child = (this.#child ??= await this.#start());
    return new Promise((resolve) => {
      const end = (outcome: TestOutcome | undefined): void => {
        clearInterval(timer);
        child.off('message', end).off('exit', fail);
        resolve(outcome);
      };
      const fail = (): void => {
        this.#child = undefined;
        end({ passed: 0, failed: [order.file] });
      };
      let left = seconds;
      const timer = setInterval(() => {
        left -= 1;
        if (left > 0) return;
        this.stop();
        end(undefined);
      }, 1000);
      child.on('message', end).once('exit', fail);
      child.send(order);
    });
  }

  /** Ends the process and its workers, which are of the same group. */
  stop(): void {
    const pid = this.#child?.pid;
    this.#child?.removeAllListeners();
    this.#child = undefined;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }

  async #start(): Promise<ChildProcess> {
    const words = [this.#folder, ...(this.#setup === undefined ? [] : [this.#setup])];
    const child = fork(fileURLToPath(new URL('vitest-host.ts', import.meta.url)), words, {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...this.#environment },
    });
    await once(child, 'message');
    return child;
  }
}
