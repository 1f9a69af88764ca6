import { parseAuthority } from './authority.ts';

const absolute = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * A request target as path and query, as it stands on the wire (RFC 9112, section 3.2). The
 * absolute form loses its scheme and authority, and `*` stays as it is. Undefined where the target
 * has none of these forms, or carries a fragment.
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  const [, authority, rest] = absolute.exec(target) ?? [];
  if (authority === undefined || rest === undefined || parseAuthority(authority) === undefined)
    return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
