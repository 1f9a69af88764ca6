import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { FromChild, PrismLimits, PrismProgram, ToChild } from './child-messages.ts';
import { membersWhere } from '../json/value.ts';

const kept = 16_384;
const naming = /^(?:[A-Za-z.]*Error|FATAL ERROR)\b/;

/** Collects the end of a text stream, and finds the line that explains why a program died. */
export class ChildOutput {
  #tail = '';

  /** Appends a chunk; only the last 16 KiB are kept. */
  add(text: string): void {
    this.#tail = (this.#tail + text).slice(-kept);
  }

  /**
   * The last line that names an error, else the last line, else `''`; without control characters,
   * at most 300 characters.
   */
  line(): string {
    const lines = this.#tail
      .split('\n')
      .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').trim());
    const line =
      lines.findLast((candidate) => naming.test(candidate)) ??
      lines.findLast((candidate) => candidate !== '');
    return (line ?? '').slice(0, 300);
  }
}

/** The end of a child; `reason` continues a sentence that starts with "Prism". */
export interface Death {
  readonly pid: number;
  readonly froze: boolean;
  readonly reason: string;
}

/** The listener of a child. `died` is always the last call and happens once. */
export interface ChildListener {
  loaded(pid: number): void;
  answered(id: number, response: HttpResponse): void;
  died(death: Death): void;
}

/** One run of the child program. It is killed if its heartbeats stop. */
export class PrismChild {
  readonly #fork: ChildProcess;
  readonly #limits: PrismLimits;
  readonly #listener: ChildListener;
  readonly #lastWords = new ChildOutput();
  readonly #gone = Promise.withResolvers<void>();
  readonly #kill = (): void => void this.#fork.kill('SIGKILL');
  #watch: NodeJS.Timeout;
  #missed = 0;
  #dead = false;
  #killedFor: string | undefined;
  #failure: string | undefined;

  constructor(program: PrismProgram, limits: PrismLimits, listener: ChildListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#fork = forkProgram();
    this.#fork.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => this.#lastWords.add(text))
      .on('error', () => undefined);
    // The child program writes only FromChild messages to this channel.
    this.#fork.on('message', (message) => this.#hear(message as FromChild));
    this.#fork.on('error', (error) => this.#fail(error));
    this.#fork.on('close', (code, signal) => this.#die(this.#describeEnd(code, signal)));
    this.#watch = setTimeout(
      () => this.#give(`was not loaded in ${limits.startMillis / 1_000} s and was killed`),
      limits.startMillis,
    );
    this.#say({ type: 'load', program });
  }

  /** Sends one request; the listener gets the response, unless the child dies first. */
  ask(id: number, request: HttpRequest): void {
    this.#say({ type: 'ask', id, request });
  }

  /** Ends the child: SIGTERM, then SIGKILL. Always resolves, after the child has ended. */
  async end(): Promise<void> {
    this.#fork.kill('SIGTERM');
    const impatience = setTimeout(this.#kill, this.#limits.endMillis);
    await this.#gone.promise;
    clearTimeout(impatience);
  }

  #hear(message: FromChild): void {
    if (message.type === 'answered') this.#listener.answered(message.id, message.response);
    else if (message.type === 'beat') this.#missed = 0;
    else if (message.type === 'failed') this.#failure = message.message;
    else this.#live();
  }

  #live(): void {
    clearTimeout(this.#watch);
    this.#watch = setInterval(() => this.#countBeat(), this.#limits.beatMillis);
    this.#listener.loaded(this.#pid());
  }

  // Counts heartbeats instead of measuring time: if the parent was busy or asleep, its own timer is
  // late too.
  #countBeat(): void {
    const { beatMillis, missedBeats } = this.#limits;
    this.#missed += 1;
    if (this.#missed > missedBeats)
      this.#give(
        `froze: it gave no sign of life for ${(beatMillis * missedBeats) / 1_000} s and was killed`,
      );
  }

  #give(reason: string): void {
    this.#killedFor = reason;
    this.#kill();
  }

  #describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.#killedFor !== undefined) return this.#killedFor;
    if (this.#failure !== undefined) return `could not be loaded: ${this.#failure}`;
    const line = this.#lastWords.line();
    return (
      (signal === null ? `exited with code ${code}` : `was killed by ${signal}`) +
      (line === '' ? '' : `: ${line}`)
    );
  }

  // After a start, `close` reports the end; an error then is only a signal or message that was not
  // delivered.
  #fail(error: Error): void {
    if (this.#fork.pid === undefined) this.#die(`could not be started: ${error.message}`);
  }

  #die(reason: string): void {
    if (this.#dead) return;
    this.#dead = true;
    clearTimeout(this.#watch);
    this.#gone.resolve();
    this.#listener.died({ pid: this.#pid(), froze: this.#killedFor !== undefined, reason });
  }

  #say(message: ToChild): void {
    // A broken channel means that the child is ending: `close` reports it.
    this.#fork.send(message, () => undefined);
  }

  #pid(): number {
    return this.#fork.pid ?? 0;
  }
}

/** The file beside this one: TypeScript in the repository, JavaScript in the published package. */
const programFile = fileURLToPath(
  new URL(`./prism-child${extname(import.meta.url)}`, import.meta.url),
);

/** The environment variables that Node needs. */
const passedOn =
  'NODE_COMPILE_CACHE NODE_DISABLE_COMPILE_CACHE PATH SystemRoot TEMP TMP TMPDIR TZ'.split(' ');

/** Starts the child program with a closed stdout; the caller reads its stderr. */
function forkProgram(): ChildProcess {
  return fork(programFile, [], {
    execPath: process.execPath,
    execArgv: [],
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** The environment of the child: only what Node needs, so that secrets stay in the parent. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return membersWhere(environment, (name) => passedOn.includes(name));
}
