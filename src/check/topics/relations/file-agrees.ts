import { parseMediaType } from '../../../http/media-type.ts';
import { headerValue, isSuccess } from '../../../http/message.ts';
import { type JsonObject, type JsonValue, defined, isJsonObject } from '../../../json/value.ts';
import { type Answer, showValue, type Step } from '../../model/step.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { readTable } from './read-table.ts';
import { otherStatus, type Related, type RelationFault } from '../../reading/related.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { tableOf } from '../../../contract/infer/table-path.ts';
import type { LinkField, Operation, Resource } from '../../../contract/model.ts';
import { factIn, operationTexts, responseTexts } from '../../../contract/words/facts.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import type { Made } from '../../plan/story.ts';
import { eachMade, creatorDraft, readerOf, relationTo, Story } from '../../plan/story.ts';
import { fileTypes, sampleFile } from '../../plan/upload.ts';

/** A download is what was uploaded, and a table has the records that it shows. */
export const fileAgrees = check({
  id: 'file-agrees',
  basis: 'contract',
  harm: 'results',
  rule:
    'A file comes back byte for byte with its media type, and a CSV has the records of the ' +
    'service with their values.',
  reason:
    'A file that comes back damaged is lost, and a table without some of the records leads to ' +
    'wrong accounts.',
  example: [
    '> PUT /items/7/photo',
    '> Content-Type: image/png   (2,670 bytes)',
    '< 204 No Content',
    '> GET /items/7/photo',
    '< Content-Type: image/png   (5,286 bytes)',
  ],
  plan: [
    { at: 'stories', each: uploads },
    { at: 'stories alone', each: tables },
  ],
  mutants: [async () => (await import('./file-mutants.ts')).fileMutants],
  covers: ['status-documented'],
  relations: { 'same-file': otherFile, rows: otherRows },
});

function fault(message: string, expected: string, actual: string, cause: string): RelationFault[] {
  return [{ message, expected, actual, cause }];
}

function refused(related: Related): RelationFault[] | undefined {
  if ([401, 403].includes(related.status)) return undefined;
  return [{ ...otherStatus(related, 'the file'), cause: 'refused' }];
}

function bytesOf(answer: Answer): Uint8Array | undefined {
  if (answer.kind === 'bytes') return answer.bytes;
  return answer.kind === 'empty' ? new Uint8Array() : undefined;
}

function otherFile(related: Related): RelationFault[] | undefined {
  const { subject, status } = related;
  const [upload] = related.of;
  if (!isSuccess(status)) return refused(related);
  const sent = upload?.exchange.request;
  const bytes = bytesOf(subject.answer);
  if (sent === undefined || bytes === undefined) return undefined;
  const [expected, got] = [
    headerValue(sent.headers, 'content-type'),
    headerValue(subject.exchange.response?.headers ?? [], 'content-type'),
  ].map((type) => parseMediaType(type ?? '')?.essence ?? 'none');
  if (expected !== got)
    return fault(
      `A file that was uploaded as ${String(expected)} is downloaded as ${String(got)}.`,
      String(expected),
      String(got),
      'media type',
    );
  if (Buffer.from(bytes).equals(Buffer.from(sent.body))) return [];
  const sizes = [sent.body.length, bytes.length].map((size) => `${String(size)} bytes`);
  const how = sizes[0] === sizes[1] ? 'other bytes' : String(sizes[1]);
  return fault(
    `A download differs from the file of ${String(sizes[0])} that was uploaded: it has ${how}.`,
    'the bytes that were uploaded',
    how,
    'bytes',
  );
}

function textOf({ answer }: CheckInput): string | undefined {
  const bytes = bytesOf(answer);
  return bytes && new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
}

/** The record as a step showed it, and the name of its identifier. */
function recordOf(
  { contract }: CheckInput,
  step: Step | undefined,
): { readonly record: JsonObject; readonly field: string } | undefined {
  const placement = step && contract.inference.placementOf(step.case.operation);
  if (step === undefined || placement?.kind !== 'resource') return undefined;
  const record = shownRecord(placement.resource, step.answer);
  return record && { record, field: placement.resource.identifier.field };
}

function otherRows(related: Related): RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  if (!isSuccess(status)) return refused(related);
  const text = textOf(subject);
  const made = recordOf(subject, of.at(-1));
  if (text === undefined || made === undefined) return undefined;
  const { columns, rows } = readTable(text);
  const expected = intent.field?.split(',');
  if (expected !== undefined && expected.join() !== columns.join())
    return fault(
      `The first row of the CSV is ${columns.join(',').slice(0, 80)}.`,
      `the names of the columns: ${expected.join(',')}`,
      columns.join(',').slice(0, 80),
      'header',
    );
  const place = columns.indexOf(made.field);
  if (place === -1) return expected === undefined ? undefined : [];
  const [own, ...others] = rows.filter((row) => row[place] === String(made.record[made.field]));
  return [
    ...brokenRows(columns, rows),
    ...repeatedRow(own, others),
    ...(own === undefined
      ? fault(
          `The CSV has ${String(rows.length)} rows, and none for the record ` +
            `${showValue(made.record[made.field])}.`,
          'a row for each record',
          'no row for it',
          'missing',
        )
      : otherValues(columns, own, made.record)),
    ...unfiltered(subject, columns, rows),
    ...otherCount(related, rows.length),
  ]
    .slice(0, 1)
    .map((first) => ({
      ...first,
      momentary: true,
      // Records that other requests add hide that the last one is missing.
      ...(first.cause === 'missing' && rows.length > 0 ? { alone: true as const } : {}),
    }));
}

