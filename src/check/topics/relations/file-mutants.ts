import type { Contract, Parameter } from '../../../contract/model.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { editAnswers, setHeader, withBytes } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { fileTypes } from '../../plan/upload.ts';
import { writeRows } from '../../../contract/content/write-content.ts';
import { type RecordTable, tableOf } from '../../../contract/infer/table-path.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import { readTable } from './read-table.ts';

const mutant = mutantsOf('state');

interface DownloadPlace extends Place {
  /** The media types that may be uploaded on its path. */
  readonly types: readonly string[];
}

/** The downloads of files that are uploaded on the same path, below a record. */
function downloads({ operations }: Contract): DownloadPlace[] {
  return operations.flatMap((operation) => {
    const upload = operations.find(
      ({ method, path }) => ['PUT', 'POST'].includes(method) && path === operation.path,
    );
    const types = upload === undefined ? [] : fileTypes(upload);
    const isDownload = operation.method === 'GET' && operation.path.includes('{');
    return isDownload && types.length > 0 ? [{ operation, types }] : [];
  });
}

/** A download whose last byte is another one. */
function damaged(response: HttpResponse): HttpResponse | undefined {
  const last = response.body.at(-1);
  return last === undefined
    ? undefined
    : withBytes(response, response.body.with(response.body.length - 1, last ^ 1));
}

/** Answers downloads of a path with the file that it answered first. */
function keepingFirst({ operation }: Place): Plant {
  const first = new Map<string, HttpResponse>();
  return (service, fired) =>
    editAnswers(service, fired, { operation }, (response, { target }) => {
      const before = first.get(target);
      if (before === undefined) first.set(target, response);
      return before !== undefined && Buffer.compare(before.body, response.body) !== 0
        ? before
        : undefined;
    });
}

type TablePlace = Place & RecordTable;

/** The operations that answer new records as CSV. */
function tables(contract: Contract): TablePlace[] {
  return contract.operations.flatMap((operation) => {
    const table = tableOf(contract, operation);
    return table?.resource.operations.create === undefined ? [] : [{ operation, ...table }];
  });
}

interface FilteredPlace extends TablePlace {
  readonly parameter: Parameter;
}

/** The tables that show only the records with a value in one field. */
function filtered(contract: Contract): FilteredPlace[] {
  return tables(contract).flatMap((place) => {
    const { properties } = place.resource.record.flatten();
    return place.operation.parameters
      .filter(
        ({ in: location, name, schema }) =>
          location === 'query' && properties.has(name) && schema.flatten().node.enum !== undefined,
      )
      .map((parameter) => ({ ...place, parameter }));
  });
}

type Rows = readonly (readonly string[])[];

/** A CSV with other rows, the names of the columns among them; undefined if it has no records. */
function withRows(
  response: HttpResponse,
  edit: (rows: Rows) => Rows,
  write = writeRows,
): HttpResponse | undefined {
  const { columns, rows } = readTable(new TextDecoder().decode(response.body));
  return rows.length === 0
    ? undefined
    : withBytes(response, new TextEncoder().encode(write(edit([columns, ...rows]))));
}

/** Rows as a program writes them that does not know of quotes. */
function writeUnquoted(rows: Rows): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Mutations of records as CSV, and of downloads, of which a check only doubts pictures, which a
 * service may write anew.
 */
export const fileMutants: readonly Mutator[] = [
  mutant('damages-file', {
    rule: 'A download differs from its upload by a byte.',
    killedBy: 'warning',
    where: downloads,
    says: 'answers a file with another last byte',
    answer: damaged,
  }),
  mutant('keeps-first-file', {
    rule: 'A file that was uploaded in place of another one is lost.',
    killedBy: 'warning',
    where: downloads,
    says: 'answers the first file of a path for ever',
    act: keepingFirst,
  }),
  mutant('forgets-media-type', {
    rule: 'A file is downloaded as another media type than that of its upload.',
    killedBy: 'warning',
    where: (contract) => downloads(contract).filter(({ types }) => types.length > 1),
    says: 'answers each file as one media type',
    answer: (response, { types: [, second = ''] }) => setHeader(response, 'Content-Type', second),
  }),
  mutant('table-without-last', {
    rule: 'A CSV lacks the last record.',
    where: tables,
    says: 'answers without the last row',
    answer: (response) => withRows(response, (rows) => rows.slice(0, -1)),
  }),
  mutant('table-repeats-row', {
    rule: 'A CSV has a record twice.',
    where: tables,
    says: 'answers with the last row twice',
    answer: (response) => withRows(response, (rows) => [...rows, ...rows.slice(-1)]),
  }),
  mutant('table-without-column', {
    rule: 'A CSV lacks a column that the contract shows.',
    where: (contract) => tables(contract).filter(({ columns }) => columns.length > 0),
    says: 'answers without the last column',
    answer: (response) => withRows(response, (rows) => rows.map((row) => row.slice(0, -1))),
  }),
  mutant('table-unquoted', {
    rule: 'A CSV has texts with commas and no quotes around them.',
    where: tables,
    says: 'answers without quotes',
    answer: (response) => withRows(response, (rows) => rows, writeUnquoted),
  }),
  mutant('table-unfiltered', {
    rule: 'A CSV ignores its filter.',
    where: filtered,
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
];
