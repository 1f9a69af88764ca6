import { headerValue, type HttpRequest } from '../../src/http/message.ts';
import type { Answer, Mock } from '../../src/mock/mock.ts';

/** A mock that keeps what it was asked, for a test to look at. */
export interface FakeMock extends Mock {
  readonly requests: HttpRequest[];
  /** Resolves with the first request. */
  readonly asked: Promise<void>;
  readonly resets: number;
}

/** What the echoing mock says of a request. */
export interface Echo {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** A mock that answers as it is told, and by echoing the request where it is told nothing. */
export function fakeMock(answer: (request: HttpRequest) => Promise<Partial<Answer>> | Partial<Answer> = () => ({})): FakeMock {
  const requests: HttpRequest[] = [];
  const first = makeGate();
  let resets = 0;
  return {
    requests,
    asked: first.opened,
    get resets() {
      return resets;
    },
    async answer(request) {
      requests.push(request);
      first.open();
      return { ...echo(request), ...(await answer(request)) };
    },
    async reset() {
      resets += 1;
    },
  };
}

function echo({ method, target, headers, body }: HttpRequest): Answer {
  const text = JSON.stringify({ method, target, headers, body: Buffer.from(body).toString('latin1') });
  const operation = headerValue(headers, 'X-Operation');
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(text),
    delayMs: 0,
    ...(operation === undefined ? {} : { operation }),
  };
}

/** A promise that a test keeps in its hands. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}
