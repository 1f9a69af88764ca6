import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { alarms, findingsOf, type Service } from './fixture/inline-service.ts';

const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  required,
  properties,
});
const text = { type: 'string' };
const title = { type: 'string', minLength: 1, maxLength: 80 };
const labels = { type: 'array', maxItems: 4, items: { type: 'string', pattern: '^[a-z]{1,12}$' } };
const fields = { title, 'labels[]': labels, note: { type: 'string', maxLength: 80 } };
const task = object({ id: text, title: text, labels: { type: 'array', items: text }, note: text }, [
  'id',
  'title',
  'labels',
]);
const json = (schema: object): object => ({
  description: 'Done',
  content: { 'application/json': { schema } },
});
const form = (schema: object): object => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});
const none = { description: 'Refused' };
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tasks', version: '1', description: 'A PATCH keeps what is left out.' },
    paths: {
      '/tasks': {
        get: { responses: { 200: json({ type: 'array', items: task }) } },
        post: {
          requestBody: form(object(fields, ['title'])),
          responses: { 201: json(task), 400: none },
        },
      },
      '/tasks/{id}': {
        get: { parameters, responses: { 200: json(task), 404: none } },
        patch: {
          parameters,
          requestBody: form(object(fields)),
          responses: { 200: json(task), 400: none, 404: none },
        },
        delete: { parameters, responses: { 204: { description: 'Gone' }, 404: none } },
      },
    },
  }),
  'tasks.json',
);

interface Task {
  readonly id: string;
  title: string;
  labels: string[];
  note?: string;
}

type Quirk = 'decodes twice' | 'keeps the last' | 'empties';

/** Tasks that are sent as forms, as a framework for forms reads them. */
function tasks(quirk?: Quirk): Service {
  const kept = new Map<string, Task>();
  const read = (body: string): Partial<Task> | undefined => {
    const sent = new URLSearchParams(body);
    const all = sent.getAll('labels[]');
    const own = (name: 'title' | 'note'): object => {
      const value = sent.get(name);
      if (value === null) return {};
      return { [name]: quirk === 'decodes twice' ? value.replaceAll('%25', '%') : value };
    };
    const isValid =
      (sent.get('title') ?? 'x') !== '' &&
      ['title', 'note'].every((name) => [...(sent.get(name) ?? '')].length <= 80) &&
      all.length <= 4 &&
      all.every((label) => /^[a-z]{1,12}$/.test(label));
    const isEmptied = quirk === 'empties' && all.length === 0;
    const list = quirk === 'keeps the last' ? all.slice(-1) : all;
    if (!isValid) return undefined;
    return {
      ...own('title'),
      ...own('note'),
      ...(all.length > 0 || isEmptied ? { labels: list } : {}),
    };
  };
  return ({ method, path: [, id], body, header }) => {
    const found = kept.get(id ?? '');
    if (id !== undefined && found === undefined) return { status: 404 };
    if (method === 'GET' || method === 'HEAD')
      return { status: 200, json: found ?? [...kept.values()] };
    if (method === 'DELETE') return { status: kept.delete(id ?? '') ? 204 : 404 };
    const isForm = header('content-type')?.startsWith('application/x-www-form-urlencoded');
    const sent = isForm === true ? read(body) : undefined;
    if (sent === undefined) return { status: 400 };
    if (found !== undefined) return { status: 200, json: Object.assign(found, sent) };
    if (sent.title === undefined) return { status: 400 };
    const made = { labels: [], ...sent, title: sent.title, id: `task-${crypto.randomUUID()}` };
    kept.set(made.id, made);
    return { status: 201, json: made };
  };
}

const errors = async (quirk?: Quirk): Promise<string[]> =>
  alarms(await findingsOf(contract, tasks(quirk)));

describe('records that are sent as forms', () => {
  test('a service that keeps them as they are sent is not accused', async () => {
    expect(await errors()).toEqual([]);
  });

  test.each([
    ['decodes twice', /another title/],
    ['keeps the last', /another labels/],
    ['empties', /^error replaced-is-persisted .*update without labels changed it/],
  ] as const)('a service that %s is found', async (quirk, line) => {
    expect(await errors(quirk)).toContainEqual(expect.stringMatching(line));
  });
});
