/**
 * A client of OAuth 2.0 as small as can be, written from the RFCs and not from the mock: it
 * discovers, logs in, renews and calls.
 */
export interface OAuthClient {
  /**
   * Authorization code with PKCE (RFC 6749, section 4.1; RFC 7636): opens the link as a browser
   * would, and answers the tokens.
   */
  logIn(scope: string, open: (link: string) => Promise<string>): Promise<TokenSet>;
  renew(tokens: TokenSet): Promise<TokenSet>;
  /** Client credentials (section 4.4). */
  actForItself(scope: string): Promise<TokenSet>;
  readonly metadata: Readonly<Record<string, string>>;
}

export type TokenSet = Readonly<
  Record<'access_token' | 'refresh_token' | 'id_token' | 'scope', string>
>;

export interface ClientRegistration {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

/**
 * Reads the issuer's metadata and refuses it where it names another issuer (RFC 8414, section 3.3).
 */
export async function discover(
  issuer: string,
  registration: ClientRegistration,
): Promise<OAuthClient> {
  const metadata = Object.fromEntries(
    Object.entries(await readJson(await fetch(`${issuer}/.well-known/openid-configuration`))).map(
      ([name, value]) => [name, String(value)],
    ),
  );
  if (metadata['issuer'] !== issuer)
    throw new Error(`The metadata is of ${String(metadata['issuer'])}`);
  const credentials = [registration.id, registration.secret].map(encodeURIComponent).join(':');
  const authorization = `Basic ${btoa(credentials)}`;
  const ask = async (parameters: Record<string, string>): Promise<TokenSet> => {
    const response = await fetch(metadata['token_endpoint'] ?? '', {
      method: 'POST',
      body: new URLSearchParams(parameters),
      headers: { authorization },
    });
    const members = await readJson(response);
    if (!response.ok) throw new Error(`${String(response.status)} ${String(members['error'])}`);
    if (members['token_type'] !== 'Bearer') throw new Error('The token is of another type.');
    return members as TokenSet;
  };
  return {
    metadata,
    actForItself: (scope) => ask({ grant_type: 'client_credentials', scope }),
    renew: ({ refresh_token }) => ask({ grant_type: 'refresh_token', refresh_token }),
    async logIn(scope, open) {
      const [verifier, state] = [crypto.randomUUID() + crypto.randomUUID(), crypto.randomUUID()];
      const link = new URL(metadata['authorization_endpoint'] ?? '');
      const asked = {
        response_type: 'code',
        client_id: registration.id,
        redirect_uri: registration.redirectUri,
        scope,
        state,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256',
      };
      link.search = new URLSearchParams(asked).toString();
      const back = new URL(await open(link.href));
      const brought = Object.fromEntries(back.searchParams);
      if (brought['state'] !== state || brought['iss'] !== issuer)
        throw new Error('The answer belongs to another question.');
      if (brought['code'] === undefined) throw new Error(brought['error'] ?? 'no code');
      return ask({
        grant_type: 'authorization_code',
        code: brought['code'],
        redirect_uri: registration.redirectUri,
        code_verifier: verifier,
      });
    },
  };
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json();
  if (typeof value !== 'object' || value === null) throw new Error('The body is no object.');
  return Object.fromEntries(Object.entries(value));
}

async function challengeOf(verifier: string): Promise<string> {
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
  );
  return Buffer.from(hash).toString('base64url');
}

/**
 * Opens a link and presses the button on the page that comes, as a person of that name: where the
 * browser is sent then.
 */
export function asPerson(
  username: string,
  action: 'allow' | 'deny' = 'allow',
): (link: string) => Promise<string> {
  return async (link) => {
    const page = await (await fetch(link)).text();
    const target = /<form method="post" action="([^"]*)"/.exec(page)?.[1] ?? '';
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [unescape(name), unescape(value)],
    );
    const body = new URLSearchParams([...hidden, ['username', username], ['action', action]] as [
      string,
      string,
    ][]);
    const response = await fetch(new URL(target, link), {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    return response.headers.get('location') ?? '';
  };
}

function unescape(text: string): string {
  const characters: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity);
}
