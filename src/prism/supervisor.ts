import { VouchError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { PrismLimits, PrismProgram } from './child-messages.ts';
import { type Death, PrismChild } from './child.ts';

/** The number of deaths within `fatalMillis` after which Prism is not restarted. */
const fatalDeaths = 5;
const fatalMillis = 30_000;
const firstPauseMillis = 100;
const longestPauseMillis = 2_000;

/** How to start a child, and when to give up. */
export interface SupervisorOptions {
  readonly program: PrismProgram;
  readonly limits: PrismLimits;
  readonly onEvent: (event: PrismEvent) => void;
}

interface Question {
  readonly request: HttpRequest;
  readonly answer: (response: HttpResponse) => void;
  readonly deadline: NodeJS.Timeout;
  sent: boolean;
}

/**
 * Keeps one child alive and forwards requests to it: every request gets a response in time, even if
 * the child dies.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #questions = new Map<number, Question>();
  readonly #firstLoad = Promise.withResolvers<void>();
  #child: PrismChild | undefined;
  #started = false;
  #loaded = false;
  #launchedAt = 0;
  #launches = 0;
  #questionCount = 0;
  #deaths: number[] = [];
  #pause: NodeJS.Timeout | undefined;
  #over: string | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The number of restarts after a death. */
  get restarts(): number {
    return Math.max(0, this.#launches - 1);
  }

  /**
   * Starts the first child; rejects with `prism-failed` if it dies before it has loaded the
   * contract.
   */
  start(): Promise<void> {
    this.#launch();
    return this.#firstLoad.promise;
  }

  /**
   * Prism's response, or a problem of status 502 or 504 that says why there is none. Never rejects;
   * waits for a restart.
   */
  ask(request: HttpRequest): Promise<HttpResponse> {
    if (this.#over !== undefined) return Promise.resolve(notRunning(this.#over));
    const { promise, resolve } = Promise.withResolvers<HttpResponse>();
    const { answerMillis } = this.#options.limits;
    const id = (this.#questionCount += 1);
    const deadline = setTimeout(() => this.#answer(id, tooSlow(answerMillis)), answerMillis);
    this.#questions.set(id, { request, answer: resolve, deadline, sent: false });
    if (this.#loaded) this.#sendAll();
    return promise;
  }

  /** Ends the child for good. Always resolves, after the child has ended. */
  async close(): Promise<void> {
    this.#finish('it was stopped.');
    clearTimeout(this.#pause);
    await this.#child?.end();
  }

  #launch(): void {
    const { program, limits } = this.#options;
    this.#launches += 1;
    this.#launchedAt = performance.now();
    try {
      this.#child = new PrismChild(program, limits, {
        loaded: (pid) => this.#resume(pid),
        answered: (id, response) => this.#answer(id, response),
        died: (death) => this.#mourn(death),
      });
    } catch (error) {
      // Reached if the system cannot start another process, such as without memory.
      this.#mourn({
        pid: 0,
        froze: false,
        reason: `could not be started: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }

  #resume(pid: number): void {
    const millis = Math.round(performance.now() - this.#launchedAt);
    const { onEvent } = this.#options;
    this.#started = true;
    this.#loaded = true;
    this.#firstLoad.resolve();
    if (this.restarts === 0) onEvent({ type: 'started', pid, millis });
    else onEvent({ type: 'restarted', pid, millis, restarts: this.restarts });
    this.#sendAll();
  }

  #sendAll(): void {
    for (const [id, question] of this.#questions) {
      if (!question.sent) this.#child?.ask(id, question.request);
      question.sent = true;
    }
  }

  #answer(id: number, response: HttpResponse): void {
    const question = this.#questions.get(id);
    if (question === undefined) return;
    this.#questions.delete(id);
    clearTimeout(question.deadline);
    question.answer(response);
  }

  #mourn(death: Death): void {
    this.#child = undefined;
    this.#loaded = false;
    if (this.#over !== undefined) return;
    if (!this.#started) return this.#failStart(death);
    this.#options.onEvent({ type: 'died', pid: death.pid, reason: death.reason });
    this.#blame(death);
    this.#launchAgain(death);
  }

  #failStart(death: Death): void {
    this.#finish(`it ${death.reason}.`);
    this.#firstLoad.reject(
      new VouchError('prism-failed', `Prism ${death.reason}.`, {
        hint: death.froze
          ? 'Prism is slow for a contract with many references between schemas. ' +
            'Leave Prism out: the mock works without it.'
          : 'Run `vouch lint` to see whether the contract is valid, or leave Prism ' +
            'out: the mock works without it.',
      }),
    );
  }

  // The child answers in order, so the oldest request caused its death. Prism is stateless: the
  // other requests are sent again.
  #blame(death: Death): void {
    const oldest = [...this.#questions].find(([, question]) => question.sent);
    for (const question of this.#questions.values()) question.sent = false;
    if (oldest !== undefined) this.#answer(oldest[0], diedOf(death));
  }

  #launchAgain({ reason }: Death): void {
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((time) => now - time < fatalMillis), now];
    const deaths = this.#deaths.length;
    if (deaths < fatalDeaths) {
      this.#pause = setTimeout(
        () => this.#launch(),
        Math.min(firstPauseMillis * 2 ** (deaths - 1), longestPauseMillis),
      );
      return;
    }
    this.#finish(
      `it died ${deaths} times in ${fatalMillis / 1_000} s and was not started ` +
        `again. The last time it ${reason}.`,
    );
    this.#options.onEvent({ type: 'gave-up', deaths, reason });
  }

  #finish(why: string): void {
    this.#over ??= why;
    for (const id of this.#questions.keys()) this.#answer(id, notRunning(this.#over));
  }
}

function notRunning(why: string): HttpResponse {
  return problemResponse(502, `Prism does not answer: ${why}`);
}

function tooSlow(millis: number): HttpResponse {
  return problemResponse(504, `Prism gave no answer in ${millis / 1_000} s.`);
}

function diedOf({ froze, reason }: Death): HttpResponse {
  const detail =
    `On this request Prism ${reason}. The same request would do it again; ` +
    'others are answered as soon as Prism is back.';
  return problemResponse(froze ? 504 : 502, detail);
}

export type PrismEvent =
  | { readonly type: 'started'; readonly pid: number; readonly millis: number }
  /** The child ended unexpectedly; `reason` continues "Prism": "was killed by SIGKILL". */
  | { readonly type: 'died'; readonly pid: number; readonly reason: string }
  | {
      readonly type: 'restarted';
      readonly pid: number;
      readonly millis: number;
      readonly restarts: number;
    }
  /** The child died too often and is not restarted; `reason` is that of the last death. */
  | { readonly type: 'gave-up'; readonly deaths: number; readonly reason: string };
