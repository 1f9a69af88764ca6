import type { PageExchange } from '../../src/report/html/page-data.ts';

/** What the report shows of a secret: the shell fills it in. */
const secret = /\[redacted\]|\$VOUCH_TOKEN/g;
const setByCurl = /^(user-agent|vouch-run|accept-encoding|content-length|host|connection)$/i;

/**
 * A command for a POSIX shell that sends the request of an exchange again, in the form of the
 * commands of findings. `$VOUCH_TOKEN` stands for what is hidden. Undefined if the report lacks a
 * part of the body, or the body is not text.
 */
export function writeCurl({ request, baseUrl }: PageExchange): string | undefined {
  const { method, target, headers, body } = request;
  if (body.cut !== undefined || body.encoding !== 'utf8' || !URL.canParse(baseUrl))
    return undefined;
  const hasBody = body.text !== '';
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const sent = headers.filter(([name]) => !setByCurl.test(name));
  return [
    'curl -sS -i --path-as-is',
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' && !hasBody ? [] : ['-X', method]),
    word(new URL(baseUrl).origin + target),
    ...sent.flatMap(([name, value]) => [
      '-H',
      word(value === '' ? `${name};` : `${name}: ${value}`),
    ]),
    ...(hasBody && !isTyped ? ["-H 'Content-Type:'"] : []),
    ...(hasBody ? ['--data-raw', word(body.text)] : []),
  ].join(' ');
}

/** A text as one word of a shell, in which the variable stands for a secret. */
function word(text: string): string {
  const quote = (part: string): string => (part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`);
  const parts = text.split(secret).map(quote).join('"$VOUCH_TOKEN"');
  return parts === '' ? "''" : parts;
}
