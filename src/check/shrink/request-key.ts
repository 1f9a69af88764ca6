import { stringifyJson } from '../../json/stringify-json.ts';
import type { Case, Sequence } from '../model/case.ts';

/**
 * What a sequence sends, as a text that tells sequences apart. Marks in texts, which differ from
 * case to case, are left out where `mark` is given.
 */
export function requestKey({ cases }: Sequence, mark?: string): string {
  const key = cases.map(caseKey).join('\n');
  return mark === undefined ? key : key.replaceAll(new RegExp(`${mark}[\\w-]*`, 'g'), mark);
}

function caseKey({ operation, request }: Case): string {
  const { arguments: given, body, ...rest } = request;
  const written = given.map(
    ({ parameter, source }) =>
      `${parameter.in} ${parameter.name} ${source.kind === 'value' ? stringifyJson(source.value) : JSON.stringify(source, exactly)}`,
  );
  const bytes =
    body === undefined
      ? ''
      : body.kind === 'bytes'
        ? Buffer.from(body.bytes).toString('base64')
        : stringifyJson(body.value);
  return [operation.id, JSON.stringify(rest), ...written, bytes].join(' ');
}

function exactly(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${String(value)}n` : value;
}
