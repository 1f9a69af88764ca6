import { coded, dayOf, find, findAll, linesOf, rules, text, type Fact } from './fact.ts';
import { cell, sectionOf, type Line, type Section } from './markdown.ts';

/** The operations of the pet store proper, to which "every pet operation" refers. */
const petOperations = ['GET /pets', 'POST /pets', 'GET /pets/{petId}'];

/**
 * What the source says of the interface as a whole: addresses, tags, authentication, errors,
 * limits, versions, gaps.
 */
export function factsOfInterface(sections: readonly Section[]): Fact[] {
  return [
    ...factsOfOpening(sections[0] ?? sectionOf(sections, 'Pet Store Service Interface')),
    ...factsOfPurpose(sectionOf(sections, 'What the service does')),
    ...factsOfAuthentication(sectionOf(sections, 'Authentication')),
    ...factsOfErrors(sectionOf(sections, 'Errors')),
    ...factsOfLimits(sectionOf(sections, 'Limits')),
    ...factsOfVersioning(sectionOf(sections, 'Versioning')),
    ...sections.flatMap(factsOfGaps),
  ];
}

function factsOfOpening(section: Section): Fact[] {
  const { line, groups } = find(
    section,
    /relative to (\{\w+\})\. The production base address ends in the version segment `(\/v1)`\. A staging environment with the same shape has its own base address, (\{\w+\})\.$/,
  );
  const [production, version, staging] = groups;
  return [
    ...rules(section.line, `title ${section.heading}`),
    ...rules(line, `address production ${production}`, `address production ends in ${version}`),
    ...rules(line, `address staging ${staging}`, `address staging ends in ${version}`),
  ];
}

function factsOfPurpose(section: Section): Fact[] {
  const manages = find(section, /^(The service manages .+)\. Clients can:$/);
  const exchange = find(
    section,
    /^(All operations exchange JSON and require bearer authentication)\. .* an operation `(GET \/store\/orders)` is named, .* the tags (`\w+` and `\w+`) and the sub-tag (`\w+`)\.$/,
  );
  const sample = find(
    section,
    /a message-sending call, `(POST \/messages)`, on a separate example address (\{(\w+)_base_url\})\./,
  );
  const [json, named, tags, subtags] = exchange.groups;
  const [call, address, name] = sample.groups;
  return [
    text(manages.line, manages.groups[0] ?? ''),
    ...section.items.map((item) => text(item.line, item.text)),
    text(exchange.line, json ?? ''),
    ...rules(
      exchange.line,
      `${named}`,
      ...coded(tags ?? '').map((tag) => `tag ${tag}`),
      ...coded(subtags ?? '').map((tag) => `sub-tag ${tag}`),
    ),
    ...rules(sample.line, `${call}`, `${call} at ${address}`, `address ${name} ${address}`),
  ];
}

function factsOfAuthentication(section: Section): Fact[] {
  const scheme = find(
    section,
    /^Every operation .* is secured by HTTP (bearer) authentication, declared once for the whole interface\.$/,
  );
  const header = find(
    section,
    /^The client sends its API key as the bearer token .* `(Authorization: Bearer <API_KEY>)`\.$/,
  );
  const refusal = find(
    section,
    /^When the key is missing or invalid, the response is (401) with an (\w+) body\.$/,
  );
  const key = find(section, /^(An API key is obtained by .+)\.$/);
  const sample = find(section, /^The quickstart sample uses the same header scheme\.$/);
  const refused = [...petOperations, 'POST /messages'].map(
    (id) => `${id} ${refusal.groups[0]} application/json ${refusal.groups[1]}`,
  );
  return [
    ...rules(
      scheme.line,
      `scheme http ${scheme.groups[0]}`,
      `every operation needs http ${scheme.groups[0]}`,
    ),
    text(header.line, header.groups[0] ?? ''),
    ...rules(refusal.line, ...refused),
    text(key.line, key.groups[0] ?? ''),
    ...rules(sample.line, 'every operation needs http bearer'),
  ];
}

function factsOfErrors(section: Section): Fact[] {
  const body = find(
    section,
    /^An error response carries the (\w+) body \((.+)\), where `status` (repeats) the HTTP status code\.$/,
  );
  const cause = find(
    section,
    /^A 400 on the quickstart message call .* header (is also a cause to check)\.$/,
  );
  const [schema, fields] = body.groups;
  return [
    ...rules(
      body.line,
      ...coded(fields ?? '').map((field) => `${schema}.${field}`),
      `POST /messages 400 application/json ${schema}`,
    ),
    text(cause.line, cause.groups[0] ?? ''),
    ...section.rows.flatMap((row) => {
      const whom =
        cell(row, 'Applies to') === 'every pet operation'
          ? [...petOperations, 'POST /messages']
          : [cell(row, 'Applies to')];
      const status = cell(row, 'HTTP status');
      return rules(
        row.line,
        ...whom.flatMap((id) => [
          `${id} ${status} application/json ${schema}`,
          `${id} ${status} means ${cell(row, 'Condition')}`,
        ]),
      );
    }),
  ];
}

function factsOfLimits(section: Section): Fact[] {
  return section.rows.flatMap((row) => {
    const [, parameter, bound] = /^(\w+) \(page size\) (\w+)$/.exec(cell(row, 'Limit')) ?? [];
    return rules(
      row.line,
      `${cell(row, 'Applies to')} query ${parameter} ${bound} ${cell(row, 'Value')}`,
    );
  });
}

function factsOfVersioning(section: Section): Fact[] {
  const version = find(section, /^The interface version is ([\d.]+)\.$/);
  const segment = find(section, /path segment `(\/v1)`\.$/);
  const removal = find(
    section,
    /^Deprecation: `(.+)` is flagged deprecated, with removal on (\d+ \w+ \d{4})\. (It remains callable until then)\.$/,
  );
  const stability = find(
    section,
    /^Some operations can carry a stability marker, (`\w+` or `\w+`)/,
  );
  const [id, day, callable] = removal.groups;
  return [
    ...rules(version.line, `version ${version.groups[0]}`),
    ...rules(segment.line, `address production ends in ${segment.groups[0]}`),
    ...rules(removal.line, `${id} deprecated`, `${id} removed on ${dayOf(day ?? '')}`),
    text(removal.line, callable ?? ''),
    ...rules(
      stability.line,
      ...coded(stability.groups[0] ?? '').map((marker) => `stability marker ${marker}`),
    ),
  ];
}

/**
 * Every point in which the source says that it does not show something: the gap lists, and the
 * sentences elsewhere.
 */
function factsOfGaps(section: Section): Fact[] {
  const silent = /(?:^|\. )([^.]*(?:: not shown|are not shown|is not given beyond this)\b.*)$/;
  const bullets = listedGaps(section).flatMap((line) => rules(line.line, `gap ${line.text}`));
  const listed = new Set(bullets.map((fact) => fact.line));
  const sentences = findAll(section, silent).filter(({ line }) => !listed.has(line));
  return [
    ...bullets,
    ...sentences.flatMap(({ line, groups }) => rules(line, `gap ${groups[0] ?? ''}`)),
  ];
}

function listedGaps(section: Section): Line[] {
  const label = section.paragraphs.find(({ text: value }) => value === 'Gaps:');
  return label === undefined ? [] : linesOf(section).filter(({ line }) => line > label.line);
}
