import type {
  OperationDetail,
  ResourceBrief,
  ShownAnswer,
  TryReply,
} from '../../src/server/console/console-api.ts';
import { encode, readJson } from '../shared/text.ts';
import { type ConsoleApp, say } from './app.tsx';
import { call } from './control-api.ts';
import type { RecordPlace } from './parents.tsx';
import { isMembers } from './record-form.tsx';

/** Why a record cannot be sent, or was not taken. */
export class NotSaved extends Error {}

/** The operation that adds a record, or changes the record of a singleton. */
export async function loadMaker(
  app: ConsoleApp,
  { kind, path }: ResourceBrief,
): Promise<OperationDetail | undefined> {
  const methods = kind === 'singleton' ? ['PUT', 'PATCH'] : ['POST'];
  const operation = methods
    .map((method) =>
      app.facts.operations.find((each) => each.path === path && each.method === method),
    )
    .find((each) => each !== undefined);
  if (operation === undefined) return undefined;
  const maker = await call<OperationDetail>('GET', `/operations/${encode(operation.id)}`);
  return maker.body !== null && /json/i.test(maker.body.mediaType) ? maker : undefined;
}

/** The example of a body; empty without one. */
export function exampleOf(maker: OperationDetail | undefined): Record<string, unknown> {
  const example = readJson(maker?.body?.text ?? '{}');
  return isMembers(example) ? { ...example } : {};
}

/** Adds a record by the request of the contract: the mock names it and sets what only it sets. */
export async function postRecord(
  { app, resource }: RecordPlace,
  maker: OperationDetail,
  { parents, body }: { readonly parents: readonly string[]; readonly body: string },
): Promise<void> {
  const names = new Map(
    resource.parents.map(({ parameter }, index) => [parameter, parents[index] ?? '']),
  );
  const reply = await call<TryReply>('POST', '/try', {
    body: {
      operation: maker.id,
      service: 'mock',
      key: app.facts.keys[0] ?? null,
      parameters: maker.parameters
        .filter(({ in: place, required }) => place === 'path' || required)
        .map(({ name, in: place, value }) => ({
          name,
          in: place,
          value: names.get(name) ?? value,
        })),
      headers: app.session === 'default' ? [] : [['Vouch-Session', app.session]],
      body,
      mediaType: maker.body?.mediaType ?? 'application/json',
    },
  });
  if ('problem' in reply) throw new NotSaved(reply.problem);
  if (reply.status >= 400)
    throw new NotSaved(reasonIn(reply) ?? `The mock answered ${reply.status}.`);
  say('Saved.');
  void app.reload();
}

/** The reason in an answer: the longest of the texts at its top. */
function reasonIn({ body }: ShownAnswer): string | undefined {
  const text = body !== null && 'text' in body ? body.text : '';
  const value = /^\s*\{/.test(text) ? readJson(text) : undefined;
  const texts = isMembers(value)
    ? Object.values(value).filter((each) => typeof each === 'string')
    : [];
  return texts.toSorted((left, right) => right.length - left.length)[0];
}
