import { parseMediaType } from '../../../http/media-type.ts';
import type { LinkField, Operation, Resource } from '../../../contract/model.ts';
import { defined, isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Intent, Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import {
  eachMade,
  creatorDraft,
  draftOn,
  type Made,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';
import { fileTypes, sampleFile } from '../../plan/upload.ts';

/** What shows that files come back as they were sent, and that files of records agree with them. */
export function planFiles(context: PlanContext): Sequence[] {
  return [
    ...context.drafts.flatMap((draft) => uploads(context, draft)),
    ...context.drafts.flatMap((draft) => calendars(context, draft)),
  ];
}

/** What shows that a table has every record: while no other sequence adds any. */
export function planTables(context: PlanContext): Sequence[] {
  return context.drafts.flatMap((draft) => tables(context, draft));
}

/** A file is uploaded for a record, downloaded, replaced, and not that of another record. */
function uploads(context: PlanContext, upload: Draft): Sequence[] {
  const { operation, names } = upload;
  const types = fileTypes(operation);
  const resource = names.at(-1)?.resource;
  const download = context.drafts.find(
    (draft) => draft.operation.path === operation.path && draft.operation.method === 'GET',
  );
  const [first] = types;
  if (!['PUT', 'POST'].includes(operation.method) || first === undefined) return [];
  if (resource === undefined || download === undefined) return [];
  const story = new Story(context, `the file at ${operation.path}`);
  const made = story.make(resource);
  const other = story.make(resource);
  const isExact = saysSame(operation) || saysSame(download.operation);
  const send = (title: string, of: Made, type: string, salt: number): void =>
    story.step(upload, {
      title,
      of: [of],
      body: { kind: 'bytes', mediaType: type, bytes: sampleFile(type, salt) },
      intent: { kind: 'valid', rigour: 'exotic', at: operation.pointer },
    });
  const load = (title: string, uploaded: string, type: string): void =>
    story.step(download, {
      title,
      of: [made],
      intent: relationTo(download, {
        rule: 'same-file',
        of: [uploaded],
        ...doubtfulUnless(isExact || !/^(image|video|audio)\//.test(type)),
      }),
    });
  send('an upload of a file', made, first, 3);
  load('a download of the file', 'an upload of a file', first);
  followShown(story, { made, download, title: 'an upload of a file' });
  const second = types[1] ?? first;
  send('an upload of another file', made, second, 5);
  send('an upload of a file for another record', other, first, 11);
  load('a download after that', 'an upload of another file', second);
  return story.sequences();
}

function doubtfulUnless(isCertain: boolean): { readonly doubtful?: true } {
  return isCertain ? {} : { doubtful: true };
}

/** Whether the contract says that a file comes back as it was sent. */
function saysSame({ description = '', summary = '', responses }: Operation): boolean {
  const texts = [description, summary, ...responses.map((response) => response.description)];
  return texts.some((text) =>
    /\b(same|identical|unchanged|byte|as (they|it) (were|was)|exactly)\b/i.test(text),
  );
}

interface Uploaded {
  readonly made: Made;
  readonly download: Draft;
  readonly title: string;
}

/** The address of a file in its record: it is there after an upload, and leads to the file. */
function followShown(story: Story, { made, download, title }: Uploaded): void {
  const { contract } = story.context;
  const link = contract.resources
    .filter(({ collection }) => collection === made.resource.collection)
    .flatMap(({ links }): readonly LinkField[] => links)
    .find(({ operation }) => operation === download.operation);
  const read = readerOf(story.context, made.resource);
  if (link === undefined || read === undefined) return;
  const shown = 'a read of the record with its file';
  story.read(made, shown, {
    intent: relationTo(read, { rule: 'shown-link', of: [title], field: link.field }),
  });
  story.step(download, {
    title: `a GET of the ${link.field} of the record`,
    of: [made],
    more: {
      address: {
        step: shown,
        operation: read.operation.id,
        expression: `$response.body#/${link.field}`,
      },
    },
    intent: relationTo(download, { rule: 'leads', of: [title], field: link.field }),
    optional: true,
  });
}

/** The media type that an operation answers alone; undefined if it answers others too. */
function answersOnly({ method, responses }: Operation, wanted: string): boolean {
  const content = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap((response) => response.content);
  return (
    method === 'GET' &&
    content.length > 0 &&
    content.every(({ mediaType }) => parseMediaType(mediaType)?.essence === wanted)
  );
}

/** A list as CSV: a new record is a row of it, with the values of the record. */
function tables(context: PlanContext, table: Draft): Sequence[] {
  const { operation, names } = table;
  if (!answersOnly(operation, 'text/csv') || names.length > 0) return [];
  const base = operation.path.replace(/\.csv$|\/[^/{}.]+$/, '');
  const resource = eachMade(context).find(({ collectionPath }) => collectionPath === base);
  const create = resource && creatorDraft(context, resource);
  if (resource === undefined || create === undefined) return [];
  const columns = columnsOf(operation);
  const story = new Story(context, `the table ${operation.path}`);
  const made = story.make(resource, { value: trickyTexts(create, columns) });
  story.step(table, {
    title: 'a CSV with the created record',
    intent: relationTo(table, {
      rule: 'rows',
      of: [made.title],
      ...defined({ field: columns.length === 0 ? undefined : columns.join(',') }),
    }),
  });
  for (const filter of filtersOf(table, resource, made))
    story.step(table, {
      title: `a CSV filtered by ${filter.parameter.name}`,
      extra: [filter],
      intent: relationTo(table, {
        rule: 'rows',
        of: [made.title],
        ...defined({ field: columns.length === 0 ? undefined : columns.join(',') }),
      }),
    });
  return story.sequences();
}

/** The filters of a table by a field with few values, each with that of the created record. */
function filtersOf({ operation }: Draft, { name, record }: Resource, made: Made): Argument[] {
  const { properties } = record.flatten();
  return operation.parameters
    .filter(
      ({ in: place, name: wanted, schema }) =>
        place === 'query' && properties.has(wanted) && schema.flatten().node.enum !== undefined,
    )
    .map((parameter) => ({
      parameter,
      source: { kind: 'made', step: made.title, resource: name, field: parameter.name },
    }));
}

/** The names of columns that a description lists, or the first line of an example. */
function columnsOf({ description = '', responses }: Operation): string[] {
  const listed = /`([\w.-]+(?:,\s?[\w.-]+)+)`/.exec(description)?.[1];
  const [example] = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content.flatMap(({ examples }) => examples))
    .map(({ value }) => value);
  const first = typeof example === 'string' ? example.split(/\r?\n/)[0] : undefined;
  const line = listed ?? (first?.includes(',') === true ? first : undefined);
  return line?.split(',').map((name) => name.trim()) ?? [];
}

/** Texts with a comma, a quote and a line end, in the optional free texts of a body. */
function trickyTexts({ body }: Draft, columns: readonly string[] = []): JsonObject {
  const schema = body?.schema;
  if (schema === undefined || !isJsonObject(body?.value)) return {};
  const { value } = body;
  const tricky = [...schema.flatten().properties].filter(([name, place]) => {
    const { node, types } = schema.flatten(place.node, place.pointer);
    const isFree =
      types.includes('string') &&
      types.length <= 2 &&
      [node.enum, node.pattern, node.format, node.const].every((rule) => rule === undefined) &&
      node.readOnly !== true &&
      !/(id|key|code|slug)$/i.test(name);
    return isFree && (columns.length === 0 || columns.includes(name));
  });
  const texts = Object.fromEntries(tricky.map(([name]) => [name, 'One, "two"; three']));
  return schema.accepts({ ...value, ...texts }, 'request') ? texts : {};
}

/** A calendar of a record: what refers to it is an event of it, until it is deleted. */
function calendars(context: PlanContext, calendar: Draft): Sequence[] {
  const { operation, names } = calendar;
  const parent = names.at(-1)?.resource;
  if (!answersOnly(operation, 'text/calendar') || parent === undefined) return [];
  const child = eachMade(context).find(({ foreignKeys }) =>
    foreignKeys.some(({ resource }) => resource.collection === parent.collection),
  );
  const create = child && creatorDraft(context, child);
  if (child === undefined || create === undefined) return [];
  const story = new Story(context, `the calendar ${operation.path}`);
  const owner = story.make(parent);
  const plain = { value: trickyTexts(create), of: [owner] };
  const made = story.make(child, plain);
  const see = (title: string, of: readonly string[], more: object = {}): void =>
    story.step(calendar, {
      title,
      of: [owner],
      intent: relationTo(calendar, { rule: 'events', of, ...more }) satisfies Intent,
    });
  see('a calendar with what was created', [made.title]);
  const repeated = repeatedValue(create);
  if (repeated !== undefined) {
    const other = story.make(child, { ...plain, value: { ...plain.value, ...repeated } });
    see('a calendar with what is repeated', [made.title, other.title]);
  }
  const remove = draftOn(context, child, 'delete');
  if (remove !== undefined) {
    story.step(remove, { title: 'a deletion of an event', of: [made] });
    see('a calendar after that', [made.title, 'a deletion of an event'], { by: -1 });
  }
  return story.sequences();
}

/** An example of a later period that is repeated; undefined if nothing in the body repeats it. */
function repeatedValue(create: Draft): JsonObject | undefined {
  return recurrenceOf(create)?.value;
}

/** A field of a body that says how often a period is repeated, as RFC 5545 names its members. */
export function recurrenceOf(
  { body }: Draft,
  every: { readonly count: number; readonly interval: number } = { count: 3, interval: 2 },
): { readonly field: string; readonly value: JsonObject } | undefined {
  const schema = body?.schema;
  const value = body?.value;
  if (schema === undefined || !isJsonObject(value)) return undefined;
  for (const [field] of schema.flatten().properties)
    for (const frequency of ['weekly', 'WEEKLY', 'daily', 'DAILY']) {
      if (Object.hasOwn(value, field)) continue;
      const made = laterPeriod(value, { [field]: { frequency, ...every } });
      const isTaken = schema.accepts({ ...value, ...made }, 'request');
      const isWrong = schema.accepts({ ...value, ...made, [field]: { frequency: 'x' } }, 'request');
      if (isTaken && !isWrong) return { field, value: made };
    }
  return undefined;
}

/** The moments of a body one year later, and more members. */
function laterPeriod(value: JsonObject, more: JsonObject): JsonObject {
  const moments = Object.entries(value).flatMap(([name, moment]) =>
    typeof moment === 'string' && /^\d{4}-\d\d-\d\dT/.test(moment)
      ? [[name, `${String(Number(moment.slice(0, 4)) + 1)}${moment.slice(4)}`] as const]
      : [],
  );
  return { ...Object.fromEntries(moments), ...more };
}
