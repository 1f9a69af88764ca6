import type { ForeignKey, Parent, Resource } from '../model.ts';
import { existsUnmade, hasKnownRecords } from './record-fields.ts';

/** A resource that shares the records of another, and how certain that is. */
export interface SharedSet {
  readonly resource: Resource;
  readonly sharing: Resource['sharing'];
}

/** Describes each relation of a resource in one sentence. */
export function explainRelations(
  resource: Resource,
  shared: SharedSet | undefined,
  resources: readonly Resource[],
): string[] {
  return [
    ...resource.parents.map((parent) => explainParent(parent, resource)),
    ...(shared === undefined
      ? []
      : [
          `It shows the records of ${shared.resource.name}: ` +
            (shared.sharing === 'assumed'
              ? 'nothing else reads what is created here, and its records are alike.'
              : `both answer the same schema, and what is added to ${resource.name} is ` +
                'listed there too.'),
        ]),
    ...(existsUnmade(resource, resources)
      ? [
          'Nothing lists or makes its records: without fixtures, every identifier names one, ' +
            'until it is deleted.',
        ]
      : []),
    ...resource.foreignKeys.map(explainForeignKey),
    ...explainShownTwice(resource),
  ];
}

function explainParent({ parameter, resource, field }: Parent, { kind }: Resource): string {
  const kept = kind === 'singleton' ? 'It is kept' : 'Its records are kept';
  const owner =
    resource === undefined || !hasKnownRecords(resource)
      ? `each ${parameter}, whatever its value, ` +
        'because the contract does not say which there are'
      : `each record of ${resource.name}: ` +
        'below one that does not exist, or was deleted, nothing is found';
  return `${kept} for ${owner}${field === undefined ? '' : `; ${field} holds it`}.`;
}

function explainForeignKey({ field, resource, many }: ForeignKey): string {
  return (
    `The field ${field} names ${many ? 'records' : 'a record'} of ${resource.name}: ` +
    'values that the mock makes name one that exists, ' +
    'and a request that names none is refused where the operation documents a refusal.'
  );
}

/** Says what a resource shows twice, one sentence for each field. */
function explainShownTwice({ name, counts, copies, links }: Resource): string[] {
  return [
    ...counts.map(
      ({ field, child, add }) =>
        `The field ${field} counts the records of ${child?.name ?? add?.path ?? ''}.`,
    ),
    ...copies.map(
      ({ field, resource, key }) =>
        `The field ${field} shows fields of the record of ${resource.name} that ${key} names.`,
    ),
    ...links.map(({ field, to, operation }) =>
      to === 'self'
        ? `The field ${field} is the address of the record of ${name}.`
        : `The field ${field} is the address of ${operation.path}.`,
    ),
  ];
}
