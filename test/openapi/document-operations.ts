import { methods } from '../../src/contract/model.ts';
import { rulesOfObject, rulesOfScalar } from './document-schemas.ts';
import { rulesOfServer } from './document-servers.ts';
import { firstSentence } from './fact.ts';
import { child, children, items, list, unread, unreadBeside, word, type Node } from './node.ts';

/** What the document says of its operations, in the words of the source's facts. */
export function rulesOfOperations(paths: Node): string[] {
  const operations = children(paths).flatMap(([path, item]) => operationsOf(path, item));
  const names = new Map(
    operations.map(({ id, operation }) => [word(operation.value['operationId']), id]),
  );
  return [
    ...children(paths).flatMap(([, item]) => items(item, 'servers').flatMap(rulesOfServer)),
    ...children(paths).flatMap(([path, item]) =>
      unread(path, item, ['servers', ...methods.map((method) => method.toLowerCase())]),
    ),
    ...operations.flatMap(({ id, item, operation }) =>
      rulesOfOperation(id, item, operation, names),
    ),
  ];
}

interface Listed {
  readonly id: string;
  readonly item: Node;
  readonly operation: Node;
}

function operationsOf(path: string, item: Node): Listed[] {
  return methods
    .filter((method) => item.value[method.toLowerCase()] !== undefined)
    .map((method) => ({
      id: `${method} ${path}`,
      item,
      operation: child(item, method.toLowerCase()),
    }));
}

function rulesOfOperation(
  id: string,
  item: Node,
  operation: Node,
  names: ReadonlyMap<string, string>,
): string[] {
  const { value } = operation;
  const known = [
    'operationId',
    'tags',
    'summary',
    'description',
    'deprecated',
    'parameters',
    'requestBody',
    'responses',
    'x-gaps',
    'x-sunset',
    'x-replaced-by',
    'x-test-panel',
  ];
  return [
    id,
    `${id} operation name ${word(value['operationId'])}`,
    ...list(value['tags']).map((tag) => `${id} tag ${String(tag)}`),
    ...(value['deprecated'] === true ? [`${id} deprecated`] : []),
    ...(value['x-sunset'] === undefined ? [] : [`${id} removed on ${word(value['x-sunset'])}`]),
    ...(value['x-replaced-by'] === undefined
      ? []
      : [`${id} replaced by ${names.get(word(value['x-replaced-by']))}`]),
    ...(value['x-test-panel'] === undefined
      ? []
      : [`${id} test panel ${value['x-test-panel'] === false ? 'off' : 'on'}`]),
    ...items(item, 'servers').map((server) => `${id} at ${word(server.value['url'])}`),
    ...items(operation, 'parameters').flatMap((parameter) => rulesOfParameter(id, parameter)),
    ...(value['requestBody'] === undefined
      ? []
      : rulesOfBody(`${id} body`, child(operation, 'requestBody'))),
    ...children(child(operation, 'responses')).flatMap(([status, response]) =>
      rulesOfResponse(`${id} ${status}`, response, names),
    ),
    ...unread(id, operation, known),
  ];
}

function rulesOfParameter(id: string, parameter: Node): string[] {
  const { value } = parameter;
  const subject = `${id} ${word(value['in'])} ${word(value['name'])}`;
  return [
    subject,
    ...rulesOfScalar(subject, child(parameter, 'schema')),
    ...(value['required'] === true ? [`${subject} required`] : []),
    `${subject} means ${firstSentence(word(value['description']))}`,
    ...unread(subject, parameter, ['name', 'in', 'required', 'description', 'schema', 'examples']),
  ];
}

function rulesOfBody(subject: string, body: Node): string[] {
  return [
    ...(body.value['required'] === true ? [`${subject} required`] : []),
    ...rulesOfContent(subject, child(body, 'content')),
    ...unread(subject, body, ['required', 'description', 'content']),
  ];
}

function rulesOfResponse(
  subject: string,
  response: Node,
  names: ReadonlyMap<string, string>,
): string[] {
  const content = child(response, 'content');
  const open = Object.keys(content.value).length === 0;
  return [
    subject,
    ...(open
      ? [`${subject} without content`]
      : [`${subject} means ${firstSentence(word(response.value['description']))}`]),
    ...rulesOfContent(subject, content),
    ...children(child(response, 'links')).flatMap(([, link]) => rulesOfLink(subject, link, names)),
    ...unread(subject, response, ['description', 'content', 'links']),
  ];
}

function rulesOfContent(subject: string, content: Node): string[] {
  return children(content).flatMap(([mediaType, media]) => {
    const schema = child(media, 'schema');
    const rest =
      schema.name !== undefined
        ? unreadBeside(subject, schema, [])
        : [`${subject} type ${word(schema.value['type'])}`, ...rulesOfObject(subject, schema)];
    return [
      `${subject} ${mediaType} ${schema.name ?? 'inline'}`,
      ...rest,
      ...unread(subject, media, ['schema', 'examples']),
    ];
  });
}

function rulesOfLink(subject: string, link: Node, names: ReadonlyMap<string, string>): string[] {
  const parameters = Object.entries(child(link, 'parameters').value).map(
    ([name, value]) => `${name}=${String(value)}`,
  );
  return [
    `${subject} link to ${names.get(word(link.value['operationId']))} with ` +
      parameters.join(', '),
    ...unread(`${subject} link`, link, ['operationId', 'parameters', 'description']),
  ];
}
