import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { oncePerResource } from '../infer/record-fields.ts';
import { groupsOf, layoutOf } from '../infer/record-view.ts';
import { plainName } from '../infer/infer-names.ts';
import type { Operation, Parameter, Resource, Schema } from '../model.ts';
import { shownValues } from '../model/operation.ts';
import {
  factIn,
  factsIn,
  fieldSays,
  generalTexts,
  operationTexts,
  parameterTexts,
} from '../words/facts.ts';
import { mentions } from '../words/mentions.ts';
import { readNames, writeNames } from './names.ts';
import { askedOf, type Protocol, type ToldOf } from './protocol.ts';

/** A parameter that names the fields which a response shows of each record. */
export interface Projection {
  readonly operation: Operation;
  readonly parameter: Parameter;
  /** The member of a `deepObject` parameter that holds the names: `things` of `fields[things]`. */
  readonly member?: string;
  /** Whether a response may show no other fields than those that were asked for. */
  readonly isStrict: boolean;
  /** Whether a name that is no field must be refused. */
  readonly refusesUnknown: boolean;
  /**
   * The fields that may be asked for, in the order of the contract; without the identifier, and
   * without the control information of OData (`@odata.etag`), which no request asks for.
   */
  readonly fields: readonly string[];
  /** Those of the fields that are relationships (JSON:API 1.1, section 6.4). */
  readonly relations: readonly string[];
  /** Those that the document says are always shown, whatever is asked for. */
  readonly always: readonly string[];
  /** The identifier, if it is shown only on request. */
  readonly identifier?: string;
}

/**
 * Projections: `fields[TYPE]` (JSON:API 1.1, section 6.4: no other fields than those), `$select`
 * (OData 4.01, protocol, section 11.2.5.1: others may be shown too, and unknown ones are refused),
 * `read_mask` (AIP-157), and `fields` or `columns` where the contract shows names of the record's
 * own fields as its values, or says that it names fields: then others may be shown too.
 */
export const projection: Protocol<ToldOf<Projection>> = {
  read: askedOf(
    (resource) => projectionsOf(resource),
    ({ parameter }, ids) => `${parameter.name} of ${ids} names the fields that a response shows.`,
  ),
  governs: isProjection,
};

export const projectionsOf = oncePerResource((resource): readonly Projection[] =>
  [resource.operations.list, resource.operations.read].flatMap(
    (operation) => (operation && projectionOf(operation, resource)) ?? [],
  ),
);

const ofType = /^fields\[([^\]]+)\]$/;

/** Whether the values of a parameter are names of fields that a response is to show. */
export function isProjection({ method }: Operation, parameter: Parameter): boolean {
  const { in: location, name, style, schema } = parameter;
  const { types } = schema.flatten();
  if (location !== 'query' || method !== 'GET') return false;
  if (name === 'fields' && style === 'deepObject') return true;
  if (!types.some((type) => type === 'string' || type === 'array')) return false;
  return (
    ofType.test(name) || name === '$select' || /^readmask$/.test(plainName(name)) || isOpen(name)
  );
}

/** Names that mean a projection where the values or the words of the parameter say so. */
function isOpen(name: string): boolean {
  return /^(?:fields|columns)$/.test(plainName(name));
}

function projectionOf(operation: Operation, resource: Resource): Projection | undefined {
  const { identifier, record } = resource;
  const parameter = operation.parameters.find(
    (one) => isProjection(operation, one) && speaksOf(one, resource),
  );
  if (parameter === undefined) return undefined;
  const { name, style } = parameter;
  const isTyped = ofType.test(name) || style === 'deepObject';
  const listed = itemEnum(parameter);
  const relations = Object.keys(groupsOf(record)?.relations?.types ?? {});
  const own = new Set([
    identifier.field,
    ...(layoutOf(record)?.own ?? []),
    ...(isTyped ? fixed : []),
  ]);
  const fields = namesIn(record).filter(
    (field) =>
      !own.has(field) && !field.includes('@') && (listed === undefined || listed.includes(field)),
  );
  const member = style === 'deepObject' ? typeOf(resource) : undefined;
  const always = alwaysShown(operation, parameter, record);
  const isOptional =
    record.flatten().properties.has(identifier.field) && !always.includes(identifier.field);
  return {
    operation,
    parameter,
    isStrict: name !== '$select' && !isOnlyTold(parameter),
    refusesUnknown: name === '$select',
    fields,
    relations: isTyped ? relations.filter((one) => fields.includes(one)) : [],
    ...(member === undefined ? {} : { member }),
    always,
    ...(isTyped || !isOptional ? {} : { identifier: identifier.field }),
  };
}

