import { memberOf, toHeaderList, type AnswerKind } from './test-answer.ts';
import { bytesOf } from './bytes-of.ts';

/**
 * supertest's and superagent's answers. Their `text` is what came; their `body` has lost the digits
 * of large integers.
 */
export const supertestAnswer: AnswerKind = {
  name: 'supertest',
  read(value) {
    const status = memberOf(value, 'status');
    const request = memberOf(value, 'req') ?? memberOf(value, 'request');
    if (typeof status !== 'number' || request === undefined || !('redirects' in value))
      return undefined;
    const text = memberOf(value, 'text');
    const [method, url] = [
      memberOf(request, 'method'),
      memberOf(memberOf(value, 'request'), 'url'),
    ];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      // What is no text is handed over as bytes; an empty object stands for nothing at all.
      body: bytesOf(typeof text === 'string' ? text : memberOf(value, 'body'), { empty: 'object' }),
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof url === 'string' ? { url } : {}),
    };
  },
};
