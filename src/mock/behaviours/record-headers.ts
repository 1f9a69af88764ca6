import type { HeaderSpec, Resource } from '../../contract/model.ts';
import { oncePerResource, recordFields } from '../../contract/infer/record-fields.ts';
import { shownBy } from '../../contract/schema/shown-values.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import { headerText } from '../errors/visible-text.ts';
import type { Asking } from '../model/request.ts';
import type { Convention } from '../phases.ts';
import { recordAbove } from '../records/find-record.ts';

/**
 * A reply about something below a record whose headers name that record, where the example of a
 * header has the example of one of its fields: `filename="2026-0001.pdf"`.
 */
export const withRecordHeaders: Convention<Asking> = ({ above, answerPlan }) => {
  const resource = above.at(-1)?.resource;
  if (resource === undefined) return undefined;
  return {
    show: (reply, on) => {
      const { headers } = answerPlan(reply.status);
      const naming = headers.filter((one) => namedIn(one, resource));
      if (naming.length === 0) return undefined;
      return whenReady(recordAbove(on), (found) => {
        const own = found === undefined ? [] : headersOf(found.record, naming, resource);
        return { ...reply, headers: [...reply.headers, ...own] };
      });
    },
  };
};

/** The texts that the contract shows for the fields of a record, long enough to be told apart. */
const shownFields = oncePerResource(({ record }) =>
  recordFields(record).flatMap(({ name, many, flat: { node } }) => {
    const [text] = shownBy(node);
    const isTelling = typeof text === 'string' && /^[\w-]{6,}$/.test(text);
    return isTelling && !many && !name.includes('.') ? [{ name, text }] : [];
  }),
);

interface Naming {
  readonly text: string;
  readonly field: { readonly name: string; readonly text: string };
}

/** The example of a header, and the field whose example it has. */
function namedIn({ examples }: HeaderSpec, resource: Resource): Naming | undefined {
  const text = examples[0]?.value;
  if (typeof text !== 'string') return undefined;
  const words = text.split(/[^\w-]+/);
  const field = shownFields(resource).find((one) => words.includes(one.text));
  return field && { text, field };
}

function headersOf(
  record: JsonObject,
  naming: readonly HeaderSpec[],
  resource: Resource,
): HeaderList {
  return naming.flatMap((header) => {
    const { text, field } = namedIn(header, resource) ?? {};
    const value = field && record[field.name];
    if (text === undefined || field === undefined || typeof value !== 'string') return [];
    const own = text.replace(field.text, () => value);
    const isValid = header.schema.accepts(own, 'response');
    return isValid ? [[header.name, headerText(own)] as const] : [];
  });
}
