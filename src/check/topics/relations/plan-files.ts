import { tableOf } from '../../../contract/infer/table-path.ts';
import type { LinkField, Operation, Resource } from '../../../contract/model.ts';
import { factIn, operationTexts, responseTexts } from '../../../contract/words/facts.ts';
import { defined, isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import {
  eachMade,
  creatorDraft,
  type Made,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';
import { fileTypes, sampleFile } from '../../plan/upload.ts';

/** What shows that files come back as they were sent. */
export function planFiles(context: PlanContext): Sequence[] {
  return context.drafts.flatMap((draft) => uploads(context, draft));
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
      intent: exoticAt(operation.pointer),
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
function saysSame(operation: Operation): boolean {
  const texts = [...operationTexts(operation), ...operation.responses.flatMap(responseTexts)];
  return factIn(texts, 'keeps-bytes') !== undefined;
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
        expression: shownField(read.operation, made.resource, link.field),
      },
    },
    intent: relationTo(download, { rule: 'leads', of: [title], field: link.field }),
    optional: true,
  });
}

/** A list as CSV: a new record is a row of it, with the values of the record. */
function tables(context: PlanContext, table: Draft): Sequence[] {
  const { operation, names } = table;
  const shown = names.length > 0 ? undefined : tableOf({ resources: eachMade(context) }, operation);
  const create = shown && creatorDraft(context, shown.resource);
  if (shown === undefined || create === undefined) return [];
  const { resource, columns } = shown;
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
      ({ in: location, name: expected, schema }) =>
        location === 'query' &&
        properties.has(expected) &&
        schema.flatten().node.enum !== undefined,
    )
    .map((parameter) => ({
      parameter,
      source: { kind: 'made', step: made.title, resource: name, field: parameter.name },
    }));
}

/** Texts with a comma, a quote and a line end, in the optional free texts of a body. */
function trickyTexts({ body }: Draft, columns: readonly string[] = []): JsonObject {
  const schema = body?.schema;
  if (schema === undefined || !isJsonObject(body?.value)) return {};
  const { value } = body;
  const tricky = [...schema.flatten().properties].filter(([name, place]) => {
    const { node, types } = schema.flatten(place);
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
