import type { HttpResponse } from '../../../http/message.ts';
import type { JsonObject } from '../../../json/value.ts';
import { type Granted, issueAccess, issueIdToken } from '../issue-tokens.ts';
import { emptyResponse, type OAuthRefusal, refuseOAuth } from '../oauth-refusal.ts';
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
import { admitPerson, anybody, findPerson, type Person, scopesFor } from './find-person.ts';
import { escapeHtml, hiddenField, htmlResponse, messagePage, personFields } from './html-page.ts';

/**
 * How long a code is good for, in seconds (RFC 6749, section 4.1.2, has ten minutes as the most).
 */
const codeLifetime = 300;

/** A request whose every part is sound. */
interface Asking {
  readonly visit: TokenVisit;
  readonly fields: Fields;
  readonly caller: Caller;
  readonly request: AuthorizationRequest;
}

/**
 * The authorization endpoint (RFC 6749, section 3.1). It shows a page that asks who logs in; with
 * `login_hint` or `prompt=none` it sends the person back at once, so that programs can log in too.
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
  const asking = { visit, fields, caller, request };
  return visit.request.method === 'POST' ? answerForm(asking) : answerLink(asking);
}

/** Where it is not sure who asked, nobody is sent anywhere. */
function showRefusal({ error, description }: OAuthRefusal): HttpResponse {
  return messagePage(400, 'This login cannot begin', `${error}: ${description}`);
}

async function answerLink(asking: Asking): Promise<HttpResponse> {
  const { fields, caller, visit } = asking;
  const prompts = (fields.get('prompt') ?? '').split(' ');
  const hint = fields.get('login_hint');
  const atOnce =
    prompts.includes('none') ||
    (hint !== undefined && !prompts.includes('login') && !prompts.includes('consent'));
  if (!atOnce) return showConsent(asking, 200);
  const person = findPerson(
    hint ?? visit.parts.settings.users?.[0]?.name ?? anybody,
    visit.parts.settings,
  );
  if (person !== undefined) return letIn(asking, person);
  return sendBack(
    caller,
    fields,
    visit,
    refusalMembers(refuseOAuth('login_required', 'There is no user of the name in login_hint.')),
  );
}

async function answerForm(asking: Asking): Promise<HttpResponse> {
  const { fields, caller, visit } = asking;
  if (fields.get('action') !== 'allow')
    return sendBack(
      caller,
      fields,
      visit,
      refusalMembers(refuseOAuth('access_denied', 'The person said no.')),
    );
  const person = admitPerson(
    fields.get('username') ?? anybody,
    fields.get('password') ?? '',
    visit.parts.settings,
  );
  return person === undefined
    ? showConsent(asking, 400, 'The user and password are not known here.')
    : letIn(asking, person);
}

const ownFields: readonly string[] = ['action', 'username', 'password'];

function showConsent(
  { visit, fields, caller, request }: Asking,
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
      fields.get('username') ?? fields.get('login_hint') ?? settings.users?.[0]?.name ?? anybody,
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

/** An address with a scheme of an app's own has no origin; its scheme alone stands for it. */
function formTarget(redirect: URL): string {
  return redirect.origin === 'null' ? redirect.protocol : redirect.origin;
}

async function letIn(asking: Asking, person: Person): Promise<HttpResponse> {
  const { visit, fields, caller, request } = asking;
  const granted: Granted = {
    clientId: caller.client.id,
    person: person.name,
    scopes: scopesFor(person, request.scopes),
    grant: makeName(visit.parts),
    nonce: request.nonce,
  };
  const members =
    request.responseType === 'code'
      ? { code: await makeCode(granted, asking) }
      : await issueAtOnce(granted, asking);
  return sendBack(caller, fields, visit, members);
}

/**
 * A code says by itself what it is good for, so that every replica with the same secret can take
 * it.
 */
function makeCode(granted: Granted, { visit, caller, request }: Asking): Promise<string> {
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
  { visit, request: { responseType } }: Asking,
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
 * Back to the client, with `state` as it came and the name of who answers (RFC 9207); 303 makes a
 * GET of whatever came (RFC 9700, section 4.12).
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
