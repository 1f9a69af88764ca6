import type { Exchange } from '../check/model/exchange.ts';
import { placeTraffic } from '../check/traffic/place-traffic.ts';
import { type Contract, methods, type Operation } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { emptyBody } from '../http/message.ts';
import { suggestWord } from '../nearest-word.ts';
import type { TestAnswer } from './answer/test-answer.ts';

/** An answer as the checks know it. What was sent is known as far as the client told. */
export function toExchange(answer: TestAnswer, operation?: Operation): Exchange {
  const url =
    answer.url === undefined || !URL.canParse(answer.url) ? undefined : new URL(answer.url);
  const { status, headers, body } = answer;
  return {
    baseUrl: url?.origin ?? 'http://127.0.0.1',
    request: {
      method: answer.method ?? operation?.method ?? 'GET',
      target: url === undefined ? (operation?.path ?? '/') : `${url.pathname}${url.search}`,
      headers: [],
      body: emptyBody,
    },
    response: { status, headers, body },
    durationMs: 0,
  };
}

/**
 * The operation that a test names, or else the one that its request leads to. Throws a VouchError
 * ('usage') where neither says.
 */
export function findOperation(
  contract: Contract,
  name: string | undefined,
  answer: TestAnswer,
): Operation {
  if (name !== undefined) return namedOperation(contract, name);
  const candidates = answer.method === undefined ? methods : [answer.method];
  const found =
    answer.url === undefined
      ? []
      : candidates.flatMap((method) =>
          placeTraffic(
            contract,
            [{ label: 'a test', bodyRecorded: true, exchange: toExchange({ ...answer, method }) }],
            undefined,
          ).placed.map(({ operation }) => operation),
        );
  if (found[0] !== undefined && found.length === 1) return found[0];
  throw unclear(contract, answer, found);
}

function namedOperation({ operations, title }: Contract, name: string): Operation {
  const named = operations.find(
    ({ id, method, path }) => id === name || `${method} ${path}` === name,
  );
  if (named !== undefined) return named;
  throw new VouchError('usage', `${title} has no operation ${name}.`, {
    hint: suggestWord(
      name,
      operations.map(({ id }) => id),
    ),
  });
}

function unclear(
  { title, operations }: Contract,
  { method, url }: TestAnswer,
  found: readonly Operation[],
): VouchError {
  const example = found[0]?.id ?? operations[0]?.id ?? 'operation';
  const hint = `Name it: toMatchContract('${example}').`;
  if (url === undefined)
    return new VouchError('usage', 'This answer does not say what was asked for.', { hint });
  const asked = method === undefined ? url : `${method} ${url}`;
  if (found.length > 1)
    return new VouchError(
      'usage',
      `The answer of ${url} does not say its method, and the contract has ` +
        `${found.map((each) => each.method).join(' and ')} there.`,
      { hint: `Name the operation: toMatchContract('${example}').` },
    );
  return new VouchError('usage', `${title} has no operation for ${asked}.`, { hint });
}
