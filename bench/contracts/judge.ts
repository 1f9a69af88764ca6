import { contentForm } from '../../src/http/media-type.ts';
import type { Operation, ResponseSpec } from '../../src/contract/model.ts';
import { selectMediaType, selectResponse } from '../../src/contract/select-response.ts';
import { headerValue, type HttpResponse } from '../../src/http/message.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import type { SecondOpinion } from './second-opinion.ts';

/** What came of one request: an answer that the contract documents and allows, or why not. */
export interface Judgement {
  readonly operation: string;
  readonly status: number | undefined;
  /**
   * `success`: a documented 2xx or 3xx that is valid. `refusal`: a documented valid error.
   * `neither`: everything else.
   */
  readonly verdict: 'success' | 'refusal' | 'neither';
  /** A clause; empty for a success. */
  readonly reason: string;
}

/** Judges an answer by the contract, once with vouch's own model and once with plain Ajv. */
export function judgeAnswer(
  operation: Operation,
  answer: HttpResponse,
  opinion: SecondOpinion,
): Judgement {
  const { status } = answer;
  const documented = selectResponse(operation, status);
  const place = { operation: operation.id, status };
  const described = `${String(status)}${detailOf(answer)}`;
  if (documented === undefined)
    return {
      ...place,
      verdict: 'neither',
      reason: documentsSuccess(operation)
        ? `undocumented ${described}`
        : `the contract documents no success, answered ${described}`,
    };
  const fault = findFault(documented, answer, { opinion, isHead: operation.method === 'HEAD' });
  if (fault !== undefined)
    return {
      ...place,
      verdict: 'neither',
      reason: `${String(status)} is not as documented: ${fault}`,
    };
  if (status < 400) return { ...place, verdict: 'success', reason: '' };
  // A `default` is whatever the service answers; an error under it is documented too.
  return {
    ...place,
    verdict: 'refusal',
    reason:
      status < 500 || documentsSuccess(operation)
        ? `documented ${described}`
        : `the contract documents no success, answered ${described}`,
  };
}

/** Whether an operation says what it answers when all is well. */
function documentsSuccess({ responses }: Operation): boolean {
  return responses.some(({ status }) => /^[23]/.test(status) || status === 'default');
}

function findFault(
  documented: ResponseSpec,
  answer: HttpResponse,
  { opinion, isHead }: { readonly opinion: SecondOpinion; readonly isHead: boolean },
): string | undefined {
  const missing = documented.headers.find(
    ({ name, required }) =>
      required &&
      !/^(content-length|date|transfer-encoding|content-encoding|connection)$/i.test(name) &&
      headerValue(answer.headers, name) === undefined,
  );
  if (missing !== undefined) return `the required header ${missing.name} is missing`;
  if (answer.status === 204 || answer.status === 304)
    return answer.body.length === 0 ? undefined : 'it has a body';
  if (documented.content.length === 0 || isHead) return undefined;
  const type = headerValue(answer.headers, 'content-type');
  if (type === undefined)
    return answer.body.length === 0 ? 'it has no body' : 'it has no media type';
  const entry = selectMediaType(documented.content, type);
  if (entry === undefined) return `its media type is ${type}`;
  if (contentForm(type) !== 'json')
    return answer.body.length === 0 ? 'its body is empty' : undefined;
  const reading = parseJson(answer.body, { duplicateKeys: 'refuse' });
  if (!reading.ok) return 'its body is not JSON';
  if (entry.schema === undefined) return undefined;
  const [issue] = entry.schema.validate(reading.value, 'response');
  if (issue !== undefined) return `its body ${issue.message} at ${issue.pointer}`;
  const second = opinion(entry.schema.pointer, JSON.parse(new TextDecoder().decode(answer.body)));
  return second === undefined ? undefined : `plain Ajv says: ${second}`;
}

function detailOf({ body }: HttpResponse): string {
  const text = new TextDecoder().decode(body.subarray(0, 400)).replaceAll(/\s+/g, ' ');
  return text === '' ? '' : ` ${text.slice(0, 240)}`;
}
