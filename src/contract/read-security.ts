import type { Cursor } from './cursor.ts';
import type { SecurityRequirement, SecurityScheme } from './model.ts';

/** The document's security schemes by name (OpenAPI 3.1, section 4.8.27). */
export function readSecuritySchemes(root: Cursor): Map<string, SecurityScheme> {
  const schemes = root.child('components')?.entries('securitySchemes') ?? [];
  return new Map(schemes.map(([name, cursor]) => [name, readScheme(name, cursor)]));
}

function readScheme(name: string, cursor: Cursor): SecurityScheme {
  const { pointer } = cursor;
  const type = cursor.string('type') ?? '';
  const scheme = cursor.string('scheme')?.toLowerCase();
  if (type === 'http' && scheme === 'bearer') return { kind: 'bearer', name, source: 'http', pointer };
  if (type === 'http' && scheme === 'basic') return { kind: 'basic', name, pointer };
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer', name, source: type, pointer };
  const place = cursor.string('in');
  const key = cursor.string('name');
  if (type === 'apiKey' && key !== undefined && (place === 'header' || place === 'query' || place === 'cookie')) {
    return { kind: 'apiKey', name, in: place, key, pointer };
  }
  return { kind: 'unsupported', name, type: scheme === undefined ? type : `${type} ${scheme}`, pointer };
}

/**
 * The requirements that hold for an operation: its own `security`, else the document's (OpenAPI 3.1, section 4.8.10).
 * Throws where one names a scheme that the document does not declare.
 */
export function readSecurity(operation: Cursor, root: Cursor, schemes: ReadonlyMap<string, SecurityScheme>): SecurityRequirement[] {
  const owner = operation.raw('security') === undefined ? root : operation;
  return owner.items('security').map((requirement) =>
    Object.entries(requirement.object).map(([name, scopes]) => {
      const scheme = schemes.get(name);
      if (scheme === undefined) {
        throw requirement.tree.fault(requirement.pointer, `There is no security scheme named ${name}.`, `Declare it under components.securitySchemes, or name one of: ${[...schemes.keys()].join(', ') || 'none is declared'}.`);
      }
      return { scheme, scopes: Array.isArray(scopes) ? scopes.map(String) : [] };
    }),
  );
}
