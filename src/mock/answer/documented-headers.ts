import type { HeaderSpec } from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import { expectedValue, readScalar } from '../../contract/parameter/expected-value.ts';
import { headerForm } from '../../contract/parameter/parameter-form.ts';
import { type HeaderList, headerValue } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import { normaliseName } from '../../values/named-texts.ts';
import { plainValue } from '../../values/plain-value.ts';
import { headerText } from '../errors/visible-text.ts';
import { type HeaderFacts, headerRole, type HeaderRole } from './header-roles.ts';

/**
 * Fields for the headers that the contract documents: those that are required get a value, and so
 * do those of which something is known.
 */
export function fillHeaders(documented: readonly HeaderSpec[], facts: HeaderFacts): HeaderList {
  return documented.flatMap((header) => {
    if (headerValue(facts.present, header.name) !== undefined) return [];
    const role = roleOf(header);
    if (role === 'framing') return [];
    const value =
      known(header, role, facts) ?? (header.required ? make(header, facts.seed) : undefined);
    return value === undefined ? [] : [[header.name, headerText(value)] as const];
  });
}

const roles = new WeakMap<HeaderSpec, HeaderRole | 'framing' | 'none'>();

function roleOf(header: HeaderSpec): HeaderRole | 'framing' | 'none' {
  const role = roles.get(header) ?? headerRole(normaliseName(header.name)) ?? 'none';
  roles.set(header, role);
  return role;
}

/**
 * What is known of a header: the contract's example, unless the answer itself knows better; else
 * what headers of its name say.
 */
function known(
  header: HeaderSpec,
  role: HeaderRole | 'none',
  facts: HeaderFacts,
): string | undefined {
  if (role === 'none' || !(header.required || role.optional(facts))) return undefined;
  const shown = role.tellsState ? undefined : exampleOf(header);
  const value = shown ?? role.tell(facts).find((candidate) => isValid(header, candidate));
  return value === undefined ? undefined : write(header, value);
}

function make(header: HeaderSpec, seed: string): string | undefined {
  const example = exampleOf(header);
  if (example !== undefined) return write(header, example);
  const made = plainValue(header.schema, { seed: `${seed} ${header.name}`, direction: 'response' });
  return made.ok ? write(header, made.value) : undefined;
}

function exampleOf(header: HeaderSpec): JsonValue | undefined {
  return header.examples
    .map(({ value }) => asTyped(header, value))
    .find((value) => isValid(header, value));
}

/** An example of a header is often the text on the wire: `"60"` for 60. */
function asTyped({ schema }: HeaderSpec, value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const reading = readScalar(value, expectedValue(schema).types);
  return reading.ok ? reading.values[0] : value;
}

function isValid({ schema }: HeaderSpec, value: JsonValue): boolean {
  return schema.validate(value, 'response').length === 0;
}

function write(header: HeaderSpec, value: JsonValue): string {
  const encoded = encodeParameter(headerForm(header), value);
  return encoded.in === 'header' ? encoded.value : '';
}
