/** Says what is wrong with a value; undefined if nothing is. */
export type Rule = (value: unknown, name: string) => string | undefined;

/** Text of `min` to `max` characters (Unicode code points). */
export function text(min: number, max: number, pattern?: RegExp): Rule {
  return (value, name) => {
    if (typeof value !== 'string') return `${name} must be a text.`;
    const { length } = [...value];
    if (length < min || length > max)
      return `${name} must have ${String(min)} to ${String(max)} characters.`;
    return pattern?.test(value) === false ? `${name} has the wrong form.` : undefined;
  };
}

/** A whole number, `3.0` included. */
export function whole(min: number | bigint, max: number | bigint): Rule {
  return (value, name) => {
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    if (isWhole && (value as number) >= min && (value as number) <= max) return undefined;
    return `${name} must be a whole number from ${String(min)} to ${String(max)}.`;
  };
}

export function oneOf(values: readonly string[]): Rule {
  return (value, name) =>
    values.includes(value as string) ? undefined : `${name} must be one of ${values.join(', ')}.`;
}

export const flag: Rule = (value, name) =>
  typeof value === 'boolean' ? undefined : `${name} must be true or false.`;

/** A date of the calendar (RFC 3339 full-date). */
export const date: Rule = (value, name) =>
  typeof value === 'string' && isDate(value) ? undefined : `${name} must be a date.`;

export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
}

/** A moment with its offset from UTC (RFC 3339 date-time). */
export const dateTime: Rule = (value, name) =>
  typeof value === 'string' && isDateTime(value) ? undefined : `${name} must be a date-time.`;

export function isDateTime(value: string): boolean {
  const form = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?/;
  const zone = /([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
  const day = form.exec(value)?.[1];
  if (day === undefined || !isDate(day) || !zone.test(value)) return false;
  return value.replace(form, '').replace(zone, '') === '' && !Number.isNaN(Date.parse(value));
}

const label = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const host = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const address = new RegExp(`^${label}(?:\\.${label})*@(?:${host}\\.)+${host}$`, 'i');

export const email: Rule = (value, name) =>
  text(3, 120)(value, name) ??
  (address.test(value as string) ? undefined : `${name} must be an e-mail address.`);

export function orNull(rule: Rule): Rule {
  return (value, name) => (value === null ? undefined : rule(value, name));
}

interface Length {
  readonly min?: number;
  readonly max?: number;
  readonly unique?: boolean;
}

export function listOf(rule: Rule, { min = 0, max = 100, unique = false }: Length = {}): Rule {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} must be a list.`;
    if (value.length < min || value.length > max)
      return `${name} must have ${String(min)} to ${String(max)} entries.`;
    if (unique && new Set(value).size < value.length) return `${name} must not repeat entries.`;
    for (const [index, entry] of value.entries()) {
      const fault = rule(entry, `${name}[${String(index)}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** An object with these fields; others are ignored, or refused where it is closed. */
export function fields(
  rules: Readonly<Record<string, Rule>>,
  required: readonly string[],
  isClosed = false,
): Rule {
  return (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `${name} must be an object.`;
    for (const field of required)
      if (!Object.hasOwn(value, field)) return `${name}.${field} is required.`;
    const odd = Object.keys(value).find((field) => !Object.hasOwn(rules, field));
    if (isClosed && odd !== undefined) return `${name}.${odd} is not known.`;
    for (const [field, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(value, field)) continue;
      const fault = rule((value as Record<string, unknown>)[field], `${name}.${field}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** The fields of a body that have these names. */
export function pick(body: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body as object).filter(([name]) => names.includes(name)),
  );
}
