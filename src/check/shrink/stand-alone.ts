import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { defined } from '../../json/defined.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import { bodyOf, draftRequest, requestOf } from '../plan/draft.ts';
import { markBody } from '../plan/mark-body.ts';
import { plainIntent } from '../plan/plan-context.ts';
import { createsFor } from './needs.ts';

/** What it takes to write the request that makes a record. */
export interface Making {
  readonly contract: Contract;
  readonly seed: string;
  readonly runId: string;
  maySend(operation: Operation): boolean;
}

/**
 * The same sequence with a create before it, whose record it asks for instead of one that happened
 * to be there: it can then be sent to a fresh server. Undefined where it needs no such record, or
 * where none can be made.
 */
export function standAlone(sequence: Sequence, making: Making): Sequence | undefined {
  const resource = strangerOf(sequence, making.contract);
  if (resource === undefined) return undefined;
  const create = createsFor(sequence, resource) ? [] : makeRecord(resource, making);
  if (create === undefined) return undefined;
  const cases = sequence.cases.map((tried) => ({
    ...tried,
    request: {
      ...tried.request,
      arguments: tried.request.arguments.map((argument) => asCreated(argument, resource)),
    },
  }));
  return makeSequence(...create, ...cases);
}

/** The resource of which a sequence asks for a record that it did not make itself. */
function strangerOf({ cases }: Sequence, { resources }: Contract): Resource | undefined {
  const names = cases.flatMap(({ request }) =>
    request.arguments.flatMap(({ source }) =>
      source.kind === 'own' || source.kind === 'known' ? [source.resource] : [],
    ),
  );
  return resources.find(({ name }) => names.includes(name));
}

function asCreated(argument: Argument, { name }: Resource): Argument {
  const { source } = argument;
  return (source.kind === 'own' || source.kind === 'known') && source.resource === name
    ? {
        ...argument,
        source: {
          kind: 'created',
          resource: name,
          ...defined({ parent: source.parent }),
        },
      }
    : argument;
}

function makeRecord(
  { operations: { create } }: Resource,
  { contract, seed, runId, maySend }: Making,
): readonly Case[] | undefined {
  if (create === undefined || !maySend(create)) return undefined;
  const drafted = draftRequest(contract, create, { seed });
  if (!drafted.ok || drafted.draft.identifier !== undefined) return undefined;
  const { draft } = drafted;
  const { body } = draft;
  const label = `${create.id} stands alone`;
  const request = requestOf(
    draft,
    'own',
    body === undefined ? {} : { body: bodyOf(body, markBody(body, body.value, { runId, label })) },
  );
  return [
    makeCase({
      title: 'a record is created',
      phase: 'confirm',
      operation: create,
      request,
      intent: plainIntent(draft),
    }),
  ];
}
