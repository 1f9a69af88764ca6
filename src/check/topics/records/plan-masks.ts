import type { Parameter, Resource, Schema } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { wholeMask } from '../../../contract/protocols/update-mask.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import { changedMembers } from '../../plan/change-step.ts';
import { fullBody } from '../../plan/full-body.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { valued } from '../../plan/listing.ts';
import { exoticAt, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import { creatorDraft, readerOf, relationTo, Story } from '../../plan/story.ts';

/** An update with a mask, and what its stories send. */
interface Masked {
  readonly resource: Resource;
  readonly parameter: Parameter;
  readonly update: DraftWithBody;
  /** What the record is created with. */
  readonly before: JsonObject;
  /** The members that a create has to have. */
  readonly needed: ReadonlySet<string>;
  /** Another value in each member that the update can change. */
  readonly changed: ReadonlyMap<string, JsonValue>;
  /** Set where the contract does not say that it follows the text that requires it. */
  readonly doubt: { readonly doubtful?: true };
}

/** A field that no record has. */
const unknownField = 'vouch_unknown_field';

/**
 * Updates whose mask names one of the fields that they send, then a field that no record has, one
 * that they do not send, a member of a field, and all fields: each of a record of the run, which is
 * read before and after (AIP-134, AIP-161).
 */
export function planMasks(context: PlanContext, resource: Resource): Sequence[] {
  const { mask } = protocolsOf(context.contract, resource);
  const update = bodyDraftOf(context, mask?.operation);
  const create = creatorDraft(context, resource);
  if (mask === undefined || update === undefined || create === undefined) return [];
  const before = fullBody(create.body);
  const changed = changedMembers(context, resource, { body: update.body, before });
  if (changed.size === 0 || readerOf(context, resource) === undefined) return [];
  const doubt = unlessAip(context);
  const needed = create.body.schema?.flatten().required ?? new Set<string>();
  const { parameter } = mask;
  const masked: Masked = { resource, parameter, update, before, needed, changed, doubt };
  return [
    ...oneField(context, masked),
    ...outputField(context, masked),
    ...fieldLeftOut(context, masked),
    ...oneMember(context, masked),
    ...allFields(context, masked),
  ];
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
    relation: { rule: 'unknown-mask', of: [patch], doubtful: true },
  });
  return story.sequences();
}

/**
 * An update whose mask names a field of the service beside its own: the service ignores it, also as
 * a member of the body (AIP-203, "Output only"). It has the value that the record shows: some
 * services refuse another one (AIP-161).
 */
function outputField(context: PlanContext, masked: Masked): Sequence[] {
  const { resource, parameter, update, before, changed, doubt } = masked;
  const [name = ''] = changed.keys();
  const output = outputFieldOf(masked);
  const read = readerOf(context, resource);
  if (output === undefined || read === undefined) return [];
  const story = new Story(context, `the mask of ${update.operation.id} and ${output}`);
  const made = story.make(resource, { value: before });
  const [look, plain] = [
    `the record is read, for its ${output}`,
    `an update with the mask ${name}`,
  ];
  const member = changed.get(name) ?? null;
  const value = { ...requiredOf(masked), [name]: member };
  story.read(made, look);
  story.step(update, {
    title: plain,
    of: [made],
    value,
    extra: valued(parameter, writeNames(parameter, [name])),
    intent: exoticAt(parameter.pointer),
  });
  const at = joinPointer('', output);
  const expression = shownField(read.operation, made.resource, output);
  story.step(update, {
    title: `${parameter.name} names ${output}, which the service sets, beside ${name}`,
    of: [made],
    value,
    fills: [{ at, source: { kind: 'link', operation: read.operation.id, expression } }],
    extra: valued(parameter, writeNames(parameter, [name, output])),
    relation: {
      rule: 'output-mask',
      of: [look, plain],
      at: parameter.pointer,
      field: output,
      ...doubt,
    },
  });
  return story.sequences();
}

/** The first moment that the service sets, and that both the record and the update have. */
function outputFieldOf({ resource, update, changed }: Masked): string | undefined {
  const isOutput = (schema: Schema | undefined, name: string): boolean => {
    const place = schema?.flatten().properties.get(name);
    const node = place && schema?.flatten(place).node;
    return node?.readOnly === true && node.format === 'date-time';
  };
  const names = [...resource.record.flatten().properties.keys()];
  return names.find(
    (name) =>
      !changed.has(name) &&
      isOutput(resource.record, name) &&
      isOutput(update.body.schema, name) &&
      resource.record.flatten().required.has(name),
  );
}

