import type { HeaderList, HttpRequest } from '../../http/message.ts';
import { decodeUtf8 } from '../../json/parse-json.ts';
import type { RequestSamples } from './console-api.ts';
import { type CurlContext, writeCurl } from './write-curl.ts';

/** Stands in samples where a credential belongs. */
export const keyPlaceholder = 'YOUR_KEY';

/** Headers that every client writes itself. */
const written = /^(host|content-length)$/i;

/** An example has no secrets to redact. */
const asIs: CurlContext['redact'] = {
  text: (text) => text,
  target: (target) => target,
  headers: (headers) => headers.map(([name, value]) => [name, value]),
};

/** The same request in five languages; `key` is the credential in it. */
export function writeSamples(
  request: HttpRequest,
  origin: string,
  key: string = keyPlaceholder,
): RequestSamples {
  const reading = decodeUtf8(request.body);
  const parts: SampleParts = {
    method: request.method,
    url: `${origin}${request.target}`,
    headers: request.headers.filter(([name]) => !written.test(name)),
    body: request.body.length === 0 || !reading.ok ? undefined : reading.text,
  };
  return {
    curl: writeCurl(request, { origin, redact: asIs, keys: [key] }),
    javascript: writeJavaScript(parts),
    python: writePython(parts),
    go: writeGo(parts),
    java: writeJava(parts),
  };
}

/** A request whose body is a text. */
interface SampleParts {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
}

function writeJavaScript({ method, url, headers, body }: SampleParts): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    ...block('  headers: {', pairs(headers, '    '), '  },'),
    ...(body === undefined ? [] : [`  body: ${quote(body)},`]),
  ];
  const call =
    options.length === 0
      ? [`const response = await fetch(${quote(url)});`]
      : [`const response = await fetch(${quote(url)}, {`, ...options, '});'];
  return [...call, 'console.log(response.status, await response.text());'].join('\n');
}

/** A JSON string is a string literal of Python as well. */
function writePython({ method, url, headers, body }: SampleParts): string {
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${quote(method)},`,
    `    ${quote(url)},`,
    ...block('    headers={', pairs(headers, '        '), '    },'),
    ...(body === undefined ? [] : [`    data=${quote(body)}.encode("utf-8"),`]),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

function writeGo({ method, url, headers, body }: SampleParts): string {
  const text = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`;
  return [
    'package main',
    '',
    ...block(
      'import (',
      ['fmt', 'io', 'net/http', ...(body === undefined ? [] : ['strings'])].map(
        (name) => `\t"${name}"`,
      ),
      ')',
    ),
    '',
    'func main() {',
    `\trequest, _ := http.NewRequest(${JSON.stringify(method)}, ${JSON.stringify(url)}, ${text})`,
    ...headers.map(
      ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\ttext, _ := io.ReadAll(response.Body)',
    '\tfmt.Println(response.StatusCode, string(text))',
    '}',
  ].join('\n');
}

function writeJava({ method, url, headers, body }: SampleParts): string {
  const publisher = body === undefined ? 'noBody()' : `ofString(${JSON.stringify(body)})`;
  return [
    'import java.net.URI;',
    'import java.net.http.*;',
    '',
    `var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))`,
    ...headers.map(
      ([name, value]) => `    .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
    `    .method(${JSON.stringify(method)}, HttpRequest.BodyPublishers.${publisher})`,
    '    .build();',
    'var response = HttpClient.newHttpClient()',
    '    .send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ].join('\n');
}

function pairs(headers: HeaderList, indent: string): string[] {
  return headers.map(([name, value]) => `${indent}${quote(name)}: ${quote(value)},`);
}

function block(start: string, lines: readonly string[], end: string): readonly string[] {
  return lines.length === 0 ? [] : [start, ...lines, end];
}

/** A string literal of JavaScript and of Python, in the quotes that need fewer escapes. */
function quote(text: string): string {
  const literal = JSON.stringify(text);
  return !text.includes('"') || text.includes("'")
    ? literal
    : `'${literal.slice(1, -1).replaceAll('\\"', '"')}'`;
}
