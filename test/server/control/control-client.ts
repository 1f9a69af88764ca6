import type { Express } from 'express';
import request from 'supertest';
import { expect } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { Contract, Operation } from '../../../src/contract/model.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { type JsonValue, stringifyJson } from '../../../src/json/value.ts';
import { controlRoutes, describeRoutes } from '../../../src/server/control/routes/index.ts';
import { createApp } from '../../../src/server/create-app.ts';
import type { AppOptions } from '../../../src/server/serving-parts.ts';
import { fakeMock, type FakeMock } from '../fake-mock.ts';
import { controlToken } from '../serve-fake.ts';

/** The control API's own document, read as any other contract. */
export const controlContract: Contract = parseContract(
  stringifyJson(describeRoutes(controlRoutes, '1.2.3')),
  'control.json',
);

/** What the control API answered. */
export interface ControlAnswer {
  readonly status: number;
  readonly body: JsonValue | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls the control API of a mock. */
export interface ControlClient {
  readonly app: Express;
  readonly mock: FakeMock;
  /**
   * `GET /journal?limit=1`, with a body that is JSON or a text. Every answer is held against the
   * control API's own document.
   */
  call(line: string, body?: JsonValue): Promise<ControlAnswer>;
  /** A request to the mock itself. */
  send(line: string, headers?: Readonly<Record<string, string>>, body?: JsonValue): Promise<number>;
}

export function controlOf(
  mock: FakeMock = fakeMock(),
  options: Partial<AppOptions> = {},
): ControlClient {
  const app = createApp(mock, { controlToken, ...options });
  return {
    app,
    mock,
    async call(line, body) {
      const [method = '', target = ''] = line.split(' ');
      const response = await sending(app, method, `/__vouch${target}`, body).set(
        'Authorization',
        `Bearer ${controlToken}`,
      );
      const answer = {
        status: response.status,
        body:
          response.text === '' || response.text === undefined ? undefined : readJson(response.text),
        headers: response.headers,
      };
      expectDocumented(method, target, answer);
      return answer;
    },
    async send(line, headers = {}, body) {
      const [method = '', target = ''] = line.split(' ');
      return (await sending(app, method, target, body).set(headers)).status;
    },
  };
}

const verbs = {
  GET: 'get',
  HEAD: 'head',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
  OPTIONS: 'options',
} as const;

/** A request with any method that the control API has. */
export function requestOf(app: Express, method: string, target: string): request.Test {
  // A test that names another method than these fails at the call.
  return request(app)[verbs[method as keyof typeof verbs]](target);
}

function sending(
  app: Express,
  method: string,
  target: string,
  body: JsonValue | undefined,
): request.Test {
  const sent = requestOf(app, method, target);
  if (body === undefined) return sent;
  return sent
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : stringifyJson(body));
}

function readJson(text: string): JsonValue {
  const reading = parseJson(text);
  if (!reading.ok) throw new Error(`${reading.problem.message}: ${text}`);
  return reading.value;
}

/** The operation of the control API's document that a call is of; undefined where it has none. */
function operationOf(method: string, target: string): Operation | undefined {
  const path = target.split('?', 1)[0] ?? '';
  const fits = (template: string): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path);
  return controlContract.operations.find(
    (operation) => operation.method === method && fits(operation.path),
  );
}

function expectDocumented(
  method: string,
  target: string,
  { status, body, headers }: ControlAnswer,
): void {
  const operation = operationOf(method, target);
  if (operation === undefined) return;
  const response = operation.responses.find((candidate) => candidate.status === String(status));
  expect(response, `${operation.id} does not document ${String(status)}`).toBeDefined();
  const [content] = response?.content ?? [];
  if (content === undefined) return expect(body).toBeUndefined();
  expect(headers['content-type']).toBe(content.mediaType);
  expect(
    content.schema?.validate(body ?? null, 'response'),
    `${operation.id} ${String(status)}`,
  ).toEqual([]);
}
