import { countPath, numberAt } from '../../../contract/infer/count-path.ts';
import type { ListShape, Operation, Parameter, Resource } from '../../../contract/model.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { capitalise, countWords, roleOf, type Step } from '../../model/step.ts';
import type { Argument } from '../../model/request-template.ts';
import { askCompared } from '../../plan/compared-request.ts';
import { askList, valued, wholeList } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { isWholePage, limitOf, type ListPage, pageOf } from '../../reading/list-page.ts';
import { isFiltered, requestedParameters, requestedSet } from '../../reading/list-query.ts';
import { type ListTotal, pageCountOf, totalOf } from '../../reading/list-total.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { countOf, walkOf } from '../../reading/walk.ts';
import { check } from '../check.ts';
import { expressionsToWalk } from './expression-sequences.ts';
import { type PagedListing, pagedListings } from './page-draft.ts';
import { isSuccess } from '../../../http/message.ts';
import { valueAt } from '../../../json/pointer.ts';
import { namesMore } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Related, RelationFaults } from '../../reading/related.ts';

/** The total of a list is the number of matching records, on every page. */
export const totalHolds = check({
  id: 'total-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A documented total is the number of records that match: it is the same on every ' +
    'page, and equals the number of records if the list is complete or read to its end. A ' +
    'header that counts the records of its answer has their number.',
  reason: 'Page counts, progress bars and sums are computed from the total.',
  example: [
    '> GET /items?limit=1',
    '< {"total": 1, "items": […]}',
    '> GET /items?limit=2',
    '< {"total": 2, "items": […]}',
  ],
  explains: [
    {
      // By its total, a list that leads on has no more records.
      findings: ['page-holds'],
      leads: ({ cause }) => cause === 'page',
      explains: ({ operation }, other) =>
        other.operation === operation && other.cause === 'beyond the end',
    },
    {
      // A wrong total makes another number of pages.
      findings: ['page-count-holds'],
      explains: ({ operation }, other) => other.operation === operation,
    },
  ],
  traits: ['lists', 'machinery'],
  needs: ['largestPages'],
  plan: [{ at: 'lists', all: planCounts }],
  intents: ['valid', 'relation'],
  mutants: [async () => (await import('./page-mutants.ts')).totalMutants],
  relations: { counted: miscountedBeside },
  inspect(subject) {
    const page = pageOf(subject, subject);
    const total = page && totalOf(page.resource, subject);
    const shape = page?.resource.list;
    const own = page && pageCountOf(subject);
    const wrong = page && own && otherThanShown(page, own);
    if (page === undefined || total === undefined || shape === undefined)
      return own && (wrong ?? []);
    return (
      wrong ??
      tooFew(page, total) ??
      changed(subject, total, shape) ??
      miscounted(subject, page, total) ??
      outrun(subject, total) ??
      []
    );
  },
});

/** A number of records in the answer that is not the number of records in it. */
function otherThanShown(
  { records }: ListPage,
  { value, name, pointer }: ListTotal,
): Violation | undefined {
  if (records.length === value) return undefined;
  return {
    at: pointer,
    message:
      `A page holds ${countWords(records.length, 'record')}, ` +
      `and ${name} counts ${String(value)}.`,
    expected: String(records.length),
    actual: String(value),
    basis: 'contract',
    cause: 'own count',
  };
}

function tooFew({ records }: ListPage, { value, name, pointer }: ListTotal): Violation | undefined {
  if (records.length <= value) return undefined;
  return {
    at: pointer,
    message:
      `A page holds ${countWords(records.length, 'record')}, and ${name} says ` +
      `that there are ${String(value)} in all.`,
    expected: `${String(records.length)} or more`,
    actual: String(value),
    cause: 'count',
  };
}

/** Another page of the same records, between two pages that agree, has another total. */
function changed(subject: CheckInput, total: ListTotal, shape: ListShape): Violation | undefined {
  const same = (step: Step): boolean =>
    step.case.operation === subject.operation && pageOf(subject, step) !== undefined;
  const isSameRequest = (step: Step): boolean =>
    same(step) && requestedParameters(step) === requestedParameters(subject);
  const start = subject.earlier.findIndex(isSameRequest);
  const first = subject.earlier[start];
  const page = first && pageOf(subject, first);
  if (
    first === undefined ||
    page === undefined ||
    totalOf(page.resource, first)?.value !== total.value
  )
    return undefined;
  const since = subject.earlier.slice(start + 1);
  // If the same request gets another total, other clients changed the data.
  if (
    since.some((step) => isSameRequest(step) && totalOf(page.resource, step)?.value !== total.value)
  )
    return undefined;
  const others = since.filter((step) => {
    const said =
      same(step) &&
      !isSameRequest(step) &&
      requestedSet(shape, step) === requestedSet(shape, subject)
        ? totalOf(page.resource, step)
        : undefined;
    return said !== undefined && said.value !== total.value;
  });
  const [other] = others;
  if (other === undefined || (others.length < 2 && isNear(page.resource, other, total)))
    return undefined;
  const said = String(totalOf(page.resource, other)?.value);
  return {
    at: total.pointer,
    message:
      `${capitalise(total.name)} changes with the page: ${said} where ` +
      `${other.case.title}, ${String(total.value)} just before and after.`,
    expected: String(total.value),
    actual: said,
    cause: 'page',
    momentary: true,
  };
}

