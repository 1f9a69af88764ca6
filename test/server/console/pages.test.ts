import { createHash } from 'node:crypto';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { makeControlToken } from '../../../src/server/control/control-token.ts';
import { createApp } from '../../../src/server/create-app.ts';
import { html as report } from '../../../src/report/html.ts';
import { reportOf } from '../../report/report-of.ts';
import { bareEnd } from '../../report/sample-run.ts';
import { fakeMock } from '../fake-mock.ts';

const controlToken = makeControlToken();
const agent = request(createApp(fakeMock(), { controlToken }));
const html = { Host: 'localhost:4010', Accept: 'text/html,application/xhtml+xml' };

/** The texts between a tag's beginning and end. */
function inside(page: string, tag: string): string[] {
  return [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    (match) => match[1] ?? '',
  );
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

describe.each(['/__vouch/', '/__vouch/docs'])('the page %s', (path) => {
  test('allows its own script and style to run, and nothing else', async () => {
    const { text, headers } = await agent
      .get(path)
      .set(html)
      .expect(200)
      .expect('Content-Type', 'text/html; charset=utf-8');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; .*connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(policy).not.toContain('unsafe');
    for (const script of inside(text, 'script').filter((each) => each !== ''))
      expect(policy).toContain(hash(script));
    for (const style of inside(text, 'style')) expect(policy).toContain(hash(style));
    expect(text).not.toMatch(/\son\w+=|\sstyle=|\s(src|href)="https?:/);
  });

  test('contains no secret, and is not cached or framed', async () => {
    const { text, headers } = await agent.get(path).set(html);
    expect(text).not.toContain(controlToken);
    expect(text).not.toContain('demo-key');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test.each([
    [{ Host: 'evil.test' }, 403],
    [{ Host: 'localhost', Origin: 'http://evil.test' }, 403],
    [{ Host: '127.0.0.1:4010' }, 200],
  ])('asked for with %j it is %i', async (headers, status) => {
    await agent
      .get(path)
      .set({ Accept: 'text/html', ...headers })
      .expect(status);
  });

  test('is served only to requests that accept HTML; others reach the control API', async () => {
    await agent
      .get(path)
      .set('Host', 'localhost')
      .expect(404)
      .expect('Content-Type', 'application/problem+json');
    await agent.post(path).set(html).expect(404);
  });
});

test.each([
  ['/__vouch', '/__vouch/'],
  ['/__vouch/docs/', '/__vouch/docs'],
])('%s redirects to %s, so that relative links of the page work', async (from, to) => {
  await agent.get(from).set(html).expect(308).expect('Location', to);
});

test('console and report have the same colours', async () => {
  // Each has two: for light and for dark.
  const colours = (style: string): string[] =>
    style.match(/--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)/g) ?? [];
  const { text } = await agent.get('/__vouch/').set(html);
  const [consoleStyle = ''] = inside(text, 'style');
  const [reportStyle = ''] = inside(reportOf(report, bareEnd), 'style');
  expect(colours(consoleStyle).length).toBeGreaterThan(10);
  expect(colours(consoleStyle)).toEqual(colours(reportStyle));
});

describe('the reference', () => {
  const host = { Host: 'localhost:4010' };

  test('has each operation, without a token', async () => {
    const { body } = await agent.get('/__vouch/reference').set(host).expect(200);
    expect(body).toMatchObject({
      title: 'Things',
      key: 'demo-key',
      operations: expect.arrayContaining([
        expect.objectContaining({ id: 'createThing', method: 'POST', path: '/things' }),
      ]),
    });
  });

  test('tells the schemas of an operation as trees', async () => {
    const { body } = await agent.get('/__vouch/reference/createThing').set(host).expect(200);
    expect(body.bodies[0]).toMatchObject({
      mediaType: 'application/json',
      schema: {
        type: 'object',
        members: expect.arrayContaining([
          expect.objectContaining({ name: 'name', type: 'string' }),
        ]),
      },
    });
  });

  test('of an unknown operation is a 404 that names a known one', async () => {
    const { body } = await agent.get('/__vouch/reference/createThings').set(host).expect(404);
    expect(body.detail).toMatch(/^There is no operation createThings\. Did you mean createThing\?/);
  });

  test('writes a request in five languages, and with no key but the given one', async () => {
    const asked = { operation: 'createThing', body: '{"name":"a"}', mediaType: 'application/json' };
    const { body } = await agent.post('/__vouch/reference').set(host).send(asked).expect(200);
    const { curl, javascript, python, go, java } = body.samples;
    expect(curl).toMatch(/^curl -H 'Content-Type: application\/json' .*YOUR_KEY.*--data-raw/);
    expect(javascript).toContain('await fetch("http://localhost:4010/v1/things", {');
    expect(python).toContain('    "http://localhost:4010/v1/things",');
    expect(go).toContain('http.NewRequest("POST", "http://localhost:4010/v1/things", strings.');
    expect(java).toContain('.method("POST", HttpRequest.BodyPublishers.ofString("{');
    expect(JSON.stringify(body)).not.toContain('demo-key');
    const { body: own } = await agent
      .post('/__vouch/reference')
      .set(host)
      .send({ ...asked, key: 'mine' });
    expect(own.samples.curl).toContain('X-Key: mine');
  });
});
