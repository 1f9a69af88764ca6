import { bytesOf } from './bytes-of.ts';
import { memberOf, toHeaderList, type AnswerKind } from './test-answer.ts';

const texts = new WeakMap<object, string>();

/**
 * For axios: `axios.create({ transformResponse: keepText })`. It parses JSON as axios does, and
 * remembers the text that came, so that integers beyond 2^53 are judged by their own digits. A text
 * that is no JSON is handed on as it is.
 */
export function keepText(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) texts.set(parsed, text);
    return parsed;
  } catch {
    return text;
  }
}

/** axios' answers: those of a client that was told to keep the text are judged exactly. */
export const axiosAnswer: AnswerKind = {
  name: 'axios',
  read(value) {
    const [status, config, data] = [
      memberOf(value, 'status'),
      memberOf(value, 'config'),
      memberOf(value, 'data'),
    ];
    if (
      typeof status !== 'number' ||
      typeof config !== 'object' ||
      config === null ||
      !('data' in value)
    )
      return undefined;
    const [method, url, base] = [
      memberOf(config, 'method'),
      memberOf(config, 'url'),
      memberOf(config, 'baseURL'),
    ];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      body: bytesOf(typeof data === 'object' && data !== null ? (texts.get(data) ?? data) : data),
      ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
      ...(typeof url === 'string' ? { url: wholeUrl(url, base) } : {}),
    };
  },
};

/** As axios puts them together: a base does not end where its last slash stands. */
function wholeUrl(url: string, base: unknown): string {
  return typeof base !== 'string' || /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? url
    : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}
