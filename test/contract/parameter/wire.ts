import type {
  EncodedParameter,
  ParameterForm,
  WireParameters,
} from '../../../src/contract/parameter/parameter-form.ts';

/** The one text of an encoded parameter. */
export function textOf(encoded: EncodedParameter): string {
  switch (encoded.in) {
    case 'path':
      return encoded.text;
    case 'query':
      return encoded.pairs;
    case 'header':
      return encoded.value;
    case 'cookie':
      return encoded.pair;
  }
}

/** A request that carries one text, in the place of a parameter. */
export function wireOf(form: ParameterForm, wire: string): WireParameters {
  return {
    path: new Map(form.in === 'path' ? [[form.name, wire]] : []),
    rawQuery: form.in === 'query' ? wire : '',
    headers:
      form.in === 'header' ? [[form.name, wire]] : form.in === 'cookie' ? [['Cookie', wire]] : [],
  };
}
