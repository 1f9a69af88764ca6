import { plainPath } from '../../contract/infer/conventions/path-styles.ts';
import type { Operation } from '../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { WhetherLinked } from '../model/request-template.ts';
import { type Step, hasSuccess } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';

/** A link of a resource in HAL, that is no template. */
export interface RecordLink {
  readonly relation: string;
  readonly href: string;
}

/**
 * The links in `_links` of a resource (draft-kelly-json-hal, section 4.1.1): each relation has one,
 * or a list. Undefined if it has no such member.
 */
export function linksIn(resource: JsonValue | undefined): readonly RecordLink[] | undefined {
  const links =
    isJsonObject(resource ?? null) && isJsonObject(resource) ? resource['_links'] : null;
  if (!isJsonObject(links)) return undefined;
  return Object.entries(links).flatMap(([relation, value]) =>
    (isJsonArray(value) ? value : [value]).flatMap((link): RecordLink[] => {
      if (!isJsonObject(link) || link['templated'] === true) return [];
      const { href } = link;
      return typeof href === 'string' ? [{ relation, href }] : [];
    }),
  );
}

/** Whether a link is the whole address of what an operation acts on, behind any base. */
function leadsTo({ path }: Pick<Operation, 'path'>, { href }: RecordLink): boolean {
  const address = URL.parse(href, 'http://base.invalid/');
  const template = plainPath(path).split('/').slice(1);
  const given = (address?.pathname ?? '').split('/').slice(1);
  const end = given.slice(-template.length);
  return (
    given.length >= template.length &&
    template.every((segment, at) =>
      segment.startsWith('{') ? end[at] !== '' : end[at] === encodeURI(segment),
    )
  );
}

/** The relations by which a resource links to what an operation acts on. */
export function relationsTo(
  operation: Pick<Operation, 'path'>,
  links: readonly RecordLink[],
): string[] {
  return links.filter((link) => leadsTo(operation, link)).map(({ relation }) => relation);
}

/** Whether an earlier step showed a link to an operation, or showed links and not that one. */
export function isAsLinked(
  operation: Operation,
  { step: title, is, except }: WhetherLinked,
  steps: readonly Step[],
): boolean {
  const step = steps.findLast((one) => one.case.title === title);
  if (step === undefined || !hasSuccess(step)) return false;
  const links = linksIn(jsonOf(step.answer));
  if (links === undefined) return false;
  return relationsTo(operation, links).some((relation) => !except.includes(relation)) === is;
}
