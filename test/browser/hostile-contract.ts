import type { JsonObject, JsonValue } from '../../src/json/value.ts';

/** Markup and links that run a script where they are taken as HTML or followed. */
const tags = [
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 2">',
  '<svg onload="window.ran = 3"><a xlink:href="javascript:window.ran=4"><text>x</text></a></svg>',
  '<iframe srcdoc="<script>parent.ran = 5</script>"></iframe>',
  '<a href="javascript:window.ran=6">six</a>',
  '<a href=" java&#10;script:window.ran=7">seven</a>',
  '<form action="javascript:window.ran=8"><button>eight</button><input ' +
    'autofocus onfocus="window.ran=9"></form>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror="window.ran=10">',
  '<details open ontoggle="window.ran=11"><summary>x</summary></details>',
  '<base href="https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<img src="https://evil.example/pixel.png">',
  '<p style="background: url(https://evil.example/style.png)">styled</p>',
  '"><script>window.ran = 12</script>',
  "'onmouseover='window.ran = 13' autofocus onfocus='window.ran = 13",
  '</title></textarea></style></script><script>window.ran = 14</script>',
];

const markdown = [
  '[one](javascript:window.ran=21)',
  '[two](data:text/html,<script>opener.ran=22</script>)',
  '<javascript:window.ran=23>',
  '![three](javascript:window.ran=24)',
  '![pixel](https://evil.example/markdown.png)',
  '[four]: javascript:window.ran=25',
  '[four]',
  '`<script>code</script>`',
  '<div>\n`<img src=x onerror=window.ran=26>`\n</div>',
  '```\n<script>window.ran = 27</script>\n```',
  '[five](java&#115;cript:window.ran=28)',
  '[six](<javascript:window.ran=29>)',
];

/** Each of them by itself. */
const attacks = [...tags, ...markdown];

/** A text of a contract that tries everything. */
export const hostileText = `Hello ${tags.join(' ')}\n\n${markdown.join('\n\n')}`;

const script = 'javascript:window.ran=31';
const links = [
  script,
  ' JaVaScRiPt:window.ran=32',
  'java\nscript:window.ran=33',
  'vbscript:x',
  'data:text/html,<script>opener.ran=34</script>',
];

/** A contract of which every text and every link is hostile. */
export function hostileContract(): JsonObject {
  const docs = (url = script): JsonObject => ({ description: hostileText, url });
  const schema: JsonObject = {
    type: 'object',
    title: hostileText,
    description: hostileText,
    externalDocs: docs(),
    properties: {
      [hostileText]: {
        type: 'string',
        description: hostileText,
        example: hostileText,
        default: hostileText,
      },
      kind: { type: 'string', enum: [hostileText, script], externalDocs: docs() },
      link: { type: 'string', format: 'uri', example: script, pattern: '^<script>$' },
    },
    xml: { name: '<script>', namespace: script },
    example: { link: script, kind: hostileText },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: hostileText,
      version: hostileText,
      summary: hostileText,
      description: hostileText,
      termsOfService: script,
      contact: { name: hostileText, url: script, email: 'javascript:window.ran=41@x.example' },
      license: { name: hostileText, url: script },
    },
    externalDocs: docs(),
    servers: links.map((url) => ({ url, description: hostileText })),
    // One attack each, since some of them swallow what follows.
    tags: [
      ...links.map((url) => [hostileText, url]),
      ...attacks.map((attack) => [`Hello ${attack}`, script]),
    ].map(([description = '', url = ''], index) => ({
      name: tagName(index),
      description,
      externalDocs: docs(url),
    })),
    components: {
      schemas: { Hostile: schema, [hostileName]: schema },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          description: hostileText,
          flows: {
            authorizationCode: {
              authorizationUrl: script,
              tokenUrl: script,
              refreshUrl: script,
              scopes: { read: hostileText },
            },
          },
        },
        open: { type: 'openIdConnect', description: hostileText, openIdConnectUrl: script },
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: hostileText },
      },
    },
    security: [{ oauth: ['read'] }, { open: [] }, { key: [] }],
    paths: {
      '/things/{id}': {
        summary: hostileText,
        description: hostileText,
        get: operation(docs),
        post: { ...operation(docs), operationId: 'change' },
      },
      // Tags are shown where they have operations.
      '/small': {
        get: {
          operationId: 'small',
          tags: Array.from({ length: links.length + attacks.length }, (_, index) => tagName(index)),
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  };
}

const hostileName = 'A.b-c_d';

function tagName(index: number): string {
  return `<script>window.ran = 61</script> ${String(index)}`;
}

function operation(docs: () => JsonObject): JsonObject {
  const content: JsonValue = {
    'application/json': {
      schema: { $ref: '#/components/schemas/Hostile' },
      examples: {
        one: { summary: hostileText, description: hostileText, value: hostileText },
        two: { externalValue: script },
      },
    },
  };
  return {
    tags: [tagName(0)],
    operationId: 'look',
    summary: hostileText,
    description: hostileText,
    externalDocs: docs(),
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: hostileText,
        schema: { type: 'string', default: hostileText },
        example: hostileText,
      },
      {
        name: '<script>q</script>',
        in: 'query',
        description: hostileText,
        schema: { type: 'string', enum: [hostileText] },
      },
    ],
    requestBody: { description: hostileText, content },
    responses: {
      200: {
        description: hostileText,
        content,
        headers: { 'X-A': { description: hostileText, schema: { type: 'string' } } },
        links: {
          next: { operationId: 'look', description: hostileText, parameters: { id: hostileText } },
        },
      },
    },
    servers: [{ url: script, description: hostileText }],
  };
}
