import type { Parameter, Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { wholeMask } from '../../../contract/protocols/update-mask.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { changedMembers } from '../../plan/change-step.ts';
import { fullBody } from '../../plan/full-body.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { valued } from '../../plan/listing.ts';
import { exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, readerOf, relationTo, Story } from '../../plan/story.ts';

/** An update with a mask, and what its stories send. */
interface Masked {
  readonly resource: Resource;
  readonly parameter: Parameter;
  readonly update: DraftWithBody;
  /** What the record is created with. */
  readonly before: JsonObject;
  /** Another value in each member that the update can change. */
  readonly changed: ReadonlyMap<string, JsonValue>;
}

/** A field that no record has. */
const unknownField = 'vouch_unknown_field';

/**
 * Updates whose mask names one of the fields that they send, then a field that no record has, then
 * all fields: each of a record of the run, which is read before and after (AIP-134, AIP-161).
 */
export function planMasks(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { mask } = protocolsOf(context.contract, resource);
    const update = bodyDraftOf(context, mask?.operation);
    const create = creatorDraft(context, resource);
    if (mask === undefined || update === undefined || create === undefined) return [];
    const before = fullBody(create.body);
    const changed = changedMembers(context, resource, { body: update.body, before });
    if (changed.size === 0 || readerOf(context, resource) === undefined) return [];
    const masked: Masked = { resource, parameter: mask.parameter, update, before, changed };
    return [...oneField(context, masked), ...allFields(context, masked)];
  });
}

function oneField(context: PlanContext, masked: Masked): Sequence[] {
  const { resource, parameter, update, before, changed } = masked;
  const [name = ''] = changed.keys();
  const story = new Story(context, `the mask of ${update.operation.id}`);
  const made = story.make(resource, { value: before });
  const [read, patch] = [
    'the record is read before an update with a mask',
    `an update of ${[...changed.keys()].join(' and ')} with the mask ${name}`,
  ];
  story.read(made, read);
  story.step(update, {
    title: patch,
    of: [made],
    value: { ...requiredOf(masked), ...Object.fromEntries(changed) },
    extra: valued(parameter, writeNames(parameter, [name])),
    intent: exoticAt(parameter.pointer),
  });
  story.read(made, 'the record is read after an update with a mask', {
    intent: relationTo(update, { rule: 'masked', of: [read, patch], field: name }),
  });
  story.step(update, {
    title: `${parameter.name} names a field that no record has`,
    of: [made],
    value: { ...requiredOf(masked), ...Object.fromEntries(changed) },
    extra: valued(parameter, writeNames(parameter, [unknownField])),
    // It is said with SHOULD: a service may ignore what it does not know.
    intent: relationTo(update, { rule: 'unknown-mask', of: [patch], doubtful: true }),
  });
  return story.sequences();
}

/** An update with the mask `*` that leaves out what a record need not have. */
function allFields(context: PlanContext, masked: Masked): Sequence[] {
  const { resource, parameter, update, before, changed } = masked;
  const value = requiredOf(masked);
  const isLeftOut = [...changed.keys()].some((name) => !Object.hasOwn(value, name));
  const isTaken = update.body.schema?.accepts(value, 'request') !== false;
  if (!isLeftOut || !isTaken) return [];
  const story = new Story(context, `the mask ${wholeMask} of ${update.operation.id}`);
  const made = story.make(resource, { value: before });
  const [read, patch] = [
    'the record is read before an update with the mask *',
    'an update of the required fields with the mask *',
  ];
  story.read(made, read);
  story.step(update, {
    title: patch,
    of: [made],
    value,
    extra: valued(parameter, writeNames(parameter, [wholeMask])),
    intent: exoticAt(parameter.pointer),
  });
  story.read(made, 'the record is read after an update with the mask *', {
    intent: relationTo(update, { rule: 'replaced', of: [read, patch], doubtful: true }),
  });
  return story.sequences();
}

/** The members that every body of the update has. */
function requiredOf({ update, changed }: Masked): JsonObject {
  const { schema, value } = update.body;
  const required = schema?.flatten().required ?? new Set<string>();
  const plain: JsonObject = isJsonObject(value) ? value : {};
  return Object.fromEntries(
    [...required].flatMap((name) => {
      const member = changed.get(name) ?? plain[name];
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
}
