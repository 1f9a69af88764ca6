import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { columnsOf, padText } from '../../text/wrap-text.ts';

/** An operation, what it does to a record, and what its list can be asked for. */
type Row = readonly [action: string, method: string, path: string, id: string, takes: string];

/**
 * What is inferred from a contract, a line for each operation below the resource it belongs to:
 * `list  GET  /customers  listCustomers  q searches, sort, page, perPage`.
 */
export function inferenceTable(contract: Contract): string[] {
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
    ...rows.map((row) =>
      `  ${row.map((cell, column) => padText(cell, widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
    '',
  ]);
}

function titleOf({ name, kind, identifier }: Resource): string {
  return kind === 'singleton' ? `${name} (one record)` : `${name}, by ${identifier.field}`;
}

function rowsOf({ operations, list }: Resource): Row[] {
  return Object.entries(operations).map(([action, operation]) =>
    rowOf(action, operation, action === 'list' && list !== undefined ? takenBy(list) : ''),
  );
}

function rowOf(action: string, { method, path, id }: Operation, takes = ''): Row {
  return [action, method, path, id === `${method} ${path}` ? '' : id, takes];
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