/**
 * One record more or less, which another client may have added and removed between two equal
 * responses; unless it is the number of records on the page.
 */
function isNear(resource: Resource, step: Step, { value }: ListTotal): boolean {
  const said = totalOf(resource, step)?.value ?? value;
  return (
    Math.abs(Number(said) - Number(value)) <= maxOfOthers &&
    said !== listedRecords(resource, step.answer)?.length
  );
}

const maxOfOthers = 3;
const roomy = 3;

/** The number of records in a page that has all matching records. */
function miscounted(
  subject: CheckInput,
  page: ListPage,
  { value, name, pointer }: ListTotal,
): Violation | undefined {
  const limit = limitOf(page.resource, subject)?.value ?? Infinity;
  // With a large margin: the run itself adds records before the suspicion is confirmed.
  if (
    page.records.length >= value ||
    page.records.length * roomy >= limit ||
    !isWhole(subject, page)
  )
    return undefined;
  return {
    at: pointer,
    message:
      `${capitalise(name)} is ${String(value)}, and the whole list has ` +
      `${countWords(page.records.length, 'record')} (${subject.case.title}).`,
    expected: String(page.records.length),
    actual: String(value),
    cause: 'count',
  };
}

/**
 * A filtered page that is complete (the whole list grows during the run), or one with as many
 * records as the list without its first record has, and one more.
 */
function isWhole(subject: CheckInput, page: ListPage): boolean {
  if (isBelowNew(subject) && (isUnpaged(page) || isWholePage(subject, page, subject))) return true;
  const { list } = page.resource;
  const filtered = list !== undefined && isFiltered(list, subject);
  return (filtered && isWholePage(subject, page, subject)) || endsWithRest(subject, page);
}

/** Whether a list stands below a record that the sequence created: no other client adds to it. */
function isBelowNew({ case: { request } }: CheckInput): boolean {
  return request.arguments.some(
    ({ parameter, source }) => parameter.in === 'path' && source.kind === 'made',
  );
}

/** Whether the contract has no way to ask for another page of a list, which is short. */
function isUnpaged({ records, resource: { list } }: ListPage): boolean {
  const isPaged =
    list === undefined || list.limit !== undefined || list.paging.length > 0 || list.links;
  return !isPaged && records.length <= roomy;
}

/** The list without its first record is shorter by one: then no cap cut either of them. */
function endsWithRest(subject: CheckInput, { resource, records }: ListPage): boolean {
  const offset = resource.list?.paging.find(
    ({ kind, parameter }) => kind === 'offset' && /^(offset|skip)$/i.test(parameter.name),
  );
  const [before, rest] = subject.earlier.slice(-2);
  if (
    offset === undefined ||
    before === undefined ||
    rest === undefined ||
    rest.sent.arguments.get(offset.parameter) !== 1
  )
    return false;
  const counts = [before, rest].map((step) => pageOf(subject, step)?.records.length);
  return (
    requestedParameters(before) === requestedParameters(subject) &&
    counts[0] === records.length &&
    counts[1] === records.length - 1
  );
}

/**
 * A walk from the first page to the last, between two requests that agree, that counted more
 * records, or fewer.
 */
function outrun(subject: CheckInput, { value, name, pointer }: ListTotal): Violation | undefined {
  const walk = walkOf(subject);
  const counted = walk && countOf(walk);
  const whole = walk?.after.identifiers;
  if (walk === undefined || counted === undefined || counted === value || whole === undefined)
    return undefined;
  const isQuiet = walk.before.identifiers?.join('\n') === whole.join('\n');
  // `page-holds` reports pages that repeat or omit records.
  const isSame =
    new Set([...whole, ...walk.pages.flatMap(({ identifiers }) => identifiers)]).size ===
      whole.length && whole.length === counted;
  const said = walk.pages.every(({ page, step }) => totalOf(page.resource, step)?.value === value);
  if (!isQuiet || !isSame || !said) return undefined;
  return {
    at: pointer,
    message:
      `${capitalise(name)} is ${String(value)}, and the pages of the list hold ` +
      `${countWords(counted, 'record')} from the first to the last ` +
      `(${subject.case.title}).`,
    expected: String(counted),
    actual: String(value),
    cause: 'count',
    momentary: true,
  };
}

/**
 * The number of records that a list is asked for beside a short page (`$count=true`), and the one
 * that a path below it answers (`/things/$count`): of all records, and of those of a filter.
 */
function planCounts(context: PlanContext): Sequence[] {
  return pagedListings(context).flatMap((paged) => {
    const { listing } = paged;
    const whole = wholeList(listing, 'the list is asked for, before its count');
    const [filter] = expressionsToWalk(listing);
    const counted = [whole, ...countsOf(context, paged, { of: whole, query: [] })];
    const sequences = [counted];
    if (filter !== undefined) {
      const { words, query } = filter;
      const part = askList(listing, {
        title: `the list is asked for${words}`,
        query,
        at: query[0]?.parameter.pointer,
        rigour: 'exotic',
      });
      sequences.push([whole, part, ...countsOf(context, paged, { of: part, query })]);
    }
    return sequences.filter(hasCount).map((cases) => makeSequence(...cases));
  });
}

