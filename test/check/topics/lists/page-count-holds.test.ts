import { expect, test } from 'vitest';
import { pageCountHolds } from '../../../../src/check/topics/lists/page-count-holds.ts';
import { type Asked, type Crud, crud, text } from '../../fixture/crud/crud.ts';
import type { Answered } from '../../fixture/inline-service.ts';
import { talk } from '../../fixture/talk.ts';

type Form = 'plain' | 'envelope' | 'about';
type Count = (total: number, size: number, page: number) => number;
const sound: Count = (total, size) => Math.ceil(total / size);
const list = "{ type: array, items: { $ref: '#/components/schemas/Book' } }";
const integers = (...names: string[]): string =>
  names.map((name) => `${name}: { type: integer }`).join(', ');
const schemas: Readonly<Record<Form, string>> = {
  plain: `items: ${list}, ${integers('total', 'totalPages', 'filtered_count')}`,
  about: `items: ${list}, ResultInfo: { type: object,
    properties: { ${integers("'@TotalResources'", "'@TotalPages'")} } }`,
  envelope: `data: { type: object, properties: { list: ${list}, page: { type: object,
    properties: { ${integers('page', 'page_size', 'page_count', 'total_count')} } } } }`,
};

/** Seven books in pages of four, or as many as a client asks for: five at most. */
function books(form: Form, count: Count): Crud {
  const whole = { type: 'integer', minimum: 1 };
  const asked = { page: whole, page_size: { ...whole, maximum: 500, default: 4 } };
  const start = Array.from({ length: 7 }, (_, at) => ({ id: `b${String(at)}`, title: 'A title' }));
  return crud(
    { Book: { fields: { title: text }, can: 'list create read delete', query: asked } },
    (rows) => {
      rows('books').push(...start);
      const show = (query: URLSearchParams, all: readonly unknown[]): object => {
        const page = Number(query.get('page') ?? 1);
        const size = Math.min(Number(query.get('page_size') ?? 4), 5);
        const items = all.slice((page - 1) * size, page * size);
        const [total, pages] = [all.length, count(all.length, size, page)];
        if (form === 'plain') return { items, total, totalPages: pages };
        if (form === 'about')
          return { items, ResultInfo: { '@TotalResources': total, '@TotalPages': pages } };
        const about = { page, page_size: size, page_count: pages, total_count: total };
        return { data: { list: items, page: about } };
      };
      const listBooks = ({ call, sound: answer }: Asked): Answered => {
        const { status, json } = answer();
        return Array.isArray(json) ? { status, json: show(call.query, json) } : { status };
      };
      return { on: { listBooks } };
    },
    { schemas: `Books: { type: object, properties: { ${schemas[form]} } }` },
  );
}

const wrong = [expect.stringMatching(/^error page-count-holds listBooks: A list shows \S+ \d+, /)];

test.each<[Form, string, Count, unknown[]]>(
  (['plain', 'envelope', 'about'] as const).flatMap((form): [Form, string, Count, unknown[]][] => [
    [form, 'leaves out a last page that is not full', (all, size) => Math.floor(all / size), wrong],
    [form, 'is that of the pages left', (all, size, page) => sound(all, size, 1) - page + 1, wrong],
    [form, 'is that of the default size', (total) => Math.ceil(total / 4), wrong],
    [form, 'is right, also where the service caps the size', sound, []],
    [form, 'is right, and one for no record', (...of) => Math.max(1, sound(...of)), []],
  ]),
)(
  'a number of pages (%s) that %s is an error only if it is wrong',
  async (form, _what, count, expected) => {
    expect(await books(form, count).alarms()).toEqual(expected);
  },
);

test.each<[string, string, number, object, string]>([
  ['is too low', '?page_size=3', 3, { total: 7, totalPages: 2 }, 'count 3'],
  ['is wrong on the last', '?page=3&page_size=3', 1, { total: 7, totalPages: 1 }, 'count 3'],
  ['is two without a record', '', 0, { total: 0, totalPages: 2 }, 'count 0 or 1'],
  ['is none without a record', '', 0, { total: 0, totalPages: 0 }, ''],
  ['may be that of a cap', '?page_size=9', 5, { total: 12, totalPages: 3 }, ''],
  ['is behind the end', '?page=9&page_size=3', 0, { total: 7, totalPages: 0 }, ''],
  ['is that of a filter', '', 4, { total: 9, filtered_count: 5, totalPages: 2 }, ''],
  ['has no total', '', 4, { totalPages: 2 }, 'not judged'],
])(
  'a number of pages that %s is an error only if total and size contradict it',
  (_what, query, length, told, expected) => {
    const said = (ask: string, count: number, more: object) => ({
      ask: `GET /books${ask}`,
      answer: { items: Array.from({ length: count }, (_, at) => ({ id: String(at) })), ...more },
    });
    const first = said('?page_size=9', 5, { total: 11, totalPages: 3 });
    const found = pageCountHolds.inspect(
      talk(books('plain', sound).contract, [first, said(query, length, told)]),
    );
    const lines = found?.map((one) => `${one.cause ?? ''} ${one.expected}`) ?? ['not judged'];
    expect(lines.join()).toBe(expected);
  },
);
