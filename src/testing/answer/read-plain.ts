import { bytesOf } from './bytes-of.ts';
import { memberOf, toHeaderList, type AnswerKind } from './test-answer.ts';

/**
 * Any object with a status: `{ status, headers, body }`, and what `inject` of Fastify and Hapi
 * answers.
 */
export const plainAnswer: AnswerKind = {
  name: 'an object',
  read(value) {
    const status = memberOf(value, 'status') ?? memberOf(value, 'statusCode');
    if (typeof status !== 'number') return undefined;
    const [method, url] = [memberOf(value, 'method'), memberOf(value, 'url')];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      body: bytesOf(
        memberOf(value, 'rawPayload') ?? memberOf(value, 'payload') ?? memberOf(value, 'body'),
      ),
      ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
      ...(typeof url === 'string' ? { url } : {}),
    };
  },
};
