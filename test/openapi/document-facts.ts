import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { rulesOfOperations } from './document-operations.ts';
import { rulesOfSchemas } from './document-schemas.ts';
import { rulesOfServer } from './document-servers.ts';
import { plain } from './fact.ts';
import { child, children, items, list, unread, word, type Node } from './node.ts';

/**
 * What the document says: its rules, in the words of the source's facts, and all its descriptions
 * as one text.
 */
export interface Statements {
  readonly rules: readonly string[];
  readonly prose: string;
}

/**
 * Reads everything that an OpenAPI document says. A member that no rule speaks of becomes a rule of
 * its own.
 */
export function statementsOf(document: JsonObject): Statements {
  const root: Node = { root: document, value: document };
  const rules = [
    ...rulesOfInfo(child(root, 'info')),
    ...items(root, 'servers').flatMap(rulesOfServer),
    ...items(root, 'tags').flatMap(rulesOfTag),
    ...rulesOfSecurity(root),
    ...rulesOfSchemas(child(child(root, 'components'), 'schemas')),
    ...rulesOfOperations(child(root, 'paths')),
    ...gather(document, 'x-gaps').flatMap((gaps) => list(gaps).map((gap) => `gap ${String(gap)}`)),
    ...unread('components', child(root, 'components'), ['schemas', 'responses', 'securitySchemes']),
    ...unread('document', root, [
      'openapi',
      'info',
      'servers',
      'security',
      'tags',
      'paths',
      'components',
    ]),
  ];
  return {
    rules: [...new Set(rules)],
    prose: plain(gather(document, 'description').map(word).join('\n')),
  };
}

function rulesOfInfo(info: Node): string[] {
  return [
    `title ${word(info.value['title'])}`,
    `version ${word(info.value['version'])}`,
    ...list(info.value['x-stability-levels']).map((marker) => `stability marker ${String(marker)}`),
    ...unread('info', info, [
      'title',
      'version',
      'summary',
      'description',
      'x-stability-levels',
      'x-gaps',
    ]),
  ];
}

function rulesOfTag(tag: Node): string[] {
  const name = word(tag.value['name']);
  const parent = word(tag.value['x-parent']);
  const place =
    parent === '' ? [`tag ${name}`] : [`sub-tag ${name}`, `sub-tag ${name} under ${parent}`];
  return [...place, ...unread(`tag ${name}`, tag, ['name', 'description', 'x-parent'])];
}

function rulesOfSecurity(root: Node): string[] {
  const schemes = child(child(root, 'components'), 'securitySchemes');
  const said = (scheme: Node): string =>
    `${word(scheme.value['type'])} ${word(scheme.value['scheme'])}`;
  return [
    ...children(schemes).flatMap(([name, scheme]) => [
      `scheme ${said(scheme)}`,
      ...unread(`scheme ${name}`, scheme, ['type', 'scheme', 'description', 'x-gaps']),
    ]),
    ...items(root, 'security').map(
      (all) =>
        `every operation needs ${Object.keys(all.value)
          .map((name) => said(child(schemes, name)))
          .join(' and ')}`,
    ),
  ];
}

/**
 * The values of every member of this name, wherever it stands, but not the members of `properties`
 * or of examples.
 */
function gather(value: JsonValue | undefined, name: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => gather(each, name));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name && !isJsonObject(member) ? [member] : gather(member, name),
  );
}
