import type { SecurityRequirement, SecurityScheme } from './security-model.ts';

/**
 * The schemes of a requirement that want the header `Authorization` for themselves, each in another
 * form: a request has that header once (RFC 9110, section 5.3), so it can meet one of them and no
 * more. Empty where a request can meet all.
 */
export function rivalSchemes(requirement: SecurityRequirement): readonly SecurityScheme[] {
  if (requirement.length < 2) return [];
  const claimants = requirement
    .map(({ scheme }) => scheme)
    .filter((scheme) => formOf(scheme) !== undefined);
  return new Set(claimants.map(formOf)).size < 2 ? [] : claimants;
}

/** The first word of the header; an API key has none. Undefined for what travels elsewhere. */
function formOf(scheme: SecurityScheme): string | undefined {
  switch (scheme.kind) {
    case 'bearer':
    case 'basic':
      return scheme.kind;
    case 'http':
      return scheme.scheme.toLowerCase();
    case 'apiKey':
      return scheme.in === 'header' && scheme.key.toLowerCase() === 'authorization'
        ? ''
        : undefined;
    case 'mutualTLS':
    case 'unsupported':
      return undefined;
  }
}
