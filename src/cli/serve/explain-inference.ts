import { join, relative } from 'node:path';
import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { fillOpenAnswers } from '../../contract/infer/open-answers.ts';
import type {
  BulkAction,
  Contract,
  Operation,
  RecordAction,
  Resource,
  Unplaced,
} from '../../contract/model.ts';
import { explainProtocols } from '../../contract/protocols/read-protocols.ts';
import { successResponses } from '../../contract/select-response.ts';
import { chooseDocuments } from '../../library/choose-documents.ts';
import { packageFolder } from '../../library/package-files.ts';
import type { Assumption } from '../../mock/model/reply.ts';
import { servedContract } from '../../mock/plan/served-contract.ts';
import { columnsOf, padText, wrapText } from '../../text/wrap-text.ts';
import { formsOf } from '../../values/forms.ts';
import { contractChoice, type ContractFlags, warnOfInvalidParts } from '../find-contract.ts';
import { fitLines, type Io } from '../io.ts';

/**
 * The text of `vouch mock --explain --verbose`: what is inferred from a contract, on what evidence,
 * and what the remaining operations answer. `reference` is the page that documents the overrides.
 */
export function explainInference(
  contract: Contract,
  assumptions: readonly Assumption[],
  reference: string,
): string {
  const { title, version, file, dialect, resources, inference, unplaced } = contract;
  const kept =
    resources.length === 0
      ? ['No resource found: every response comes from the contract, and nothing is stored.', '']
      : [];
  const lines = [
    `${title} ${version} (${file}, OpenAPI ${dialect})`,
    '',
    ...resources.flatMap((resource) => [...explainResource(contract, resource), '']),
    ...kept,
    ...explainActions('Actions on one record:', inference.actions),
    ...explainActions('Bulk actions:', inference.bulkActions),
    ...explainRest(unplaced, assumptions),
    ...explainEffects(contract),
    ...(resources.length === 0
      ? []
      : [`To correct this, set mock.resources in vouch.config.yaml: see ${reference}.`, '']),
  ];
  return lines.join('\n');
}

/** The same without the evidence: a line for each operation. */
export function outlineInference(contract: Contract, reference: string, width?: number): string {
  const { title, version, file, dialect } = contract;
  return [
    `${title} ${version} (${file}, OpenAPI ${dialect})`,
    '',
    ...inferenceTable(contract, width),
    'Why, and what each operation does to a service: --explain --verbose. ' +
      `To correct it: ${reference}.`,
    '',
  ].join('\n');
}

function explainResource(contract: Contract, resource: Resource): string[] {
  const forms = formsOf(resource.record);
  const fields = new Set(
    [resource.record, ...forms].flatMap((form) => [...form.flatten().properties.keys()]),
  );
  const what = resource.kind === 'singleton' ? 'one record' : 'records';
  const shape = [
    ...(forms.length > 1 ? [`of ${String(forms.length)} forms`] : []),
    ...(fields.size === 0 ? [] : [`with ${[...fields].join(', ')}`]),
  ].join(' ');
  return [
    `Resource ${resource.name}: ${[what, shape].join(' ').trimEnd()}`,
    ...[...resource.why, ...explainProtocols(contract, resource)].map((line) => `  ${line}`),
    ...(resource.conventions.length === 0
      ? []
      : [`  Conventions: ${resource.conventions.join(', ')}.`]),
  ];
}

function explainActions(title: string, actions: readonly (RecordAction | BulkAction)[]): string[] {
  if (actions.length === 0) return [];
  return [
    title,
    ...actions.map(({ operation, why }) => `  ${operationName(operation)}: ${why}`),
    '',
  ];
}

function explainRest(unplaced: readonly Unplaced[], assumptions: readonly Assumption[]): string[] {
  if (unplaced.length === 0) return [];
  return [
    'Stateless, answered from the contract:',
    ...unplaced.map(
      ({ operation, why }) =>
        `  ${operationName(operation)}: ${why} ${answerOf(operation, assumptions)}`,
    ),
    '',
  ];
}

/** The effect of each operation on a service under test, with its reason. */
function explainEffects({ effects }: Contract): string[] {
  if (effects.size === 0) return [];
  const lines = [...effects.values()].map(
    ({ operation, effect, why, acting = new Map<string, string>() }) => {
      const without = acting.size === 0 ? '' : `; without ${[...acting.keys()].join(', ')}`;
      return `  ${operationName(operation)}: ${effect} (${why}${without})`;
    },
  );
  return [
    'Effects of operations on the service (override with check.effects in vouch.config.yaml):',
    ...lines,
    '',
  ];
}

function answerOf(operation: Operation, assumptions: readonly Assumption[]): string {
  const assumed = assumptions.find(
    (assumption) => assumption.operation === operation.id && assumption.body !== undefined,
  );
  if (assumed !== undefined) return `Its response is the assumed one, because ${assumed.because}.`;
  if (successSchema(operation) === undefined)
    return 'Its response has no body unless one is assumed.';
  const hasExample = successResponses(operation).some(({ content }) =>
    content.some(({ examples }) => examples.length > 0),
  );
  return hasExample
    ? 'Its response is the contract’s example, filled with values of the request.'
    : 'Its response is generated from its schema, filled with values of the request.';
}

function operationName({ id, method, path, wire }: Unplaced['operation']): string {
  const sent = `${wire?.method ?? method} ${wire?.path ?? path}`;
  return id === sent ? id : `${id} (${sent})`;
}

/** Prints the inference for each contract. */
export async function printInference(
  io: Io,
  documents: readonly string[],
  { verbose = false, ...flags }: ContractFlags & { readonly verbose?: boolean },
): Promise<void> {
  const chosen = await chooseDocuments({ contracts: documents, ...contractChoice(flags) });
  for (const { contract } of chosen) warnOfInvalidParts(io, contract);
  const reference = relative(process.cwd(), join(packageFolder, 'docs/reference/configuration.md'));
  for (const { contract, assume } of chosen) {
    const served = servedContract(fillOpenAnswers(contract));
    const text = verbose
      ? explainInference(served, assume ?? [], reference)
      : outlineInference(served, reference, io.isTTY.out ? io.width : undefined);
    io.out(fitLines(text, io, 'out'));
  }
}

/** An operation, what it does to a record, and what its list can be asked for. */
type Row = readonly [action: string, method: string, path: string, id: string, takes: string];

/**
 * What is inferred from a contract, a line for each operation below the resource it belongs to:
 * `list  GET  /customers  listCustomers  q searches, sort, page, perPage`. What is wider than
 * `width` goes on below the path.
 */
function inferenceTable(contract: Contract, width = Infinity): string[] {
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
