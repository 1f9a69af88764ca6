import type { HttpResponse } from '../../../http/message.ts';
import type { JsonObject } from '../../../json/value.ts';
import { type Granted, issueAccess, issueIdToken } from '../issue-tokens.ts';
import { emptyResponse, type OAuthRefusal, refuseOAuth, unstored } from '../oauth-refusal.ts';
import { type Fields, readBodyFields, readQueryFields } from '../read-client.ts';
import { makeName, secondsOf, type TokenVisit } from '../token-options.ts';
import {
  type AuthorizationRequest,
  type Caller,
  readAuthorizationRequest,
  readCaller,
  responseMode,
  withParameters,
} from './authorization-request.ts';
import { admitPerson, defaultPerson, findPerson, type Person, scopesFor } from './find-person.ts';

/** The lifetime of a code in seconds (RFC 6749, section 4.1.2, recommends at most ten minutes). */
const codeLifetime = 300;

/** A valid authorization request. */
interface LoginAttempt {
  readonly visit: TokenVisit;
  readonly fields: Fields;
  readonly caller: Caller;
  readonly request: AuthorizationRequest;
}

/**
 * The authorization endpoint (RFC 6749, section 3.1). Shows a login page; with `login_hint` or
 * `prompt=none` it redirects at once, so that programs can log in too.
 */
export async function authorize(visit: TokenVisit): Promise<HttpResponse> {
  const fields =
    visit.request.method === 'POST'
      ? readBodyFields(visit.request)
      : readQueryFields(visit.request);
  if (fields.kind === 'refusal') return showRefusal(fields);
  const caller = readCaller(fields, visit);
  if (caller.kind === 'refusal') return showRefusal(caller);
  const request = readAuthorizationRequest(fields, caller, visit);
  if (request.kind === 'refusal') return sendBack(caller, fields, visit, refusalMembers(request));
  const attempt = { visit, fields, caller, request };
  return visit.request.method === 'POST' ? answerForm(attempt) : answerLink(attempt);
}

/** Without a valid client and redirect URI there is no redirect. */
function showRefusal({ error, description }: OAuthRefusal): HttpResponse {
  const content = `<p>${escapeHtml(`${error}: ${description}`)}</p>`;
  return htmlResponse({ status: 400, title: 'This login cannot begin', content });
}

async function answerLink(attempt: LoginAttempt): Promise<HttpResponse> {
  const { fields, caller, visit } = attempt;
  const prompts = (fields.get('prompt') ?? '').split(' ');
  const hint = fields.get('login_hint');
  const atOnce =
    prompts.includes('none') ||
    (hint !== undefined && !prompts.includes('login') && !prompts.includes('consent'));
  if (!atOnce) return showConsent(attempt, 200);
  const person = findPerson(
    hint ?? visit.parts.settings.users?.[0]?.name ?? defaultPerson,
    visit.parts.settings,
  );
  if (person !== undefined) return logIn(attempt, person);
  return sendBack(
    caller,
    fields,
    visit,
    refusalMembers(refuseOAuth('login_required', 'There is no user of the name in login_hint.')),
  );
}

async function answerForm(attempt: LoginAttempt): Promise<HttpResponse> {
  const { fields, caller, visit } = attempt;
  if (fields.get('action') !== 'allow')
    return sendBack(
      caller,
      fields,
      visit,
      refusalMembers(refuseOAuth('access_denied', 'The person said no.')),
    );
  const person = admitPerson(
    fields.get('username') ?? defaultPerson,
    fields.get('password') ?? '',
    visit.parts.settings,
  );
  return person === undefined
    ? showConsent(attempt, 400, 'The user and password are not known here.')
    : logIn(attempt, person);
}

const ownFields: readonly string[] = ['action', 'username', 'password'];

