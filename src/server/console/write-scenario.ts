import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** A rule with one answer, for one operation. */
export interface WrittenRule {
  readonly operation: string;
  readonly match?: JsonObject;
  readonly answer: JsonObject;
}

/** A scenario with one rule as a YAML file, in the manner of a person. Numbers keep every digit. */
export function writeScenario(
  description: string,
  { operation, match, answer }: WrittenRule,
): string {
  return `${writeBlock({ description, rules: [{ operation, ...(match === undefined ? {} : { match }), answers: [answer] }] }, 0)}\n`;
}

const longestLine = 72;

/**
 * Every line begins with the indentation, and what follows a name on its line is written as JSON,
 * which YAML takes.
 */
function writeBlock(value: JsonValue, indent: number): string {
  const pad = ' '.repeat(indent);
  if (isJsonArray(value))
    return value
      .map(
        (item) =>
          `${pad}- ${isShort(item) ? writeFlow(item) : writeBlock(item, indent + 2).trimStart()}`,
      )
      .join('\n');
  if (!isJsonObject(value)) return `${pad}${writeFlow(value)}`;
  return Object.entries(value)
    .map(
      ([name, member]) =>
        `${pad}${writeName(name)}:${isShort(member) ? ` ${writeFlow(member)}` : `\n${writeBlock(member, indent + 2)}`}`,
    )
    .join('\n');
}

/** A list or an object of its own lines is one of others, or one that is long. */
function isShort(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return true;
  const members = Object.values(value);
  return (
    members.length === 0 ||
    (writeFlow(value).length <= longestLine &&
      members.every((member) => !isJsonObject(member) && !isJsonArray(member)) &&
      members.length <= 4 &&
      !Object.hasOwn(value, 'status'))
  );
}

function writeFlow(value: JsonValue): string {
  if (isJsonObject(value))
    return Object.keys(value).length === 0
      ? '{}'
      : `{ ${Object.entries(value)
          .map(([name, member]) => `${writeName(name)}: ${writeFlow(member)}`)
          .join(', ')} }`;
  if (isJsonArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  return typeof value === 'string' && isPlain(value) ? value : stringifyJson(value);
}

function writeName(name: string): string {
  return isPlain(name) ? name : stringifyJson(name);
}

/** A word that no reader of YAML takes for anything else than a text. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z_][\w-]*( [A-Za-z][\w-]*)*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
  );
}
