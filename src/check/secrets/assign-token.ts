import type { Contract, Operation, SecurityScheme } from '../../contract/model.ts';
import { isSecured, usableRequirements } from './credential.ts';

/** Tokens as a user gives them: one without a name, and those of named security schemes. */
export interface GivenTokens {
  readonly token?: string;
  readonly tokens?: Readonly<Record<string, string>>;
}

/**
 * The schemes that the unnamed token is sent for. Several candidates: nobody said which of them it
 * is for.
 */
export interface TokenAssignment {
  /**
   * The names of one scheme, or of several that travel alike; empty where the token is not sent.
   */
  readonly schemes: readonly string[];
  /**
   * Groups of schemes that operations ask for and that have no token; schemes of a group travel
   * alike.
   */
  readonly candidates: readonly (readonly string[])[];
}

/**
 * Decides what the unnamed token is for: the only scheme without a named token that an operation
 * still needs. Schemes that travel alike, such as OAuth 2.0 and bearer, count as one. With several
 * it is for none, since any choice would be a guess. All operations of the contract count, so that
 * a narrower run never sends the token to another scheme.
 */
export function assignToken(contract: Contract, { tokens = {} }: GivenTokens): TokenAssignment {
  const named = new Set(
    Object.entries(tokens).flatMap(([name, value]) => (value === '' ? [] : [name])),
  );
  const needed = contract.operations.flatMap((operation) => schemesWithout(operation, named));
  const groups = Map.groupBy(new Set(needed), travelForm);
  const candidates = [...groups.values()].map((group) => group.map(({ name }) => name));
  return { schemes: candidates.length === 1 ? (candidates[0] ?? []) : [], candidates };
}

/**
 * The schemes in which an operation takes a credential and has none; empty where the named ones are
 * enough.
 */
function schemesWithout(operation: Operation, named: ReadonlySet<string>): SecurityScheme[] {
  if (!isSecured(operation)) return [];
  const requirements = usableRequirements(operation);
  if (requirements.some((requirement) => requirement.every(({ scheme }) => named.has(scheme.name))))
    return [];
  return requirements
    .flatMap((requirement) => requirement.map(({ scheme }) => scheme))
    .filter(({ name }) => !named.has(name));
}

/**
 * Where and in which form the credential of a scheme travels: equal for schemes that a server
 * cannot tell apart.
 */
function travelForm(scheme: SecurityScheme): string {
  if (scheme.kind !== 'apiKey') return scheme.kind;
  return `${scheme.in} ${scheme.in === 'header' ? scheme.key.toLowerCase() : scheme.key}`;
}

/** How a run is given the key of a mock, which knows it under every scheme. */
export function giveMockKey(contract: Contract, token: string): GivenTokens {
  if (assignToken(contract, {}).candidates.length < 2) return { token };
  return {
    tokens: Object.fromEntries([...contract.securitySchemes.keys()].map((name) => [name, token])),
  };
}

/** The tokens of a contract's schemes by name; what may be for several schemes is for none. */
export function tokensByScheme(
  contract: Contract,
  given: GivenTokens,
): Readonly<Record<string, string>> {
  const { token, tokens = {} } = given;
  if (token === undefined) return tokens;
  return {
    ...Object.fromEntries(assignToken(contract, given).schemes.map((name) => [name, token])),
    ...tokens,
  };
}