function hasCount(cases: readonly Case[]): boolean {
  return cases.some(({ intent }) => intent.kind === 'relation');
}

function countsOf(
  context: PlanContext,
  { listing, pages }: PagedListing,
  { of, query }: { readonly of: Case; readonly query: readonly Argument[] },
): Case[] {
  const { draft } = listing;
  const flag = valued(pages.count?.parameter, true);
  const short = valued(pages.bound, 1);
  const beside =
    flag.length === 0
      ? []
      : [
          askCompared(draft, {
            rule: 'counted',
            of: [of],
            query: [...query, ...flag, ...short],
            title: 'the number of all records is asked for beside a page of one',
            at: pages.count?.parameter.pointer,
          }),
        ];
  const path = draftOf(context, countPath(context.contract.operations, draft.operation));
  const arguments_ =
    path !== undefined && takesUsual(path.operation, draft.operation)
      ? matching(path.operation, query)
      : undefined;
  const below =
    path === undefined || arguments_ === undefined
      ? []
      : [
          askCompared(path, {
            rule: 'counted',
            of: [of, ...beside],
            query: arguments_,
            title: 'the path that counts the records is asked',
          }),
        ];
  return [...beside, ...below];
}

/** Whether a count leaves out what its list leaves out unasked: `status`, by default `open`. */
function takesUsual(count: Operation, { parameters }: Operation): boolean {
  const usual = parameters.filter(
    ({ in: location, schema }) =>
      location === 'query' && typeof schema.flatten().node.default === 'string',
  );
  return usual.every(({ name, schema }) =>
    count.parameters.some(
      (other) =>
        other.name === name &&
        other.schema.flatten().node.default === schema.flatten().node.default,
    ),
  );
}

/** The arguments of a list for the operation that counts it; undefined if it takes not all. */
function matching(
  { parameters }: Operation,
  query: readonly Argument[],
): readonly Argument[] | undefined {
  const own = (expected: Parameter): Parameter | undefined =>
    parameters.find(({ in: location, name }) => location === expected.in && name === expected.name);
  const found = query.flatMap(({ parameter, source }) => {
    const same = own(parameter);
    return same === undefined ? [] : [{ parameter: same, source }];
  });
  return found.length === query.length ? found : undefined;
}

/**
 * A count that is missing, that differs from the one which the list itself shows, or that is not
 * the number of records in the list: at least as many if the list is only a part of them.
 */
function miscountedBeside(related: Related): RelationFaults {
  const [list, beside] = related.of;
  const shown =
    beside && countIn({ ...related.subject, ...beside, operation: beside.case.operation });
  const found = countIn(related.subject);
  const isSuccessful = isSuccess(related.status);
  if (list === undefined || shown === undefined || found === undefined || !isSuccessful)
    return countFault(related);
  if (shown === found) return [];
  return {
    message:
      `${related.subject.operation.id} counts ${countWords(found, 'record')}, and the list ` +
      `says that there are ${String(shown)}.`,
    expected: String(shown),
    actual: String(found),
    cause: 'count',
    momentary: true,
  };
}

/**
 * A count that is missing, or that is not the number of records in the list: at least as many if
 * the list is only a part of them.
 */
function countFault({ subject, of, status }: Related): RelationFaults {
  const [list] = of;
  const resource = list && roleOf(subject.contract, list.case.operation)?.resource;
  const records = resource && listedRecords(resource, list.answer);
  if (list === undefined || records === undefined || !isSuccess(status)) return undefined;
  const isPart = namesMore(list);
  const found = countIn(subject);
  const least = `${isPart ? 'at least ' : ''}${String(records.length)}`;
  if (found === undefined)
    return {
      message: `${subject.operation.id} shows no number of records, where it is asked for one.`,
      expected: least,
      actual: 'no number',
      cause: 'no count',
      momentary: true,
    };
  const isRight = isPart ? found >= records.length : found === records.length;
  if (isRight) return [];
  return {
    message:
      `${subject.operation.id} counts ${String(found)}, and the same list has ` +
      `${isPart ? 'a page of ' : ''}${countWords(records.length, 'record')}.`,
    expected: least,
    actual: String(found),
    cause: 'count',
    momentary: true,
  };
}

/** The number in an answer: where the contract shows it in a list, or all of the answer. */
function countIn(subject: CheckInput): number | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const at = resource && pagesOf(subject, resource)?.count?.at;
  const { answer } = subject;
  const value =
    answer.kind === 'bytes'
      ? new TextDecoder().decode(answer.bytes).trim()
      : valueAt(jsonOf(answer), at ?? numberAt(subject.operation) ?? '');
  const count = Number(value === undefined || value === null || value === '' ? NaN : value);
  return Number.isInteger(count) ? count : undefined;
}
