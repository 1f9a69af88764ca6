import { VouchError } from '../../errors.ts';
import { hasMethods, toHeaderList, type AnswerKind, type TestAnswer } from './test-answer.ts';
import { defined } from '../../json/defined.ts';

const methods = new WeakMap<Response, string>();

/** A `Response` does not say by which method it was asked for; who sent the request knows. */
export function rememberMethod(response: Response, method: string): Response {
  methods.set(response, method.toUpperCase());
  return response;
}

/**
 * `Response` of the Fetch standard: Node's own, undici's, a browser's. It is cloned, so that the
 * test can still read it.
 */
export const fetchAnswer: AnswerKind = {
  name: 'fetch',
  read(value) {
    if (!hasMethods(value, 'clone', 'arrayBuffer', 'text')) return undefined;
    // The methods say that it is one; another realm's `Response` is no instance of this one's.
    return readResponse(value as Response);
  },
};

async function readResponse(response: Response): Promise<TestAnswer> {
  if (response.bodyUsed)
    throw new VouchError(
      'usage',
      'The body of this response was read already, so nobody can hold it against the contract.',
      { hint: 'Match it before you read it, or match response.clone().' },
    );
  const { status, headers, url } = response;
  const body = new Uint8Array(await response.clone().arrayBuffer());
  const method = methods.get(response);
  return {
    status,
    headers: toHeaderList(headers),
    body,
    ...(url === '' ? {} : { url }),
    ...defined({ method }),
  };
}
