import { hasMethods, toHeaderList, type AnswerKind, type TestAnswer } from './test-answer.ts';
import { defined } from '../../json/defined.ts';

/** What Playwright's `APIResponse` and a page's `Response` have in common. */
interface PlaywrightResponse {
  status(): number;
  url(): string;
  headersArray(): readonly Field[] | Promise<readonly Field[]>;
  body(): Promise<Uint8Array>;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Playwright's answers: of `request`, and those that a page saw. */
export const playwrightAnswer: AnswerKind = {
  name: 'Playwright',
  read(value) {
    // The methods say that it is one; Playwright has no class of its own to compare with.
    return hasMethods(value, 'status', 'headersArray', 'body', 'url')
      ? readResponse(value as PlaywrightResponse, value)
      : undefined;
  },
};

async function readResponse(response: PlaywrightResponse, value: object): Promise<TestAnswer> {
  const fields = await response.headersArray();
  const body = await response.body();
  const method = methodOf(value);
  return {
    status: response.status(),
    headers: toHeaderList(fields.map((field) => [field.name, field.value])),
    body,
    url: response.url(),
    ...defined({ method }),
  };
}

/** Only what a page saw knows its request. */
function methodOf(value: object): string | undefined {
  if (!hasMethods(value, 'request')) return undefined;
  const request: unknown = (value as { request(): unknown }).request();
  const method =
    typeof request === 'object' && request !== null && hasMethods(request, 'method')
      ? (request as { method(): unknown }).method()
      : undefined;
  return typeof method === 'string' ? method : undefined;
}
