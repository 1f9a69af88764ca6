import type { Schema } from '../../../contract/model.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { moveLabelled, type LabelledValue } from '../../../values/labelled-value.ts';
import { shareAmongAlike } from '../../../values/share-values.ts';
import { isJson, type DraftBody } from './draft-body.ts';

type Choose = (body: DraftBody, schema: Schema, most: number) => readonly LabelledValue[];

/**
 * The same choice of bodies, made once for all drafts whose JSON has a schema that says the same,
 * and the same plain value: most contracts take the record that is created where one is replaced
 * too. A body without a schema leaves nothing to choose from.
 */
export function rememberChoice(
  kind: string,
  choose: Choose,
): (body: DraftBody, most: number) => readonly LabelledValue[] {
  return (body, most) => {
    const { schema, value } = body;
    if (schema === undefined) return [];
    // How a form is written hangs on more than its schema.
    if (!isJson(body)) return choose(body, schema, most);
    return shareAmongAlike(
      schema,
      `${kind} ${String(most)} ${body.namedBy ?? ''} ${stringifyJson(value)}`,
      {
        make: () => choose(body, schema, most),
        move: (made, to) => made.map((chosen) => moveLabelled(chosen, to)),
      },
    );
  };
}
