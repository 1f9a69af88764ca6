import type { HeaderSpec, ResponseSpec } from '../../../contract/model.ts';
import { decodeParameter } from '../../../contract/parameter/decode-parameter.ts';
import { headerForm } from '../../../contract/parameter/parameter-form.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { slipOf, type ScenarioFault } from '../scenario-fault.ts';

/**
 * What the contract has against header fields of an answer: a value that it does not allow, or a
 * name that is a slip of the pen of one that it has.
 */
export function judgeHeaders(
  headers: { readonly [name: string]: string },
  response: ResponseSpec,
  about: string,
): ScenarioFault[] {
  const names = response.headers.map(({ name }) => name);
  return Object.entries(headers).flatMap(([name, value]) => {
    const pointer = joinPointer('', 'headers', name);
    const spec = response.headers.find(
      (header) => header.name.toLowerCase() === name.toLowerCase(),
    );
    const meant = spec === undefined ? slipOf(name, names) : undefined;
    if (meant !== undefined)
      return [
        {
          pointer,
          message: `${about} documents no header ${name}.`,
          hint: `Did you mean ${meant}?`,
        },
      ];
    return spec === undefined
      ? []
      : judgeValue(spec, value).map((message) => ({
          pointer,
          message: `${about}: the header ${spec.name} ${message}.`,
        }));
  });
}

function judgeValue(header: HeaderSpec, value: string): string[] {
  const { name, schema } = header;
  const reading = decodeParameter(headerForm(header), {
    path: new Map(),
    rawQuery: '',
    headers: [[name, value]],
  });
  if (reading.kind === 'absent') return [];
  if (reading.kind === 'unreadable') return [reading.message];
  return schema.validate(reading.value, 'response').map((issue) => issue.message);
}
