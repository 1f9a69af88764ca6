import { VouchError } from '../../errors.ts';

/** Pages of which origins may read answers. */
export type CorsPolicy =
  { readonly kind: 'any' } | { readonly kind: 'listed'; readonly origins: ReadonlySet<string> };

/** What a user asks for: `true` or `*` for every origin, else the origins one by one. */
export type CorsChoice = boolean | readonly string[];

/**
 * Reads what a user asks for; undefined where CORS is off. Throws `usage` for what is no origin as
 * browsers send it.
 */
export function readCorsPolicy(choice: CorsChoice | undefined): CorsPolicy | undefined {
  if (choice === undefined || choice === false) return undefined;
  if (choice === true || choice.length === 0 || choice.includes('*')) return { kind: 'any' };
  return { kind: 'listed', origins: new Set(choice.map(checkOrigin)) };
}

/**
 * Scheme, host and port in lower case, without a path (Fetch, section 3.2, and RFC 6454, section
 * 6.2); `null` is one too.
 */
function checkOrigin(text: string): string {
  const origin = text.toLowerCase();
  if (origin === 'null') return origin;
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed !== undefined && `${parsed.protocol}//${parsed.host}` === origin) return origin;
  throw new VouchError('usage', `${text.slice(0, 80)} is no origin.`, {
    hint:
      'Write scheme, host and port, and no path: --cors http://localhost:3000. ' +
      'For every origin write --cors alone, behind the document.',
  });
}

/** Whether a page of this origin may read answers. */
export function allowsOrigin(policy: CorsPolicy, origin: string): boolean {
  return policy.kind === 'any' || policy.origins.has(origin.toLowerCase());
}
