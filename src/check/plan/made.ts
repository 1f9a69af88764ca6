import type { Operation, Parameter, Resource } from '../../contract/model.ts';
import { defined } from '../../json/value.ts';
import type { Argument, Source } from '../model/request-template.ts';
import type { Draft } from './draft.ts';

/** A record that a story creates: the step that does it, by its title. */
export interface Made {
  readonly title: string;
  readonly resource: Resource;
  readonly operation: Operation;
}

/** The identifier of a record that a story created. */
export function nameOf({ title, resource }: Made): Extract<Source, { kind: 'made' }> {
  return { kind: 'made', step: title, resource: resource.name };
}

/** What a runtime expression comes to on the exchange of an earlier step. */
export function foundIn(
  { title, operation }: Pick<Made, 'title' | 'operation'>,
  expression: string,
): Extract<Source, { kind: 'link' }> {
  return { kind: 'link', operation: operation.id, expression, step: title };
}

/** The arguments of a path that name records of a story. */
export function argumentsOf({ names }: Draft, of: readonly Made[]): Argument[] {
  return names.flatMap(({ parameter, resource, parent }): Argument[] => {
    const made = of.find((one) => one.resource.collection === resource.collection);
    if (made === undefined) return argumentAbove(parameter, resource, of);
    // Another path to the same set may have another name for its records.
    const isAsMade = made.resource.identifier.field === resource.identifier.field;
    const named = isAsMade ? made : { ...made, resource };
    return [{ parameter, source: { ...nameOf(named), ...defined({ parent }) } }];
  });
}

/** The name of the record below which one of a story stands, as the path of that one has it. */
function argumentAbove(parameter: Parameter, above: Resource, of: readonly Made[]): Argument[] {
  return of
    .flatMap((made) =>
      made.resource.parents
        .filter(({ resource }) => resource?.collection === above.collection)
        .map(({ segment }) => ({ parameter, source: { ...nameOf(made), parent: segment } })),
    )
    .slice(0, 1);
}