/** An update whose mask names a field that it does not send: the field gets its default. */
function fieldLeftOut(context: PlanContext, masked: Masked): Sequence[] {
  const { update, before, doubt } = masked;
  const value = requiredOf(masked);
  const [name] = optionalMembers(masked).find(([, member]) => saysSomething(member)) ?? [];
  const isTaken = update.body.schema?.accepts(value, 'request') !== false;
  if (name === undefined || !isTaken) return [];
  return maskedStory(context, masked, {
    title: `an update without ${name} with a mask that names it`,
    names: [name],
    value,
    before,
    relation: { rule: 'cleared', field: name, ...doubt },
  });
}

/** An update whose mask names one member of a field (AIP-161, "Specifying specific fields"). */
function oneMember(context: PlanContext, masked: Masked): Sequence[] {
  const { update, before, doubt } = masked;
  const { schema } = update.body;
  for (const [field, place] of schema?.flatten().properties ?? []) {
    const [kept, changed] = [...(schema?.flatten(place).properties ?? [])]
      .filter(([, inner]) => schema?.flatten(inner).types.includes('string'))
      .map(([name]) => name);
    if (kept === undefined || changed === undefined) continue;
    const sent = { ...requiredOf(masked), [field]: { [kept]: 'Other', [changed]: 'Changed' } };
    const made = { ...before, [field]: { [kept]: 'First', [changed]: 'Second' } };
    const isTaken = [sent, made].every((value) => schema?.accepts(value, 'request') === true);
    if (!isTaken) continue;
    return maskedStory(context, masked, {
      title: `an update of ${field} with the mask ${field}.${changed}`,
      names: [`${field}.${changed}`],
      value: sent,
      before: made,
      relation: { rule: 'masked', field: `${field}.${changed}`, ...doubt },
    });
  }
  return [];
}

interface MaskedStory {
  readonly title: string;
  readonly names: readonly string[];
  readonly value: JsonObject;
  readonly before: JsonObject;
  readonly relation: Omit<Parameters<typeof relationTo>[1], 'of'>;
}

/** A record that is read before and after one update with a mask. */
function maskedStory(
  context: PlanContext,
  { resource, parameter, update }: Masked,
  { title, names, value, before, relation }: MaskedStory,
): Sequence[] {
  const story = new Story(context, `${title} (${update.operation.id})`);
  const made = story.make(resource, { value: before });
  const read = `the record is read before ${title}`;
  story.read(made, read);
  story.step(update, {
    title,
    of: [made],
    value,
    extra: valued(parameter, writeNames(parameter, names)),
    intent: exoticAt(parameter.pointer),
  });
  story.read(made, `the record is read after ${title}`, {
    intent: relationTo(update, { ...relation, of: [read, title] }),
  });
  return story.sequences();
}

/** The members of a new record that neither a create nor an update has to send. */
function optionalMembers(masked: Masked): [string, JsonValue][] {
  const { update, before, changed, needed } = masked;
  const plain = requiredOf(masked);
  return Object.entries(before).filter(
    ([name]) =>
      changed.has(name) &&
      !needed.has(name) &&
      !Object.hasOwn(plain, name) &&
      update.body.schema?.flatten().properties.has(name),
  );
}

/** An update with the mask `*` that leaves out what a new record need not have. */
function allFields(context: PlanContext, masked: Masked): Sequence[] {
  const { update, before, changed, needed, doubt } = masked;
  const kept = Object.entries(before).filter(([name]) => needed.has(name));
  const value = { ...Object.fromEntries(kept), ...requiredOf(masked) };
  const isLeftOut = [...changed.keys()].some((name) => !Object.hasOwn(value, name));
  const isTaken = update.body.schema?.accepts(value, 'request') !== false;
  if (!isLeftOut || !isTaken) return [];
  return maskedStory(context, masked, {
    title: 'an update of the required fields with the mask *',
    names: [wholeMask],
    value,
    before,
    relation: { rule: 'replaced', ...doubt },
  });
}

/** The members that every body of the update has. */
function requiredOf({ update, changed }: Masked): JsonObject {
  const { schema, value } = update.body;
  const required = schema?.flatten().required ?? new Set<string>();
  const plain: JsonObject = objectOf(value);
  return Object.fromEntries(
    [...required].flatMap((name) => {
      const member = changed.get(name) ?? plain[name];
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
}
