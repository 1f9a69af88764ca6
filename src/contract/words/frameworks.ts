import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Contract } from '../model.ts';

/** The frameworks that leave marks in the documents which they generate. */
export type Framework = 'fastapi' | 'fastify' | 'spring' | 'nest' | 'django' | 'litestar';

/** Where generators leave marks. */
interface Marked {
  readonly operationIds: readonly string[];
  readonly tags: readonly string[];
  readonly schemas: readonly string[];
  readonly serverTexts: readonly string[];
  readonly successTexts: readonly string[];
  /** The names of the members of documented errors. */
  readonly errorMembers: readonly string[];
}

/** The marks that each generator leaves by default. */
const marks: Readonly<Record<Framework, (document: Marked) => boolean>> = {
  fastapi: ({ schemas }) => schemas.includes('HTTPValidationError'),
  // @fastify/swagger
  fastify: ({ successTexts }) => all(successTexts, /^Default Response$/),
  // springdoc and springfox
  spring: ({ serverTexts, tags }) =>
    serverTexts.includes('Generated server url') || all(tags, /-controller$/),
  nest: ({ operationIds }) => all(operationIds, /^[A-Z]\w*Controller_\w+$/),
  // drf-spectacular
  django: ({ operationIds, schemas }) =>
    operationIds.some((id) => id.endsWith('_partial_update')) &&
    schemas.some((name) => /^(Patched[A-Z]|Paginated\w+List$)/.test(name)),
  litestar: ({ errorMembers }) =>
    ['status_code', 'detail', 'extra'].every((name) => errorMembers.includes(name)),
};

function all(texts: readonly string[], pattern: RegExp): boolean {
  return texts.length > 0 && texts.every((text) => pattern.test(text));
}

/** The framework that generated a document, by the marks in it; undefined if it has none. */
export function frameworkOf(contract: Contract): Framework | undefined {
  const marked = marksOf(contract);
  // `Object.keys` loses the type of the keys.
  return (Object.keys(marks) as Framework[]).find((framework) => marks[framework](marked));
}

function marksOf({ document, operations }: Contract): Marked {
  const responses = operations.flatMap((operation) => operation.responses);
  const errors = responses
    .filter(({ status }) => status.startsWith('4'))
    .flatMap(({ content }) => content.flatMap(({ schema }) => schema ?? []));
  const { servers = [], components = {}, definitions } = document;
  const schemas = definitions ?? memberOf(components, 'schemas');
  return {
    operationIds: operations.map(({ id }) => id),
    tags: operations.flatMap(({ tags }) => tags),
    schemas: isJsonObject(schemas) ? Object.keys(schemas) : [],
    serverTexts: (isJsonArray(servers) ? servers : []).map((server) =>
      String(memberOf(server, 'description')),
    ),
    successTexts: responses
      .filter(({ status }) => status.startsWith('2'))
      .map(({ description }) => description),
    errorMembers: errors.flatMap((schema) => [...schema.flatten().properties.keys()]),
  };
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
