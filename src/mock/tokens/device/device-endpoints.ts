import type { HttpResponse } from '../../../http/message.ts';
import { grantScopes } from '../declared-scopes.ts';
import {
  admitPerson,
  defaultPerson,
  findPerson,
  type Person,
  scopesFor,
} from '../login/find-person.ts';
import {
  escapeHtml,
  hiddenField,
  htmlResponse,
  messagePage,
  personFields,
} from '../login/html-page.ts';
import { jsonResponse, refusalResponse } from '../oauth-refusal.ts';
import { type Fields, readBodyFields, readClient, readQueryFields } from '../read-client.ts';
import { makeName, type TokenVisit } from '../token-options.ts';
import type { WaitingDevice } from '../token-memory.ts';

/** The lifetime of a device code and the polling interval, in seconds. */
const lifetime = 600;
const interval = 1;

/**
 * Without vowels, so that no words occur, and without letters that look like digits (RFC 8628,
 * section 6.1).
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';

/**
 * The device authorization endpoint (RFC 8628, sections 3.1 and 3.2). With `login_hint`, an
 * extension, the person with that name approves at once, so that programs need no second window.
 */
export function authorizeDevice(visit: TokenVisit): HttpResponse {
  const { parts, request, now, issuer } = visit;
  const fields = readBodyFields(request);
  if (fields.kind === 'refusal') return refusalResponse(fields);
  const client = readClient(request, fields, parts.settings);
  if (client.kind === 'refusal') return refusalResponse(client);
  const scopes = grantScopes(fields.get('scope'), {
    declared: parts.declared(),
    limits: [client.known?.scopes],
  });
  if ('kind' in scopes) return refusalResponse(scopes);
  const hint = fields.get('login_hint');
  const person = hint === undefined ? undefined : findPerson(hint, parts.settings);
  const device: WaitingDevice = {
    deviceCode: makeName(parts),
    userCode: makeUserCode(parts.random),
    clientId: client.id,
    scopes,
    expires: now.getTime() + lifetime * 1000,
    decision: { kind: 'pending' },
  };
  parts.devices.add(device);
  if (person !== undefined) allow(device, person, visit);
  const page = `${issuer}/device`;
  return jsonResponse({
    device_code: device.deviceCode,
    user_code: device.userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${device.userCode}`,
    expires_in: lifetime,
    interval,
  });
}

function makeUserCode(random: (length: number) => Uint8Array): string {
  const letters = Array.from(random(8), (byte) => alphabet[byte % alphabet.length] ?? '');
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

function allow(device: WaitingDevice, person: Person, { parts }: TokenVisit): void {
  parts.devices.decide(
    { ...device, scopes: scopesFor(person, device.scopes) },
    { kind: 'allowed', person: person.name },
  );
}

/** The page on which a person approves a device (RFC 8628, section 3.3). */
export function showDevicePage(visit: TokenVisit): HttpResponse {
  const { request, parts, now } = visit;
  const fields = request.method === 'POST' ? readBodyFields(request) : readQueryFields(request);
  if (fields.kind === 'refusal') return messagePage(400, 'Let a device in', fields.description);
  const typed = fields.get('user_code');
  if (typed === undefined) return codePage(visit, 200, 'Type the code that the device shows.');
  const device = parts.devices.findByUserCode(typed, now);
  if (device === undefined)
    return codePage(
      visit,
      400,
      'No device waits with this code. Codes are good for ten minutes, and for one time.',
    );
  return request.method === 'POST'
    ? decide(visit, device, fields)
    : decisionPage(visit, device, 200);
}

function decide(visit: TokenVisit, device: WaitingDevice, fields: Fields): HttpResponse {
  if (fields.get('action') === undefined) return decisionPage(visit, device, 200);
  if (fields.get('action') !== 'allow') {
    visit.parts.devices.decide(device, { kind: 'denied' });
    return messagePage(
      200,
      'Let a device in',
      'The device is turned away. You can close this page.',
    );
  }
  const person = admitPerson(
    fields.get('username') ?? defaultPerson,
    fields.get('password') ?? '',
    visit.parts.settings,
  );
  if (person === undefined)
    return decisionPage(visit, device, 400, 'The user and password are not known here.');
  allow(device, person, visit);
  return messagePage(200, 'Let a device in', 'The device is let in. You can close this page.');
}

function codePage({ path }: TokenVisit, status: number, sentence: string): HttpResponse {
  const form =
    `<form method="post" action="${escapeHtml(path)}"><p><label>Code <input ` +
    'name="user_code" autocomplete="off" required></label> <button>Go on</' +
    'button></p></form>';
  return htmlResponse({
    status,
    title: 'Let a device in',
    content: `<p>${escapeHtml(sentence)}</p>\n${form}`,
  });
}

function decisionPage(
  { path, parts }: TokenVisit,
  device: WaitingDevice,
  status: number,
  complaint = '',
): HttpResponse {
  const { settings } = parts;
  const content = [
    '<p>This is a mock. The device with the code ' +
      `<b>${escapeHtml(device.userCode)}</b> (${escapeHtml(device.clientId)}) ` +
      'asks for access.</p>',
    ...(complaint === '' ? [] : [`<p role="alert">${escapeHtml(complaint)}</p>`]),
    `<form method="post" action="${escapeHtml(path)}">`,
    hiddenField('user_code', device.userCode),
    personFields(settings.users?.[0]?.name ?? defaultPerson, settings.users !== undefined),
    '</form>',
  ];
  return htmlResponse({ status, title: 'Let a device in', content: content.join('\n') });
}