/** A second row that is wholly the same: a table may have a row for each part of a record. */
function repeatedRow(own: readonly string[] | undefined, others: Rows): RelationFault[] {
  const isSame = (row: readonly string[]): boolean => row.every((text, at) => text === own?.[at]);
  return own !== undefined && others.some(isSame)
    ? fault(
        `The CSV has the same row twice: ${own.join(',').slice(0, 80)}`,
        'a row for each record',
        'two rows for it',
        'repeated',
      )
    : [];
}

function brokenRows(columns: readonly string[], rows: Rows): RelationFault[] {
  const broken = rows.find((row) => row.length !== columns.length);
  if (broken === undefined) return [];
  return fault(
    `A row of the CSV has ${String(broken.length)} fields, and there are ` +
      `${String(columns.length)} columns: ${broken.join(',').slice(0, 80)}`,
    `${String(columns.length)} fields`,
    String(broken.length),
    'fields',
  );
}

type Rows = readonly (readonly string[])[];

function otherValues(
  columns: readonly string[],
  row: readonly string[],
  record: JsonObject,
): RelationFault[] {
  const differing = columns.findIndex((name, index) => {
    const value = record[name];
    if (value === null) return row[index] !== '';
    return typeof value === 'string' && row[index] !== value;
  });
  const name = columns[differing];
  if (name === undefined) return [];
  const [got, expected] = [showValue(row[differing]), showValue(record[name])];
  return fault(
    `In the CSV, ${name} of a record is ${got} instead of ${expected}.`,
    expected,
    got,
    'value',
  );
}

/** Rows that a filter in the query, or in the body of the job that wrote them, leaves out. */
function unfiltered(
  { sent, earlier }: CheckInput,
  columns: readonly string[],
  rows: Rows,
): RelationFault[] {
  const filters = new Map<string, JsonValue>();
  for (const [{ in: location, name }, value] of sent.arguments)
    if (location === 'query') filters.set(name, value);
  const job = earlier.find(({ exchange }) => exchange.response?.status === 202)?.sent.body;
  if (typeof job === 'object' && job !== null && !Array.isArray(job))
    for (const [name, value] of Object.entries(job)) filters.set(name, value);
  for (const [name, value] of filters) {
    const place = columns.indexOf(name);
    const other = place === -1 ? undefined : rows.find((row) => row[place] !== String(value));
    if (other !== undefined)
      return fault(
        `The CSV has a row whose ${name} is ${showValue(other[place])} although only ` +
          `${showValue(value)} was wanted.`,
        `${name} is ${showValue(value)}`,
        `${name} is ${showValue(other[place])}`,
        'filter',
      );
  }
  return [];
}

/** A number of rows in the record of the job that differs from those of its file. */
function otherCount({ subject, of }: Related, count: number): RelationFault[] {
  const job = of.length > 1 ? recordOf(subject, of[0]) : undefined;
  const name = Object.keys(job?.record ?? {}).find((field) =>
    /^(rows?|count|total|records)(count|total)?$/i.test(field),
  );
  const said = name === undefined ? undefined : job?.record[name];
  if (name === undefined || typeof said !== 'number' || said === count) return [];
  return fault(
    `${name} is ${String(said)}, and the file has ${String(count)} rows.`,
    String(count),
    String(said),
    'count',
  );
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
      relation: {
        rule: 'same-file',
        of: [uploaded],
        ...(isExact || !/^(image|video|audio)\//.test(type) ? {} : { doubtful: true }),
      },
    });
  send('an upload of a file', made, first, 3);
  load('a download of the file', 'an upload of a file', first);
  followShown(story, made, download, 'an upload of a file');
  const second = types[1] ?? first;
  send('an upload of another file', made, second, 5);
  send('an upload of a file for another record', other, first, 11);
  load('a download after that', 'an upload of another file', second);
  return story.sequences();
}

/** Whether the contract says that a file comes back as it was sent. */
function saysSame(operation: Operation): boolean {
  const texts = [...operationTexts(operation), ...operation.responses.flatMap(responseTexts)];
  return factIn(texts, 'keeps-bytes') !== undefined;
}

/** The address of a file in its record: it is there after an upload, and leads to the file. */
function followShown(story: Story, made: Made, download: Draft, title: string): void {
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
    address: {
      step: shown,
      operation: read.operation.id,
      expression: shownField(read.operation, made.resource, link.field),
    },
    relation: { rule: 'leads', of: [title], field: link.field },
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
  const intent = relationTo(table, {
    rule: 'rows',
    of: [made.title],
    ...defined({ field: columns.length === 0 ? undefined : columns.join(',') }),
  });
  story.step(table, { title: 'a CSV with the created record', intent });
  for (const filter of filtersOf(table, resource, made))
    story.step(table, {
      title: `a CSV filtered by ${filter.parameter.name}`,
      extra: [filter],
      intent,
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
