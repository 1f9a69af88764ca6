import { withHeader } from '../../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Reply } from '../../deviation.ts';
import { readJson, withJson } from '../../edit-answer.ts';

const memberName = /^total(_?(count|items|records|elements|results))?$/i;
const headerName = /^x-(pagination-)?total(-(count|items))?$/i;

/**
 * The total that a list's answer gives, in its body or in a header; undefined where it gives none.
 */
export function totalIn({ response }: Reply): number | undefined {
  const body = response && readJson(response);
  const [member] = body === undefined ? [] : membersOf(body);
  const header = response?.headers.find(([name]) => headerName.test(name))?.[1];
  return member ?? (header === undefined ? undefined : Number(header));
}

/** The answer with another total, wherever it gives one. */
export function editTotals(reply: Reply, fired: () => void, total: number): Reply {
  if (reply.response === undefined || total === totalIn(reply)) return reply;
  fired();
  const body = readJson(reply.response);
  const written =
    body === undefined ? reply.response : withJson(reply.response, withTotal(body, total));
  const headers = written.headers
    .filter(([name]) => headerName.test(name))
    .reduce((changed, [name]) => withHeader(changed, name, String(total)), written.headers);
  return { ...reply, response: { ...written, headers } };
}

/** Totals beside the records, and one level deeper, never those of records. */
function membersOf(body: JsonValue): number[] {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'number' && memberName.test(name)
      ? [value]
      : isJsonArray(value)
        ? []
        : membersOf(value),
  );
}

function withTotal(body: JsonValue, total: number): JsonValue {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'number' && memberName.test(name)
        ? total
        : isJsonArray(value)
          ? value
          : withTotal(value, total),
    ]),
  );
}
