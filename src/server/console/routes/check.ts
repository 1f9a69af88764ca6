import { VouchError } from '../../../errors.ts';
import { emptyBody } from '../../../http/message.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { ControlCall, ControlRoute } from '../../control/control-parts.ts';
import type { ControlReply } from '../../control/control-response.ts';
import { anyOf, text } from '../../control/control-schemas.ts';
import { readFields, type Fields } from '../../control/fields.ts';
import type { Outlet } from '../../send-stream.ts';
import { unknownService } from '../find-service.ts';
import type { CheckNews, CheckWish, ConsoleOutside } from '../outside.ts';
import { readLoopbackUrl } from '../try/ask-service.ts';

/** A conformance check of a service, told as it runs. */
export const checkRoutes: readonly ControlRoute[] = [
  {
    id: 'check',
    method: 'POST',
    path: '/check',
    summary:
      'Checks a service that the configuration names, or one on this machine, against the contract: a line of JSON for each event',
    body: anyOf({ target: text, url: text, mode: { enum: ['read-only', 'read-write'] } }),
    answers: {
      200: {
        description: 'Events, the last of which has the verdict',
        schema: text,
        mediaType: 'application/x-ndjson',
      },
    },
    answer: async (call) => startCheck(call),
  },
];

function startCheck({ parts: { outside }, request }: ControlCall): ControlReply {
  const { check } = outside;
  const wish = readWish(readFields(request.body, ['target', 'url', 'mode']), outside);
  if (check === undefined)
    throw new VouchError('usage', 'This mock was started without what checks servers.', {
      hint: `Run: npx vouch check ${wish.target ?? wish.url ?? ''}`,
    });
  return {
    status: 200,
    headers: [['Content-Type', 'application/x-ndjson']],
    body: emptyBody,
    follow: (out) => tellCheck(check(wish, out.ended), out),
  };
}

function readWish(fields: Fields, outside: ConsoleOutside): CheckWish {
  const [target, url, mode = 'read-only'] = [
    fields.text('target'),
    fields.text('url'),
    fields.text('mode'),
  ];
  if (mode !== 'read-only' && mode !== 'read-write')
    throw new VouchError('usage', 'mode must be read-only or read-write.');
  if ((target === undefined) === (url === undefined))
    throw new VouchError('usage', 'The body must name a target or a URL, one of the two.');
  if (url !== undefined) return { url: readLoopbackUrl(url), mode };
  if (target === undefined || outside.others?.().every(({ name }) => name !== target) !== false)
    throw unknownService(target ?? '', outside);
  return { target, mode };
}

async function tellCheck(news: AsyncIterable<CheckNews>, { write, ended }: Outlet): Promise<void> {
  try {
    for await (const each of news) {
      if (ended.aborted) return;
      await write(`${stringifyJson(asJson(each))}\n`);
    }
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    await write(
      `${stringifyJson({ type: 'failed', message: error.message, hint: error.hint ?? '' })}\n`,
    );
  }
}

/** News hold nothing but JSON; their type has no index signature to say so. */
function asJson(news: CheckNews): JsonObject {
  return news as unknown as JsonObject;
}
