import type { OutgoingOperation } from '../contract/model.ts';
import type { HttpRequest } from '../http/message.ts';
import type { MaybePromise } from '../store/store.ts';
import type { Clock } from './control/clock.ts';
import type { NearMiss, PastRequest } from './control/near-miss.ts';
import type { Records } from './control/record-browser.ts';
import type { Snapshot } from './control/snapshot.ts';
import type { PathView } from './route/find-operation.ts';
import type { Answer, Mock, MockOptions, ScenarioSwitch } from './mock.ts';
import type { TokenService } from './tokens/token-service.ts';

/**
 * A mock that can be replaced while it serves: requests in progress end on the old mock, and new
 * ones wait for the new mock.
 */
export class ReplaceableMock implements Mock {
  #current: Mock;
  #underWay = 0;
  /** Set during a replacement. */
  #replacing: Promise<void> | undefined;
  #becameIdle: (() => void) | undefined;

  constructor(first: Mock) {
    this.#current = first;
  }

  /**
   * Replaces this mock by the one that `make` makes. If it throws, this mock continues, and the
   * error is rethrown.
   */
  async replace(make: () => Promise<Mock>): Promise<void> {
    while (this.#replacing !== undefined) await this.#replacing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#replacing = promise;
    try {
      if (this.#underWay > 0) await new Promise<void>((idle) => (this.#becameIdle = idle));
      this.#current = await make();
    } finally {
      this.#replacing = undefined;
      resolve();
    }
  }

  get options(): MockOptions {
    return this.#current.options;
  }

  get clock(): Clock {
    return this.#current.clock;
  }

  get tokens(): TokenService | undefined {
    return this.#current.tokens;
  }

  get scenarios(): ScenarioSwitch {
    return this.#current.scenarios;
  }

  get records(): Records {
    return this.#current.records;
  }

  get webhooks(): readonly OutgoingOperation[] {
    return this.#current.webhooks;
  }

  answer(request: HttpRequest): Promise<Answer> {
    return this.#serve((mock) => mock.answer(request));
  }

  view(target: string): PathView | undefined {
    return this.#current.view(target);
  }

  nearMiss(past: PastRequest): NearMiss | undefined {
    return this.#current.nearMiss(past);
  }

  reset(session?: string): Promise<void> {
    return this.#serve((mock) => mock.reset(session));
  }

  sessions(): Promise<readonly string[]> {
    return this.#current.sessions();
  }

  snapshot(session?: string): Promise<Snapshot> {
    return this.#serve((mock) => mock.snapshot(session));
  }

  restore(snapshot: Snapshot, session?: string): Promise<void> {
    return this.#serve((mock) => mock.restore(snapshot, session));
  }

  async #serve<Result>(act: (mock: Mock) => MaybePromise<Result>): Promise<Result> {
    while (this.#replacing !== undefined) await this.#replacing;
    this.#underWay += 1;
    try {
      return await act(this.#current);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#becameIdle?.();
    }
  }
}
