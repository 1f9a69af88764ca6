import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { controlPrefix } from '../../../src/server/control/control-prefix.ts';
import { controlRoutes } from '../../../src/server/control/routes/index.ts';
import { controlContract, controlOf, requestOf } from './control-client.ts';

test('the document of the control API is a valid contract, served without the token', async () => {
  const { app } = controlOf();
  const { body } = await request(app)
    .get('/__vouch/openapi.json')
    .set('Host', 'localhost')
    .expect(200);
  expect(body).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'vouch control' },
    servers: [{ url: controlPrefix }],
  });
  expect(controlContract.servers[0]?.basePath).toBe(controlPrefix);
});

test('lists exactly the routes', () => {
  const documented = controlContract.operations.map(
    ({ method, path, id }) => `${method} ${path} ${id}`,
  );
  expect(documented.toSorted()).toEqual(
    controlRoutes.map(({ method, path, id }) => `${method} ${path} ${id}`).toSorted(),
  );
  expect(new Set(controlRoutes.map(({ id }) => id)).size).toBe(controlRoutes.length);
});

describe.each(controlRoutes.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  '$name',
  ({ route }) => {
    const target = route.path.replaceAll(/\{(\w+)\}/g, 'any');
    const operation = controlContract.operations.find(({ id }) => id === route.id);

    test(route.open === true ? 'needs no token' : 'needs the token, and says so', async () => {
      const { app } = controlOf();
      const { status } = await requestOf(app, route.method, `${controlPrefix}${target}`);
      expect(status === 401).toBe(route.open !== true);
      expect((operation?.security.length ?? 0) === 0).toBe(route.open === true);
    });

    test('refuses an unknown query parameter, and names the nearest', async () => {
      const [known] = Object.keys(route.query ?? {});
      const answer = await controlOf().call(
        `${route.method} ${target}?${known ?? 'word'}x=1`,
        route.body === undefined ? undefined : {},
      );
      expect(answer).toMatchObject({
        status: 400,
        body: {
          detail: expect.stringContaining(
            known === undefined ? 'This takes none' : `Did you mean ${known}?`,
          ),
        },
      });
      expect(
        operation?.parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => name) ?? [],
      ).toEqual(Object.keys(route.query ?? {}));
    });
  },
);

describe.each(
  controlRoutes
    .filter(({ body }) => body !== undefined)
    .map((route) => ({ name: `${route.method} ${route.path}`, route })),
)('the body of $name', ({ route }) => {
  const target = route.path.replaceAll('{resource}', 'things').replaceAll(/\{(\w+)\}/g, 'any');

  test.each(['{', '"text"', '[]', '{"a":1,"a":2}', '\uFEFF{}'])(
    'is refused as %j',
    async (body) => {
      const { call, mock } = controlOf();
      if (route.path === '/snapshots/{name}/restore')
        await call('POST /snapshots', { name: 'any' });
      const { status } = await call(`${route.method} ${target}`, body);
      expect(status).toBe(400);
      expect(mock.resets).toBe(0);
    },
  );
});
