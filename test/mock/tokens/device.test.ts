import { describe, expect, test } from 'vitest';
import { headerValue } from '../../../src/http/message.ts';
import { membersOf, openDesk, refusalOf, textOf, type Desk } from './garden.ts';

const grant = 'urn:ietf:params:oauth:grant-type:device_code';

async function begin(
  desk: Desk,
  more: Record<string, string> = {},
): Promise<{ device: string; user: string }> {
  const members = membersOf(
    await desk.post('/device_authorization', { client_id: 'tv', scope: 'read:trees', ...more }),
  );
  return { device: members['device_code'] ?? '', user: members['user_code'] ?? '' };
}

async function poll(desk: Desk, device: string, client = 'tv'): Promise<string> {
  const response = await desk.post('/token', {
    grant_type: grant,
    client_id: client,
    device_code: device,
  });
  return response.status === 200 ? (membersOf(response)['scope'] ?? '') : refusalOf(response);
}

describe('a device (RFC 8628)', () => {
  test('gets the URL where a person approves it', async () => {
    const members = membersOf(await openDesk().post('/device_authorization', { client_id: 'tv' }));
    expect(members['user_code']).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    const page = 'http://localhost:4010/__vouch/oauth2/device';
    expect(members).toMatchObject({
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${members['user_code'] ?? ''}`,
      expires_in: '600',
      interval: '1',
    });
  });

  test('waits for the approval, and gets its tokens once', async () => {
    const desk = openDesk();
    const { device, user } = await begin(desk);
    expect(await poll(desk, device)).toBe(
      '400 authorization_pending: Nobody has let the device in yet.',
    );
    expect(textOf(await desk.get('/device', { user_code: user }))).toContain(user);
    expect(await poll(desk, device)).toMatch(/^400 authorization_pending/);
    expect(
      textOf(
        await desk.post('/device', {
          user_code: user.toLowerCase().replace('-', ' '),
          username: 'ada',
          action: 'allow',
        }),
      ),
    ).toContain('The device is let in.');
    expect(await poll(desk, device, 'other')).toMatch(/^400 invalid_grant/);
    expect(await poll(desk, device)).toBe('read:trees');
    expect(await poll(desk, device)).toMatch(/^400 invalid_grant/);
  });

  test('can be refused', async () => {
    const desk = openDesk();
    const { device, user } = await begin(desk);
    await desk.post('/device', { user_code: user, action: 'deny' });
    expect(await poll(desk, device)).toBe('400 access_denied: The device was turned away.');
  });

  test('waits for ten minutes', async () => {
    const desk = openDesk();
    const { device, user } = await begin(desk);
    desk.wait(600);
    expect((await desk.post('/device', { user_code: user, action: 'allow' })).status).toBe(400);
    expect(await poll(desk, device)).toBe(
      '400 expired_token: The device_code expired. Ask for a new one.',
    );
  });

  test('is approved immediately if the request names a person', async () => {
    const desk = openDesk({ users: [{ name: 'ada', password: 'x', scopes: [] }] });
    expect(await poll(desk, (await begin(desk, { login_hint: 'ada' })).device)).toBe('');
    expect(await poll(desk, (await begin(desk, { login_hint: 'eve' })).device)).toMatch(
      /^400 authorization_pending/,
    );
  });

  test('is not approved with the wrong password', async () => {
    const desk = openDesk({ users: [{ name: 'ada', password: 'right' }] });
    const { device, user } = await begin(desk);
    const response = await desk.post('/device', {
      user_code: user,
      username: 'ada',
      password: 'wrong',
      action: 'allow',
    });
    expect(response.status).toBe(400);
    expect(textOf(response)).toContain('The user and password are not known here.');
    expect(await poll(desk, device)).toMatch(/^400 authorization_pending/);
  });
});

describe('the page for devices', () => {
  test.each([
    ['without a code', {}, 200, 'Type the code that the device shows.'],
    [
      'with a code that nobody has',
      { user_code: 'BBBB-BBBB' },
      400,
      'No device waits with this code.',
    ],
    ['with a code that is none', { user_code: '<script>' }, 400, 'No device waits with this code.'],
  ])('answers %s', async (_name, parameters, status, sentence) => {
    for (const response of [
      await openDesk().get('/device', parameters),
      await openDesk().post('/device', parameters),
    ]) {
      expect(response.status).toBe(status);
      expect(textOf(response)).toContain(sentence);
      expect(textOf(response)).not.toContain('<script');
      expect(headerValue(response.headers, 'content-security-policy')).toContain(
        "default-src 'none'",
      );
    }
  });
});
