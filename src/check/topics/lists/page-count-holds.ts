import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import type { ListShape, Schema } from '../../../contract/model.ts';
import { fieldSays } from '../../../contract/words/facts.ts';
import { joinPointer, type Pointer, valueAt } from '../../../json/pointer.ts';
import type { Violations } from '../../model/knowledge.ts';
import { countWords, type Step } from '../../model/step.ts';
import { limitOf, type ListPage, pageOf } from '../../reading/list-page.ts';
import { requestedPage, requestsFirstPage } from '../../reading/list-query.ts';
import { namesTotal } from '../../reading/list-total.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { check } from '../check.ts';

const pageNames = /^(totalpages|pagecount|lastpage|pages)$/;
const sizeNames = /^(limit|pagesize|perpage|size)$/;
/** Other numbers of records than the total: those that a filter selects, not those of the page. */
const otherCounts = /filter|(?<!^|^item|^result|^page)count$/;

/** The number of pages that a list shows is that of its total and its page size. */
export const pageCountHolds = check({
  id: 'page-count-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A documented number of pages is the documented total divided by the page size, rounded up; ' +
    'an empty list has no page or one.',
  reason: 'A client that reads up to the last page loses records, or asks for pages without any.',
  example: ['> GET /items?limit=20', '< {"total": 41, "page_count": 2, "items": […]}'],
  confirm: 'once',
  traits: ['lists', 'machinery'],
  intents: ['valid'],
  actions: ['list'],
  mutants: [async () => (await import('./page-mutants.ts')).pageCountMutants(pageNames)],
  inspect(subject) {
    const page = pageOf(subject, subject);
    const told = page && toldBy(subject, page);
    return page && told && miscounted(subject, page, told);
  },
});

function miscounted(step: Step, page: ListPage, told: Told): Violations {
  const { pages, total, name, schema } = told;
  const size = sizeOf(step, page, told);
  if (size === undefined) return [];
  const own = Math.ceil(total / size);
  const others = total === 0 ? [1] : told.others.map((count) => Math.ceil(count / size));
  const numbered = page.resource.list?.paging.filter(({ kind }) => kind === 'page') ?? [];
  const isPossible = [schema, ...numbered.map(({ parameter }) => parameter.schema)].every((one) =>
    one.accepts(Math.max(own, 1), 'response'),
  );
  if (pages === own || others.includes(pages) || !isPossible) return [];
  return {
    at: schema.pointer,
    message:
      `A list shows ${name} ${String(pages)}, and its total of ${countWords(total, 'record')} ` +
      `makes ${countWords(own, 'page')}${total === 0 ? '' : ` of ${String(size)}`}.`,
    expected: total === 0 ? '0 or 1' : String(own),
    actual: String(pages),
    cause: 'count',
  };
}

/**
 * The page size that certainly applies, because the page has as many records, or ends where the
 * total does: a service may cap the size that is asked for, and a later page may show its own.
 */
function sizeOf(
  step: Step,
  { records: { length }, resource }: ListPage,
  { total, size, list }: Told,
): number | undefined {
  const isFirst = requestsFirstPage(list, step);
  if (total === 0) return isFirst ? 1 : undefined;
  const { paging, value } = requestedPage(list, step) ?? {};
  const before = paging?.kind === 'page' ? Number(value) - paging.first : isFirst ? 0 : NaN;
  const asked = limitOf(resource, step)?.value;
  return [asked, size].find(
    (own) =>
      own !== undefined &&
      own >= length &&
      length > 0 &&
      ((length === own && (own === asked || isFirst)) || before * own + length === total),
  );
}

/** What an answer tells of its pages; `others` are numbers of records beside the total. */
interface Told extends Pick<Member, 'name' | 'schema'> {
  readonly list: ListShape;
  readonly pages: number;
  readonly total: number;
  readonly size: number | undefined;
  readonly others: readonly number[];
}

function toldBy({ case: { operation }, answer }: Step, { resource }: ListPage): Told | undefined {
  const { list } = resource;
  const body = jsonOf(answer);
  const isFromZero = list?.paging.some(({ kind, first }) => kind === 'page' && first === 0);
  return successSchema(operation)
    ?.derive(readCounts)
    .flatMap((members) => {
      const shown = members.flatMap((member) => {
        const value = valueAt(body, member.at);
        return Number.isInteger(value) ? [{ ...member, value: Number(value) }] : [];
      });
      const named = (names: RegExp): typeof shown => shown.filter(({ plain }) => names.test(plain));
      const [pages] = named(pageNames);
      const total = shown.find(({ name }) => namesTotal(name))?.value;
      // The last of pages that are counted from 0 is no number of pages.
      const isNumber = pages !== undefined && !(isFromZero === true && pages.plain === 'lastpage');
      if (list === undefined || total === undefined || !isNumber) return [];
      const [size] = named(sizeNames);
      const others = named(otherCounts).map(({ value }) => value);
      return [{ ...pages, list, pages: pages.value, total, size: size?.value, others }];
    })[0];
}

/** A whole number beside the records. */
interface Member {
  readonly name: string;
  readonly plain: string;
  readonly at: Pointer;
  readonly schema: Schema;
}

/** The whole numbers of each object of an answer that shows a number of pages. */
function readCounts(schema: Schema): Member[][] {
  return objectsIn(schema, '', 0).filter((members) =>
    members.some(({ plain }) => pageNames.test(plain)),
  );
}

const deepest = 3;

function objectsIn(around: Schema, above: Pointer, depth: number): Member[][] {
  if (depth > deepest) return [];
  const { properties, branches } = around.flatten();
  const members = [...properties].map(([name, place]) => ({
    name,
    plain: plainName(name),
    at: joinPointer(above, name),
    schema: around.part(place),
  }));
  const counts = members.filter(({ schema }) => {
    const flat = schema.flatten();
    return flat.types.includes('integer') && !fieldSays(flat, 'of-one-page');
  });
  return [
    counts,
    ...members.flatMap(({ at, schema }) => objectsIn(schema, at, depth + 1)),
    ...branches.flatMap((branch) => objectsIn(around.part(branch), above, depth + 1)),
  ];
}
