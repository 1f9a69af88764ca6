import type { Resource } from '../../../contract/model.ts';
import { valueAt } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../../json/value.ts';
import { type OpenList, openListOf } from '../../../contract/infer/open-lists.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { isSuccess } from '../../../http/message.ts';
import type { Step } from '../../model/step.ts';
import { namesMore } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';

/** A page of a walk, the whole list, and what the pages before it showed. */
interface WalkedPage {
  readonly records: readonly JsonObject[];
  readonly keys: readonly string[];
  readonly whole: readonly JsonObject[];
  readonly wholeKeys: readonly string[];
  /** Whether the whole list names no next page. */
  readonly isComplete: boolean;
  readonly seen: readonly string[];
  readonly namesNext: boolean;
  readonly isExact: boolean;
  readonly isProjected: boolean;
  readonly title: string;
}

/** What is wrong with a page that is compared with the whole list and with the pages before it. */
export function wrongPage(related: Related): RelationFaults {
  const walked = readWalk(related);
  if (walked === undefined) return undefined;
  const fault =
    otherFields(walked) ??
    foreign(walked) ??
    repeated(walked) ??
    misplaced(walked) ??
    ending(walked);
  return fault === undefined ? [] : { momentary: true, ...fault };
}

function readWalk({ subject, resource, intent, of, status }: Related): WalkedPage | undefined {
  const open = openListOf(subject.contract, subject.operation);
  const [list, ...before] = of;
  if (list === undefined || !isSuccess(status)) return undefined;
  const shown = ({ answer }: Step): readonly JsonObject[] | undefined =>
    resource === undefined ? openItems(open, answer) : listedRecords(resource, answer);
  const [records, whole] = [subject, list].map(shown);
  if (records === undefined || whole === undefined) return undefined;
  const isNamed = [...records, ...whole].every((one) => keyOf(resource, one) !== undefined);
  const read = (some: readonly JsonObject[]): string[] =>
    some.map((one) => (isNamed ? keyOf(resource, one) : undefined) ?? stringifyJson(one));
  const seen = before.flatMap((step) => read(shown(step) ?? []));
  const wholeKeys = read(whole);
  // Records that cannot be told apart show nothing of their places.
  if (new Set(wholeKeys).size < wholeKeys.length) return undefined;
  return {
    records,
    whole,
    keys: read(records),
    wholeKeys,
    seen,
    isComplete: !namesMore(list),
    namesNext: namesMore(subject),
    isExact: (resource === undefined ? open : pagesOf(subject, resource))?.isExact === true,
    isProjected: intent.field === 'fields',
    title: subject.case.title,
  };
}

/** The items of a list that is no resource, each as an object. */
function openItems(
  open: OpenList | undefined,
  answer: Step['answer'],
): readonly JsonObject[] | undefined {
  const items = open && valueAt(jsonOf(answer), open.items);
  if (!isJsonArray(items ?? null)) return undefined;
  return [items ?? []].flat().map((item: JsonValue) => (isJsonObject(item) ? item : { item }));
}

function keyOf(resource: Resource | undefined, record: JsonObject): string | undefined {
  const value = resource && record[resource.identifier.field];
  return value === undefined || value === null ? undefined : String(value);
}

/** A page that shows more of a record than the list with the same fields does. */
function otherFields({
  isProjected,
  records,
  whole,
  seen,
  title,
}: WalkedPage): RelationFault | undefined {
  if (!isProjected || seen.length === 0) return undefined;
  const shown = new Set(whole.flatMap((record) => Object.keys(record)));
  const more = records.flatMap((record) => Object.keys(record)).find((name) => !shown.has(name));
  if (more === undefined) return undefined;
  return {
    message: `Where ${title}, its records have ${more}, which nobody asked for.`,
    expected: [...shown].join(', '),
    actual: `also ${more}`,
    cause: 'next page shows other fields',
  };
}

function repeated({ keys, seen, title }: WalkedPage): RelationFault | undefined {
  const again = keys.find((key, at) => seen.includes(key) || keys.indexOf(key) !== at);
  if (again === undefined) return undefined;
  return {
    message: `Where ${title}, ${again} is shown, which a page before it has shown.`,
    expected: 'the records that come after those of the page before',
    actual: `${again} again`,
    cause: 'twice',
  };
}

/** A record that the whole list does not have: one that its filter leaves out, or that is gone. */
function foreign({ keys, wholeKeys, isComplete, title }: WalkedPage): RelationFault | undefined {
  const other = isComplete ? keys.find((key) => !wholeKeys.includes(key)) : undefined;
  if (other === undefined) return undefined;
  return {
    message: `Where ${title}, ${other} is shown, which the list without pages does not have.`,
    expected: `${String(wholeKeys.length)} records on all pages`,
    actual: `also ${other}`,
    cause: 'other records',
  };
}

/** A record in the place of another one of the whole list. */
function misplaced({ keys, wholeKeys, seen, title }: WalkedPage): RelationFault | undefined {
  const expected = wholeKeys.slice(seen.length, seen.length + keys.length);
  const at = expected.findIndex((key, index) => key !== keys[index]);
  if (at === -1) return undefined;
  const [missing = '', shown = ''] = [expected[at], keys[at]];
  return {
    message: `Where ${title}, ${shown} is shown, and not ${missing}, which the list has there.`,
    expected: missing,
    actual: shown,
    cause: 'left out',
  };
}

/** A page before the last that names no next one, or the last that does. */
function ending(page: WalkedPage): RelationFault | undefined {
  const { keys, wholeKeys, seen, isComplete, namesNext, isExact, title } = page;
  const count = seen.length + keys.length;
  const next = wholeKeys[count];
  if (!namesNext && next !== undefined)
    return {
      message: `Where ${title}, it names no next page, and ${next} comes after it in the list.`,
      expected: 'a next page',
      actual: 'none',
      cause: 'ends early',
      isShort: true,
    };
  if (!namesNext || !isComplete || !isExact || count < wholeKeys.length || keys.length === 0)
    return undefined;
  return {
    message: `Where ${title}, it names a next page, and has the last record of the list.`,
    expected: 'no next page',
    actual: 'a next page',
    cause: 'beyond the end',
  };
}

/** A link to the first or to the last page that leads to another one. */
export function wrongLink({ subject, resource, intent, of, status }: Related): RelationFaults {
  const [list, first] = of;
  if (resource === undefined || list === undefined || first === undefined) return undefined;
  const read = (step: Step): string[] | undefined =>
    listedRecords(resource, step.answer)?.map((one) => keyOf(resource, one) ?? '');
  const [whole, begin] = [read(list), read(first)];
  const shown = isSuccess(status) ? read(subject) : undefined;
  if (whole === undefined || begin === undefined || shown === undefined || namesMore(list))
    return undefined;
  const relation = intent.field ?? '';
  const expected = relation === 'first' ? begin : whole.slice(-shown.length);
  const isRight =
    shown.join('\n') === expected.join('\n') && (shown.length > 0 || whole.length === 0);
  if (isRight) return [];
  const end = relation === 'first' ? begin[0] : whole.at(-1);
  return {
    message: `The link to the ${relation} page leads to a page without ${end ?? 'its records'}.`,
    expected: `a page with ${end ?? 'no records'}`,
    actual: shown.length === 0 ? 'no records' : shown.join(', '),
    momentary: true,
  };
}