function showConsent(
  { visit, fields, caller, request }: LoginAttempt,
  status: number,
  complaint = '',
): HttpResponse {
  const { settings, contract } = visit.parts;
  const scopes = request.scopes
    .map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`)
    .join('');
  const hidden = fields.names
    .filter((name) => !ownFields.includes(name))
    .map((name) => hiddenField(name, fields.get(name) ?? ''));
  const content = [
    `<p>This is a mock. <b>${escapeHtml(caller.client.id)}</b> asks for ` +
      `access to ${escapeHtml(contract.title)}${scopes === '' ? '.' : ':'}</p>`,
    ...(scopes === '' ? [] : [`<ul>${scopes}</ul>`]),
    ...(complaint === '' ? [] : [`<p role="alert">${escapeHtml(complaint)}</p>`]),
    `<form method="post" action="${escapeHtml(visit.path)}">`,
    ...hidden,
    personFields(
      fields.get('username') ??
        fields.get('login_hint') ??
        settings.users?.[0]?.name ??
        defaultPerson,
      settings.users !== undefined,
    ),
    '</form>',
    `<p>You are sent back to <code>${escapeHtml(caller.redirect.href)}</code></p>`,
  ];
  return htmlResponse({
    status,
    title: 'Log in',
    content: content.join('\n'),
    formTargets: [formTarget(caller.redirect)],
  });
}

/** A URL with a private scheme has no origin; the scheme alone is used. */
function formTarget(redirect: URL): string {
  return redirect.origin === 'null' ? redirect.protocol : redirect.origin;
}

async function logIn(attempt: LoginAttempt, person: Person): Promise<HttpResponse> {
  const { visit, fields, caller, request } = attempt;
  const granted: Granted = {
    clientId: caller.client.id,
    person: person.name,
    scopes: scopesFor(person, request.scopes),
    grant: makeName(visit.parts),
    nonce: request.nonce,
  };
  const members =
    request.responseType === 'code'
      ? { code: await makeCode(granted, attempt) }
      : await issueAtOnce(granted, attempt);
  return sendBack(caller, fields, visit, members);
}

/** A code contains its own grant, so that every replica with the same secret accepts it. */
function makeCode(granted: Granted, { visit, caller, request }: LoginAttempt): Promise<string> {
  const issued = secondsOf(visit.now);
  return visit.parts.signer.sign('vouch-code+jwt', {
    iss: visit.issuer,
    aud: visit.issuer,
    sub: granted.person ?? '',
    person: granted.person ?? '',
    client_id: granted.clientId,
    scope: granted.scopes.join(' '),
    jti: makeName(visit.parts),
    grant: granted.grant,
    iat: issued,
    exp: issued + codeLifetime,
    ...(caller.redirectUri === undefined ? {} : { redirect_uri: caller.redirectUri }),
    ...(request.challenge === undefined
      ? {}
      : { code_challenge: request.challenge, code_challenge_method: request.method }),
    ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
  });
}

async function issueAtOnce(
  granted: Granted,
  { visit, request: { responseType } }: LoginAttempt,
): Promise<JsonObject> {
  if (responseType === 'id_token') return issueIdToken(granted, visit);
  const { token, members } = await issueAccess(granted, visit);
  return {
    ...members,
    ...(responseType === 'token' ? {} : await issueIdToken(granted, visit, token)),
  };
}

function refusalMembers({ error, description }: OAuthRefusal): JsonObject {
  return { error, error_description: description };
}

/**
 * Redirects to the client, with the received `state` and the issuer (RFC 9207); 303 turns any
 * method into GET (RFC 9700, section 4.12).
 */
function sendBack(
  { redirect }: Caller,
  fields: Fields,
  visit: TokenVisit,
  members: JsonObject,
): HttpResponse {
  const pairs = Object.entries({ ...members, state: fields.get('state'), iss: visit.issuer }).map(
    ([name, value]) => [name, value === undefined ? undefined : String(value)] as const,
  );
  return emptyResponse(303, [
    ['Location', withParameters(redirect, pairs, responseMode(fields))],
    ['Referrer-Policy', 'no-referrer'],
  ]);
}

/** A self-contained HTML page. */
interface HtmlPage {
  readonly status: number;
  readonly title: string;
  /** HTML; external texts must be escaped with `escapeHtml`. */
  readonly content: string;
  /** The allowed targets of its form; a browser counts redirects too. */
  readonly formTargets?: readonly string[];
}

/**
 * Writes a page that runs no script, loads nothing and cannot be framed (Content Security Policy,
 * level 3).
 */
function htmlResponse({ status, title, content, formTargets = [] }: HtmlPage): HttpResponse {
  const policy = [
    "default-src 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  const html =
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta ' +
    'name="viewport" ' +
    `content="width=device-width">\n<title>${escapeHtml(title)}</` +
    `title>\n<h1>${escapeHtml(title)}</h1>\n${content}\n</html>\n`;
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policy],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Frame-Options', 'DENY'],
      ['Referrer-Policy', 'no-referrer'],
      ...unstored,
    ],
    body: new TextEncoder().encode(html),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element, or of a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The fields for name and password; the password only if it is verified. */
function personFields(name: string, withPassword: boolean): string {
  const password = withPassword
    ? '<p><label>Password <input type="password" name="password" autocomplete="off"></label></p>\n'
    : '';
  return (
    `<p><label>User <input name="username" value="${escapeHtml(name)}" ` +
    `autocomplete="off" required></label></p>\n${password}<p><button ` +
    'name="action" value="allow">Allow</button> <button name="action" ' +
    'value="deny" formnovalidate>Deny</button></p>'
  );
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}
