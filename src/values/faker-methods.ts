import { plainName } from '../contract/infer/infer-names.ts';
import { isJsonObject, objectOf } from '../json/value.ts';
import type { View } from './view.ts';

/**
 * The faker method for a text, by name; the first pattern that matches the normalized name applies.
 */
const usual: readonly [RegExp, string][] = [
  [/(uuid|guid)$|[a-z]ids?$|^id$/, 'string.uuid'],
  [/(first|given)name|forename/, 'person.firstName'],
  [/(last|family|sur)name/, 'person.lastName'],
  [/fullname|author|^owner|contact|customername/, 'person.fullName'],
  [/user(name)?$|login|handle|nick/, 'internet.username'],
  [/filename|^file$/, 'system.fileName'],
  [/host(name)?$|domain/, 'internet.domainName'],
  [/mail/, 'internet.exampleEmail'],
  [/phone|mobile|fax|^tel$/, 'phone.number'],
  [/street|address(line)?\d?$/, 'location.streetAddress'],
  [/city|town/, 'location.city'],
  [/countrycode/, 'location.countryCode'],
  [/country|nationality/, 'location.country'],
  [/^state$|region|province/, 'location.state'],
  [/zip|postal|postcode/, 'location.zipCode'],
  [/company|organi[sz]ation|vendor|brand|manufacturer/, 'company.name'],
  [/product(name)?$/, 'commerce.productName'],
  [/job|occupation|profession/, 'person.jobTitle'],
  [/title|subject|headline/, 'book.title'],
  [
    /description|summary|comment|content|^body|^text|note|message|reason|bio|about|detail/,
    'company.catchPhrase',
  ],
  [/(url|uri|link|href|website|homepage)$/, 'internet.url'],
  [/image|photo|avatar|picture|logo|icon|thumbnail/, 'image.url'],
  [/colou?r/, 'color.human'],
  [/currency/, 'finance.currencyCode'],
  [/timezone|^tz$/, 'location.timeZone'],
  [/secret|token|password|passphrase|key$/, 'string.nanoid'],
  [/version/, 'system.semver'],
  [/mime|mediatype|contenttype/, 'system.mimeType'],
  [/slug/, 'word.noun'],
  [/name/, 'person.firstName'],
];

/** The faker method for a text with this normalized name, as `module.method`. */
export function fakerMethodFor(name: string): string | undefined {
  return usual.find(([pattern]) => pattern.test(name))?.[1];
}

/** Calls a method of faker. Throws what that throws. */
export type CallFaker = () => unknown;

/**
 * The call that the `x-faker` of a view names: `person.firstName`, or with arguments `{
 * "number.int": [{ "min": 1 }] }`.
 */
export function namedCall(view: View, faker: object): CallFaker | undefined {
  for (const { node } of view.facets) {
    const keyword = node['x-faker'];
    if (typeof keyword !== 'string' && !isJsonObject(keyword)) continue;
    const calls = typeof keyword === 'string' ? [[keyword, []] as const] : Object.entries(keyword);
    const [path, given] = calls[0] ?? [];
    const call = path === undefined || calls.length > 1 ? undefined : callOf(faker, path, given);
    if (call !== undefined) return call;
  }
  return undefined;
}

/**
 * A call of a method of faker, `module.method`. Undefined if there is none: the contract is
 * untrusted, and other members of the object are not accessible.
 */
export function callOf(faker: object, path: string, given: unknown = []): CallFaker | undefined {
  const [moduleName = '', methodName = '', ...rest] = path.split('.');
  const module = rest.length === 0 ? ownMember(faker, moduleName) : undefined;
  const method = ownMember(module, methodName);
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return typeof method === 'function'
    ? () => Reflect.apply(method, module, list) as unknown
    : undefined;
}

function ownMember(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}

/** Field names for faker methods whose own names do not describe the value. */
const subjects: readonly (readonly [RegExp, string])[] = [
  [/^lorem\.(word|slug)/, 'tag'],
  [/^lorem\./, 'description'],
  [/^company\.name$/, 'company'],
  [/^string\.(uuid|nanoid)/, 'uuid'],
  [/^date\.(past|anytime)/, 'createdat'],
  [/^date\.(recent|soon)/, 'updatedat'],
  [/^date\.future/, 'expiresat'],
  [/^date\.birthdate/, 'birthdate'],
  [/^(finance\.amount|commerce\.price)/, 'price'],
  [/^image\./, 'image'],
  [/^(commerce\.product|commerce\.productName)$/, 'product'],
];

/**
 * The normalized field name that `x-faker` implies when values are made without faker:
 * `location.city` is a city. Undefined for a text that is not `module.method`; the name of the
 * field then applies.
 */
export function fakerSubject(view: View): string | undefined {
  for (const { node } of view.facets) {
    const keyword = node['x-faker'];
    const [path] = typeof keyword === 'string' ? [keyword] : Object.keys(objectOf(keyword));
    if (path === undefined || !/^[a-z]+\.\w+$/i.test(path)) continue;
    return (
      subjects.find(([method]) => method.test(path))?.[1] ??
      plainName(path.slice(path.indexOf('.') + 1))
    );
  }
  return undefined;
}
