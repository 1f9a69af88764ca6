import { parseMediaType } from '../../http/media-type.ts';
import { Cursor } from './cursor.ts';
import type { Parameter, ParameterPlace, ParameterStyle } from '../model.ts';
import { readExamples } from './read-content.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';

const places: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie'];
const styles: readonly ParameterStyle[] = [
  'form',
  'simple',
  'label',
  'matrix',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
];
const defaultStyles: Readonly<Record<ParameterPlace, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/**
 * Headers that OpenAPI describes elsewhere; parameters of these names are ignored (OpenAPI 3.1,
 * section 4.8.12.1).
 */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/**
 * The parameters of an operation: its own, and those of its path item that it does not override.
 */
export function readParameters(
  pathItem: Cursor,
  operation: Cursor,
  schemas: SchemaFactory,
): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const cursor of [...pathItem.items('parameters'), ...operation.items('parameters')]) {
    const parameter = readParameter(cursor, schemas);
    if (parameter !== undefined) byKey.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byKey.values()];
}

function readParameter(cursor: Cursor, schemas: SchemaFactory): Parameter | undefined {
  const name = cursor.string('name');
  const wholeQuery = cursor.string('in') === 'querystring';
  const place = wholeQuery ? 'query' : places.find((known) => known === cursor.string('in'));
  if (name === undefined || place === undefined) return undefined;
  if (place === 'header' && describedElsewhere.has(name.toLowerCase())) return undefined;
  const [content] = cursor.entries('content');
  const style = styles.find((known) => known === cursor.string('style')) ?? defaultStyles[place];
  const owner = content?.[1] ?? cursor;
  return {
    name,
    in: place,
    required: place === 'path' || cursor.flag('required'),
    deprecated: cursor.flag('deprecated'),
    style,
    explode: cursor.raw('explode') === undefined ? style === 'form' : cursor.flag('explode'),
    allowReserved: cursor.flag('allowReserved'),
    allowEmptyValue: cursor.flag('allowEmptyValue'),
    schema: schemas.at(owner.raw('schema') ?? anything(cursor)),
    ...(wholeQuery ? { wholeQuery } : {}),
    ...(content === undefined || isForm(wholeQuery, content[0]) ? {} : { mediaType: content[0] }),
    examples: readExamples(owner),
    pointer: cursor.pointer,
  };
}

/**
 * A whole query that is a form (OpenAPI 3.2, section 4.12.2) is what an exploded object of the
 * style `form` is: names and values.
 */
function isForm(wholeQuery: boolean, mediaType: string): boolean {
  return wholeQuery && parseMediaType(mediaType)?.essence === 'application/x-www-form-urlencoded';
}

/** A parameter without a schema is one of which the contract says nothing. */
function anything(cursor: Cursor): Cursor {
  return new Cursor(cursor.tree, true, cursor.pointer);
}
