import { headerValue, type HeaderList } from '../../http/message.ts';
import type { Reached } from '../route.ts';
import { selectMediaType } from '../select-response.ts';
import { fits, readTemplate, type Query } from './path-template.ts';

/** What a request says of itself beside its method and path. */
export interface RequestSigns {
  readonly query: Query;
  readonly headers: HeaderList;
}

/**
 * Of several operations of one method on one path, the one that a request means: what a template
 * writes behind `#` or `?` may stand in the query or in a header; else the type of the body
 * decides. Undefined where nothing tells them apart.
 */
export function tellApart(
  rivals: readonly Reached[],
  { query, headers }: RequestSigns,
): Reached | undefined {
  const signs: Query = [...query, ...headers];
  const marked = rivals.find(({ operation: { path } }) => {
    const conditions = readTemplate(path).conditions.map((condition) => ({
      ...condition,
      name: nameIn(headers, condition.name),
    }));
    return conditions.length > 0 && fits(signs, conditions);
  });
  const type = headerValue(headers, 'content-type');
  return (
    marked ??
    rivals.find(({ operation: { requestBody } }) =>
      type === undefined
        ? requestBody === undefined
        : requestBody !== undefined && selectMediaType(requestBody.content, type) !== undefined,
    )
  );
}

/** A name as the request writes it: case does not count in those of headers. */
function nameIn(headers: HeaderList, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[0] ?? name;
}
