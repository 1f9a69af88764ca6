import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import type { Envelope, Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { defined } from '../../../json/value.ts';
import { brokenRules } from '../../../values/broken-rules.ts';
import type { CandidateValue } from '../../../values/candidate-value.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import type { Alteration } from '../../model/request-template.ts';
import { chooseValues } from '../../plan/body-values.ts';
import { type DraftBody, formOf } from '../../plan/draft-body.ts';
import { alter } from '../../request/write-body.ts';

/** What is wrong with the envelope around the fields of a body, which are as they should be. */
export interface BrokenEnvelope {
  readonly labelled: LabelledValue;
  readonly altered: Alteration;
  /** The schema of the whole body. */
  readonly whole: Schema;
}

/** As many as an operation gets: its fields get many more. */
const most = 8;

/**
 * Bodies without a part of their envelope, or with something else in its place: `{}` for
 * `{ "data": … }`, a text for `attributes`. Invalid values of the fields cannot show them. Empty
 * without an envelope.
 */
export function brokenEnvelopes(body: DraftBody): BrokenEnvelope[] {
  const { envelope } = body.media;
  if (envelope === undefined || formOf(body) !== 'json') return [];
  const { whole } = envelope;
  const plain = closeBody(envelope, body.value);
  const isMeant = breaksEnvelope(envelope);
  return chooseValues(invalidCandidates(whole, 'request').filter(isMeant), most, (candidate) => {
    const labelled = candidate.judge();
    if (labelled === undefined) return undefined;
    const { at, value } = labelled;
    const altered = { at, ...defined({ part: valueAt(value, at) }) };
    const isBroken = brokenRules(whole, alter(plain, altered)).length > 0;
    return isBroken ? { labelled, altered, whole } : undefined;
  });
}

/** Whether a value breaks the envelope, and not what stands in it, which is tested as fields. */
function breaksEnvelope(envelope: Envelope): (candidate: CandidateValue) => boolean {
  const { around, record, groups, links } = partsOf(envelope);
  const parts = new Set([...around, record, ...groups, ...links]);
  const replaced = new Set([...around, ...groups].filter((at) => at !== record));
  const closed = new Set([...around, ...(groups.length === 0 ? [] : [record])]);
  return ({ at, value, valueClass }) => {
    switch (valueClass) {
      case 'missing-required':
        return parts.has(at);
      case 'null-given':
        return replaced.has(at);
      case 'wrong-type':
        // A list or a text might be read as an object; a number stands for all others.
        return replaced.has(at) && typeof valueAt(value, at) === 'number';
      case 'additional-property':
        return closed.has(joinPointer('', ...splitPointer(at).slice(0, -1)));
      default:
        return false;
    }
  };
}

/** The places of an envelope in a body. */
interface EnvelopeParts {
  /** What stands around the record, the body first. */
  readonly around: readonly Pointer[];
  readonly record: Pointer;
  /** The groups of its fields and of its references, and each reference. */
  readonly groups: readonly Pointer[];
  /** The linkage of each reference. */
  readonly links: readonly Pointer[];
}

function partsOf({ at, layout }: Envelope): EnvelopeParts {
  const tokens = splitPointer(at);
  const around = tokens.map((_, index) => joinPointer('', ...tokens.slice(0, index)));
  if (layout === undefined) return { around, record: at, groups: [], links: [] };
  const { group, relations } = layout;
  const member = relations && joinPointer(at, relations.member);
  const references = Object.keys(relations?.types ?? {}).map((name) =>
    joinPointer(member ?? at, name),
  );
  return {
    around,
    record: at,
    groups: [joinPointer(at, group), ...(member === undefined ? [] : [member]), ...references],
    links: references.map((reference) => joinPointer(reference, 'data')),
  };
}
