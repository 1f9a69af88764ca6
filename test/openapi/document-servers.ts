import { unread, word, type Node } from './node.ts';

/** The address of a server, by its name: its variable, and what follows it. */
export function rulesOfServer(server: Node): string[] {
  const name = word(server.value['x-name']);
  const [, variable = '', rest = ''] = /^(\{\w+\})?(.*)$/.exec(word(server.value['url'])) ?? [];
  return [
    `address ${name} ${variable}`,
    ...(rest === '' ? [] : [`address ${name} ends in ${rest}`]),
    ...unread(`address ${name}`, server, ['url', 'description', 'x-name', 'variables']),
  ];
}
