import { wordsOf } from '../infer/infer-names.ts';

/** Whether a text names a field: `issuedOn`, or its words, the last of which may be plural. */
export function mentions(text: string, field: string): boolean {
  const words = wordsOf(field).join('[\\s_-]*');
  return new RegExp(`(^|[^\\w.])${words}(s|es)?($|[^\\w-])`, 'i').test(text);
}
