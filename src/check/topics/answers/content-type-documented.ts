import { wrongGet } from '../../reading/shared-causes.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { ResponseSpec } from '../../../contract/model.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { isUnspecific, isDescribed } from '../../reading/refusal.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/**
 * A body comes in a media type that the contract declares for its status; parameters and case are
 * ignored.
 */
export const contentTypeDocumented = check({
  id: 'content-type-documented',
  basis: 'contract',
  harm: 'types',
  rule:
    'A body has a Content-Type that the contract declares for that status; parameters ' +
    'such as charset are ignored.',
  reason:
    'A client chooses its parser by the media type, and shows an error page where it ' +
    'expected data.',
  example: [
    '> GET /items',
    '< 200 OK',
    '< Content-Type: text/html   (documented: application/json)',
  ],
  confirm: 'once',
  explains: [wrongGet],
  traits: ['one response', 'shared'],
  inspect(subject) {
    const { operation, answer } = subject;
    const { response } = subject.exchange;
    if (response === undefined || answer.kind === 'empty' || !isDescribed(subject))
      return undefined;
    const documented = selectResponse(operation, response.status);
    if (
      documented === undefined ||
      documented.content.length === 0 ||
      isUnspecific(documented, response)
    )
      return undefined;
    const { mediaType } = answer;
    // The declared text may not be a valid media type: a server that sends exactly that text
    // conforms.
    if (
      mediaType !== undefined &&
      (selectMediaType(documented.content, mediaType) !== undefined ||
        documented.content.some((entry) => entry.mediaType === mediaType))
    )
      return [];
    const expected = documented.content.map((entry) => entry.mediaType).join(' or ');
    const label = mediaType === undefined ? 'has no Content-Type' : `is labelled ${mediaType}`;
    const body = `The body of the ${String(response.status)} response`;
    const obstacle = obstacleTo(documented);
    const violation: Violation = {
      at: joinPointer(documented.pointer, 'content'),
      message: `${body} ${label}; the contract declares ${expected}${obstacle ?? ''}.`,
      ...(obstacle === undefined ? {} : { blame: 'contract' }),
      expected,
      actual: mediaType ?? 'no Content-Type',
      cause: mediaType?.split(';')[0]?.trim().toLowerCase() ?? 'none',
    };
    return violation;
  },
});

/** Why no body can be what a response declares, as the sentence continues; undefined if one can. */
function obstacleTo({ content }: ResponseSpec): string | undefined {
  const made = content.map(({ schema }) =>
    schema === undefined ? undefined : plainValue(schema, { seed: '', direction: 'response' }),
  );
  const [first] = made;
  return first?.ok === false && made.every((one) => one?.ok === false)
    ? `, and no body can be that: ${first.reason}`
    : undefined;
}
