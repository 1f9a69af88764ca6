import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { columnsOf, padText, wrapText } from '../../text/wrap-text.ts';

/** An operation, what it does to a record, and what its list can be asked for. */
type Row = readonly [action: string, method: string, path: string, id: string, takes: string];

/**
 * What is inferred from a contract, a line for each operation below the resource it belongs to:
 * `list  GET  /customers  listCustomers  q searches, sort, page, perPage`. What is wider than
 * `width` goes on below the path.
 */
export function inferenceTable(contract: Contract, width = Infinity): string[] {
  const { resources, inference, unplaced } = contract;
  const groups = [
    ...resources.map((resource): [string, Row[]] => [titleOf(resource), rowsOf(resource)]),
    [
      'Actions',
      [...inference.actions, ...inference.bulkActions].map(({ operation }) =>
        rowOf('action', operation, contract.effects.get(operation)?.effect),
      ),
    ] as const,
    [
      'Stateless, answered from the contract',
      unplaced.map(({ operation }) =>
        rowOf('', operation, contract.effects.get(operation)?.effect),
      ),
    ] as const,
  ].filter(([, rows]) => rows.length > 0);
  const all = groups.flatMap(([, rows]) => rows);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => columnsOf(row[column] ?? ''))),
  );
  return groups.flatMap(([title, rows]) => [
    title,
    ...rows.flatMap((row) => rowLines(row, widths, width)),
    '',
  ]);
}

function rowLines(row: Row, widths: readonly number[], width: number): string[] {
  const padded = row.map((cell, column) => padText(cell, widths[column] ?? 0));
  const line = `  ${padded.join('  ')}`.trimEnd();
  if (columnsOf(line) <= width) return [line];
  const indent = ' '.repeat(columnsOf(`  ${padded.slice(0, 2).join('  ')}  `));
  const below = (cell: string): string[] =>
    cell === ''
      ? []
      : wrapText(cell, Math.max(width - indent.length, 20)).map((text) => indent + text);
  const named = `  ${padded.slice(0, 4).join('  ')}`.trimEnd();
  if (columnsOf(named) <= width) return [named, ...below(row[4])];
  return [`  ${padded.slice(0, 3).join('  ')}`.trimEnd(), ...below(row[3]), ...below(row[4])];
}

function titleOf({ name, kind, identifier }: Resource): string {
  return kind === 'singleton' ? `${name} (one record)` : `${name}, by ${identifier.field}`;
}

function rowsOf({ operations, list }: Resource): Row[] {
  return Object.entries(operations).map(([action, operation]) =>
    rowOf(
      action,
      operation,
      action === 'list' && list !== undefined ? takenBy(list) : keysOf(operation),
    ),
  );
}

function rowOf(action: string, { method, path, id, wire }: Operation, takes = ''): Row {
  const sent = wire ?? { method, path };
  return [action, sent.method, sent.path, id === `${sent.method} ${sent.path}` ? '' : id, takes];
}

/** Where a request names its record, if not in the path. */
function keysOf({ parameters }: Operation): string {
  const carried = parameters.flatMap(({ in: location, carried: place }) =>
    location === 'path' && place !== undefined && place.in !== 'path' ? [place] : [],
  );
  return carried.map(({ in: where, at }) => `${at.slice(1)} in the ${where}`).join(', ');
}

/** What a list can be asked for: the names of its parameters. */
function takenBy(list: NonNullable<Resource['list']>): string {
  const filters = [...list.filters, ...list.ranges, ...(list.expressions ?? [])];
  const searches = [list.search, ...(list.searches ?? []).map(({ parameter }) => parameter)];
  const orders = [list.sort?.by, list.sort?.direction];
  const pages = [list.limit?.parameter, ...list.paging.map(({ parameter }) => parameter)];
  const names = [
    ...filters.map(({ parameter }) => parameter.name),
    ...searches.flatMap((one) => (one === undefined ? [] : [`${one.name} (search)`])),
    ...[...orders, ...pages].flatMap((one) => one?.name ?? []),
  ];
  return [...new Set(names)].join(', ');
}