/** The fields of which their words, those of the parameter or of the API say so. */
function alwaysShown(operation: Operation, parameter: Parameter, record: Schema): string[] {
  const general = generalTexts(operation, 'operation', (text) => mentions(text, parameter.name));
  const told = [...parameterTexts(parameter), ...operationTexts(operation), ...general];
  const facts = factsIn(told, 'always-shown');
  return [...record.flatten().properties].flatMap(([name, place]) => {
    const isNamed = facts.some(({ sentence }) => sentence.split(/[^\w-]+/).includes(name));
    return isNamed || fieldSays(record.flatten(place), 'always-shown') ? [name] : [];
  });
}

/** The names of the fields of a record, also of one that keeps them in a group. */
function namesIn(record: Schema): readonly string[] {
  const { properties } = record.flatten();
  const layout = layoutOf(record) === undefined ? groupsOf(record) : undefined;
  const place = layout && properties.get(layout.group);
  return layout === undefined || place === undefined
    ? [...properties.keys()]
    : [...record.flatten(place).properties.keys(), ...Object.keys(layout.relations?.types ?? {})];
}

/** Members of a resource object that are no fields (JSON:API 1.1, section 7.2.2). */
const fixed = ['type', 'id', 'links', 'meta'];

/** The parameter by which an operation shows some fields of a type, and those that it lists. */
export function projectionOfType(
  operation: Operation,
  type: string,
): { readonly parameter: Parameter; readonly listed: readonly string[] | undefined } | undefined {
  const parameter = operation.parameters.find(
    (one) => isProjection(operation, one) && ofType.exec(one.name)?.[1] === type,
  );
  return parameter && { parameter, listed: itemEnum(parameter) };
}

/** Whether a projection is one of the records of a resource, not of others in its responses. */
function speaksOf(parameter: Parameter, resource: Resource): boolean {
  const type = ofType.exec(parameter.name)?.[1];
  if (type !== undefined) return type === typeOf(resource);
  if (parameter.style === 'deepObject')
    return parameter.schema.flatten().properties.has(typeOf(resource));
  if (!isOpen(parameter.name)) return true;
  const known = resource.record.flatten().properties;
  if (known.has(parameter.name)) return false;
  const names = namesShown(parameter);
  return isOnlyTold(parameter) || (names.length > 0 && names.every((name) => known.has(name)));
}

function namesShown(parameter: Parameter): readonly string[] {
  return itemEnum(parameter) ?? shownValues(parameter).flatMap(readNames);
}

/** Whether only its words say that it names fields, and no value shows which. */
function isOnlyTold(parameter: Parameter): boolean {
  const isNamed = isOpen(parameter.name) && namesShown(parameter).length === 0;
  return isNamed && factIn(parameterTexts(parameter), 'names-fields') !== undefined;
}

/** The values of the list that a parameter takes, if the contract lists them. */
function itemEnum({ schema }: Parameter): readonly string[] | undefined {
  const { items } = schema.flatten();
  const listed = items && schema.flatten(items).node.enum;
  return listed?.filter((name) => typeof name === 'string');
}

/** The type of a resource's records: the one that they show, or the last word of their path. */
export function typeOf({ record, collectionPath }: Resource): string {
  const place = record.flatten().properties.get('type');
  const node = place && record.flatten(place).node;
  const [only, ...others] = node?.const === undefined ? (node?.enum ?? []) : [node.const];
  if (typeof only === 'string' && others.length === 0) return only;
  return collectionPath.split('/').findLast((part) => /^[^{]/.test(part)) ?? '';
}

/** The value that asks for some fields, and for the identifier if it is not shown otherwise. */
export function writeProjection(
  { parameter, member, identifier }: Projection,
  fields: readonly string[],
): JsonValue {
  const names = identifier === undefined ? fields : [identifier, ...fields];
  if (member !== undefined) return { [member]: names.join(',') };
  return writeNames(parameter, names);
}

/** The fields that a value asks for. */
export function readProjection(
  { member }: Projection,
  value: JsonValue | undefined,
): readonly string[] {
  const isGrouped = member !== undefined && isJsonObject(value);
  return readNames(isGrouped ? value[member] : value);
}
