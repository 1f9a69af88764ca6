import { type OperationExchange, parsed } from './ask-operations.ts';
import type { ForeignContent, ForeignOperation, ForeignResponse } from './operations.ts';
import type { SchemaJudge } from './schemas.ts';

/** `success` is a documented 2xx or 3xx with a valid body. */
export interface Verdict {
  readonly verdict: 'success' | 'refusal' | 'wrong' | 'unsent' | 'nothing documented';
  readonly reason: string;
}

/** Judges an answer by what the document says of its status, with Ajv. */
export function judgeAnswer(
  operation: ForeignOperation,
  exchange: OperationExchange,
  judge: SchemaJudge,
): Verdict {
  if (!operation.responses.some(({ status }) => /^[23]|^default$/i.test(status)))
    return { verdict: 'nothing documented', reason: 'no success is documented' };
  if ('unsent' in exchange) return { verdict: 'unsent', reason: exchange.unsent };
  const { status, text } = exchange;
  const response = responseOf(operation, status);
  if (status >= 400) return { verdict: 'refusal', reason: `${String(status)} ${titleOf(text)}` };
  if (response === undefined)
    return { verdict: 'wrong', reason: `${String(status)} is not documented` };
  const fault =
    operation.method === 'HEAD' || status === 204
      ? undefined
      : bodyFault(response, exchange, judge);
  return fault === undefined
    ? { verdict: 'success', reason: '' }
    : { verdict: 'wrong', reason: `${String(status)} ${fault}` };
}

function responseOf({ responses }: ForeignOperation, status: number): ForeignResponse | undefined {
  const find = (expected: string): ForeignResponse | undefined =>
    responses.find((each) => each.status.toUpperCase() === expected.toUpperCase());
  return find(String(status)) ?? find(`${String(status)[0] ?? ''}XX`) ?? find('default');
}

function bodyFault(
  { content }: ForeignResponse,
  { mediaType, text }: Exclude<OperationExchange, { unsent: string }>,
  judge: SchemaJudge,
): string | undefined {
  if (content.length === 0) return undefined;
  const essence = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  const media = content.find((each) => matches(each, essence));
  if (media === undefined) return `the media type ${essence || 'none'} is not documented`;
  if (!essence.includes('json')) return undefined;
  const value = parsed(text);
  if (value === undefined)
    return text === '' && media.schema === undefined ? undefined : 'the body is no JSON';
  return media.schema === undefined ? undefined : judge.fault(media.schema, value, 'response');
}

function matches({ mediaType }: ForeignContent, essence: string): boolean {
  const documented = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  const [type = '', subtype = ''] = documented.split('/');
  if (documented === essence || documented === '*/*') return true;
  return subtype === '*' && essence.startsWith(`${type}/`);
}

/** What a refusal says, without what differs from one to the next. */
function titleOf(text: string): string {
  const body = parsed(text);
  const words = JSON.stringify(body ?? text).replaceAll(
    /"(type|instance|status|request_?id|timestamp)":[^,}]*,?/gi,
    '',
  );
  return words.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\/[\w/{}.%:~-]+|\d{2,}/g, '…').slice(0, 140);
}
