import { writeRows } from '../../../contract/content/write-content.ts';
import { type RecordTable, tableOf } from '../../../contract/infer/table-path.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { withBytes } from '../../mutants/edit-service.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { readTable } from './read-table.ts';

const mutant = mutantsOf('state');

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

/** Mutations of records as CSV. */
export const tableMutants: readonly Mutator[] = [
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
