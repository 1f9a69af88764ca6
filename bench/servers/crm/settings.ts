import { fields, flag, listOf, oneOf, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { fieldTypes } from './definitions.ts';
import type { Definition, Option, Owner } from './store.ts';

type Call = api.Call;

const option = fields(
  {
    label: text(0, 10_000),
    value: text(1, 100, /^[^;]+$/),
    displayOrder: whole(0, Number.MAX_SAFE_INTEGER),
  },
  [...['label', 'value']],
);

const changed = {
  label: text(1, 100),
  options: listOf(option, { max: 100 }),
};
const created = {
  ...{ ...changed, name: text(1, 100, /^[a-z][a-z0-9_]*$/), hasUniqueValue: flag },
  ...{ type: oneOf(Object.keys(fieldTypes)), fieldType: text(1, 50) },
};
const creation = fields(created, ['name', 'label', 'type', 'fieldType']);
const change = fields(changed, []);

function showDefinition(one: Definition, { service }: Call): Json {
  const { name, label, type, fieldType, options, hasUniqueValue, readOnly } = one;
  return {
    ...{ name, label, type, fieldType, options, hasUniqueValue },
    ...{ systemDefined: one.systemDefined, readOnlyValue: readOnly },
    createdAt: api.time(one.createdAt, service),
    updatedAt: api.time(one.updatedAt, service),
  };
}

/** The options of a body; refuses a value that comes twice. */
function optionsIn(body: Json): Option[] {
  const given = (body['options'] ?? []) as (Omit<Option, 'displayOrder'> & Partial<Option>)[];
  if (new Set(given.map(({ value }) => value)).size < given.length)
    api.bad('options', 'The values of options are unique.');
  return given.map(({ label, value, displayOrder = -1 }, at) => ({
    ...{ label, value, displayOrder: displayOrder < 0 ? at : displayOrder },
  }));
}

const needOptions = (type: unknown, options: readonly Option[]): void => {
  if ((type === 'enumeration') !== options.length > 0)
    api.bad('options', 'An enumeration has options, and nothing else has.');
};

export function listProperties(call: Call): Answer {
  api.need(call, 'crm.schemas.read');
  const all = call.portal.definitions[api.typeIn(call, 'objectType')];
  return { status: 200, json: { results: all.map((one) => showDefinition(one, call)) } };
}

export function createProperty(call: Call): Answer {
  api.need(call, 'crm.schemas.write');
  const all = call.portal.definitions[api.typeIn(call, 'objectType')];
  const body = api.readBody(call, creation);
  const { name, label, type, fieldType, hasUniqueValue = false } = body;
  if (fieldTypes[String(type)]?.includes(String(fieldType)) !== true)
    api.bad('fieldType', `The type ${String(type)} has no such fieldType.`);
  const options = optionsIn(body);
  needOptions(type, options);
  if (hasUniqueValue === true && type !== 'string')
    api.bad('hasUniqueValue', 'Only texts can be unique.');
  if (all.some((one) => one.name === name))
    api.fail(409, 'CONFLICT', `There is a property ${String(name)}.`, {
      context: { propertyName: [name] },
    });
  const moment = call.service.now();
  const definition = {
    ...{ name, label, type, fieldType, options, hasUniqueValue },
    ...{ readOnly: false, systemDefined: false, createdAt: moment, updatedAt: moment },
  } as Definition;
  all.push(definition);
  return { status: 201, json: showDefinition(definition, call) };
}

export function updateProperty(call: Call): Answer {
  api.need(call, 'crm.schemas.write');
  const { portal, service, incoming } = call;
  const type = api.typeIn(call, 'objectType');
  const wanted = incoming.params['propertyName'] ?? '';
  const found = portal.definitions[type].find(({ name }) => name === wanted);
  const one = found ?? api.missing('property', wanted);
  if (one.systemDefined) api.bad('propertyName', 'System-defined properties cannot be changed.');
  const body = api.readBody(call, change);
  const options = body['options'] === undefined ? one.options : optionsIn(body);
  needOptions(one.type, options);
  const kept = new Set(options.map(({ value }) => value));
  const isUsed = portal.rows.some((row) => {
    const given = row.type === type && row.archivedAt === null ? row.values.get(wanted) : undefined;
    const values = one.fieldType === 'checkbox' ? given?.split(';') : given && [given];
    return (values || []).some((value) => !kept.has(value));
  });
  if (isUsed && one.type === 'enumeration' && !service.has('used-option-removed'))
    api.fail(409, 'CONFLICT', 'Records have an option that is left out.', {
      context: { propertyName: [wanted] },
    });
  one.label = String(body['label'] ?? one.label);
  one.options = options;
  one.updatedAt = service.now();
  return { status: 200, json: showDefinition(one, call) };
}

export function listPipelines(call: Call): Answer {
  api.need(call, 'crm.schemas.read');
  const results = call.portal.pipelines.map(({ id, label, stages }, displayOrder) => ({
    ...{ id, label, displayOrder },
    stages: stages.map((stage, at) => ({
      ...{ id: stage.id, label: stage.label, displayOrder: at },
      metadata: { probability: stage.probability, isClosed: String(stage.isClosed) },
    })),
  }));
  return { status: 200, json: { results } };
}

export function listOwners(call: Call): Answer {
  api.need(call, 'crm.objects.owners.read');
  const { query } = call.incoming;
  const isArchived = api.flagOf(call, 'archived');
  const email = query.get('email')?.toLowerCase();
  const isShown = (one: Owner): boolean =>
    one.archived === isArchived && (email === undefined || one.email === email);
  return { status: 200, json: { results: call.portal.owners.filter(isShown) } };
}
