import type { Resource, Schema } from '../../../contract/model.ts';
import { unknownCode } from '../../../contract/words/error-codes.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, eachMade, isMakeable, nameOf, relationTo, Story } from '../../plan/story.ts';

/**
 * Creates that name another record below the same parent, such as a reply to a message of the
 * channel, and have a code for one that is not there: the record is named below another parent.
 */
export function planSiblings(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const parent = resource.parents.at(-1)?.resource;
    const create = creatorDraft(context, resource);
    if (parent === undefined || create === undefined || !isMakeable(context, parent)) return [];
    return siblingsIn(create, resource).flatMap((field) =>
      namedElsewhere(context, { resource, parent, create, field }),
    );
  });
}

/** The members of a create with the schema of the identifier, and a code for an unknown one. */
function siblingsIn(
  { operation, body: { schema } }: DraftWithBody,
  { record, identifier: { field } }: Resource,
): string[] {
  const own = schemaOf(record, field);
  const required = schema?.flatten().required;
  if (schema === undefined || own === undefined) return [];
  return [...schema.flatten().properties.keys()].filter(
    (name) =>
      required?.has(name) !== true &&
      schemaOf(schema, name) === own &&
      unknownCode(operation, name, field) !== undefined,
  );
}

/** Where the schema of a member is written, if others may have the same. */
function schemaOf(schema: Schema, name: string): string | undefined {
  const place = schema.flatten().properties.get(name);
  const target = place && schema.follow(place).pointer;
  return target?.startsWith('/components/schemas/') === true ||
    target?.startsWith('/definitions/') === true
    ? target
    : undefined;
}

interface Siblings {
  readonly resource: Resource;
  readonly parent: Resource;
  readonly create: DraftWithBody;
  readonly field: string;
}

function namedElsewhere(
  context: PlanContext,
  { resource, parent, create, field }: Siblings,
): Sequence[] {
  const story = new Story(context, `${field} of ${resource.name}`);
  const { pointer } = create.operation;
  const [first, other] = [story.make(parent), story.make(parent)];
  // The one that is named names none itself: a reply may not be replied to.
  const { [field]: _none, ...alone } = isJsonObject(create.body.value) ? create.body.value : {};
  const named = { title: `a POST without ${field}`, resource, operation: create.operation };
  story.step(create, { title: named.title, of: [first], value: alone });
  const fills = [{ at: joinPointer('', field), source: nameOf(named) }];
  const control = story.make(resource, {
    title: `a POST whose ${field} names a record below the same parent`,
    of: [first],
    fills,
    intent: { kind: 'valid', rigour: 'invented', at: pointer },
  });
  story.make(resource, {
    title: `a POST whose ${field} names a record below another parent`,
    of: [other],
    fills,
    intent: relationTo(create, { rule: 'refused', of: [named.title, control.title] }),
  });
  return story.sequences();
}
