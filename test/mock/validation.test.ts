import { describe, expect, test } from 'vitest';
import { bytes, converse, jsonOf, mockOf, send, show, type Sending } from './workshop.ts';

describe('a request that breaks the contract', () => {
  test('in its query gets every broken rule in one response', async () => {
    const mock = await mockOf();
    const targets = [
      'limit=abc',
      'limit=0',
      'limit=51',
      'limit=1e1',
      'limit=%2B5',
      'limit=05',
      'limit=1.0',
      'limit=',
      'limit=1&limit=2',
      'limit=99999999999999999999',
      'kind=hammer',
      'kind=saw&kind=',
      'weight=x&limit=0&kind=y',
    ];
    expect(
      await converse(
        mock,
        targets.map((query) => [`GET /v2/tools?${query}`] as const),
      ),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools?limit=abc → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be an integer, but is \`abc\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is \`abc\`."}]}}
      GET /v2/tools?limit=0 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be 1 or more, but is \`0\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be 1
        ↳ or more, but is \`0\`."}]}}
      GET /v2/tools?limit=51 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be 50 or less, but is \`51\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be 50
        ↳ or less, but is \`51\`."}]}}
      GET /v2/tools?limit=1e1 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be an integer, but is \`1e1\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is \`1e1\`."}]}}
      GET /v2/tools?limit=%2B5 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in
        ↳ the query must be an integer, but is \`+5\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is \`+5\`."}]}}
      GET /v2/tools?limit=05 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be an integer, but is \`05\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is \`05\`."}]}}
      GET /v2/tools?limit=1.0 → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be an integer, but is \`1.0\`.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is \`1.0\`."}]}}
      GET /v2/tools?limit= → 400 {"error":{"code":"VALIDATION","text":"\`limit\` in the
        ↳ query must be an integer, but is empty.","http_status":400,
        ↳"errors":[{"field":"limit","in":"query","message":"\`limit\` in the query must be an
        ↳ integer, but is empty."}]}}
      GET /v2/tools?limit=1&limit=2 → 400 {"error":{"code":"VALIDATION","text":"\`limit\`
        ↳ in the query is given 2 times.","http_status":400,"errors":[{"field":"limit",
        ↳"in":"query","message":"\`limit\` in the query is given 2 times."}]}}
      GET /v2/tools?limit=99999999999999999999 → 400 {"error":{"code":"VALIDATION",
        ↳"text":"\`limit\` in the query must be 50 or less, but is
        ↳ \`99999999999999999999\`.","http_status":400,"errors":[{"field":"limit",
        ↳"in":"query","message":"\`limit\` in the query must be 50 or less, but is
        ↳ \`99999999999999999999\`."}]}}
      GET /v2/tools?kind=hammer → 400 {"error":{"code":"VALIDATION","text":"\`kind[0]\` in
        ↳ the query must be one of saw, axe, file, but is \`hammer\`.","http_status":400,
        ↳"errors":[{"field":"kind[0]","in":"query","message":"\`kind[0]\` in the query must
        ↳ be one of saw, axe, file, but is \`hammer\`."}]}}
      GET /v2/tools?kind=saw&kind= → 400 {"error":{"code":"VALIDATION","text":"\`kind[1]\`
        ↳ in the query must be one of saw, axe, file, but is empty.","http_status":400,
        ↳"errors":[{"field":"kind[1]","in":"query","message":"\`kind[1]\` in the query must
        ↳ be one of saw, axe, file, but is empty."}]}}
      GET /v2/tools?weight=x&limit=0&kind=y → 400 {"error":{"code":"VALIDATION",
        ↳"text":"\`limit\` in the query must be 1 or more, but is \`0\`. \`kind[0]\` in the
        ↳ query must be one of saw, axe, file, but is \`y\`. \`weight\` in the query must be
        ↳ an integer, but is \`x\`.","http_status":400,"errors":[{"field":"limit",
        ↳"in":"query","message":"\`limit\` in the query must be 1 or more, but is \`0\`."},
        ↳{"field":"kind[0]","in":"query","message":"\`kind[0]\` in the query must be one of
        ↳ saw, axe, file, but is \`y\`."},{"field":"weight","in":"query",
        ↳"message":"\`weight\` in the query must be an integer, but is \`x\`."}]}}"
    `);
  });

  test('in its path gets the operation’s 404, otherwise its 400', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/tools/abc'],
        ['GET /v2/tools/-1'],
        ['GET /v2/tools/9223372036854775808'],
        ['GET /v2/tools/abc?x=1'],
        ['GET /v2/shelves/lower'],
        ['PUT /v2/tools/abc', { body: { name: 'x', kind: 'saw' } }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/abc → 404 {"error":{"code":"NOT_FOUND","text":"\`toolId\` in the path
        ↳ must be an integer, but is \`abc\`.","http_status":404,"errors":[{"field":"toolId",
        ↳"in":"path","message":"\`toolId\` in the path must be an integer, but is
        ↳ \`abc\`."}]}}
      GET /v2/tools/-1 → 404 {"error":{"code":"NOT_FOUND","text":"\`toolId\` in the path
        ↳ must be 1 or more, but is \`-1\`.","http_status":404,"errors":[{"field":"toolId",
        ↳"in":"path","message":"\`toolId\` in the path must be 1 or more, but is \`-1\`."}]}}
      GET /v2/tools/9223372036854775808 → 404 {"error":{"code":"NOT_FOUND",
        ↳"text":"\`toolId\` in the path must have the format int64, but is
        ↳ \`9223372036854775808\`.","http_status":404,"errors":[{"field":"toolId",
        ↳"in":"path","message":"\`toolId\` in the path must have the format int64, but is
        ↳ \`9223372036854775808\`."}]}}
      GET /v2/tools/abc?x=1 → 404 {"error":{"code":"NOT_FOUND","text":"\`toolId\` in the
        ↳ path must be an integer, but is \`abc\`.","http_status":404,
        ↳"errors":[{"field":"toolId","in":"path","message":"\`toolId\` in the path must be an
        ↳ integer, but is \`abc\`."}]}}
      GET /v2/shelves/lower → 400 {"error":{"code":"VALIDATION","text":"\`code\` in the
        ↳ path must match the pattern ^[A-Z]{1,3}$, but is \`lower\`.","http_status":400,
        ↳"errors":[{"field":"code","in":"path","message":"\`code\` in the path must match the
        ↳ pattern ^[A-Z]{1,3}$, but is \`lower\`."}]}}
      PUT /v2/tools/abc → 400 {"error":{"code":"VALIDATION","text":"\`toolId\` in the path
        ↳ must be an integer, but is \`abc\`.","http_status":400,"errors":[{"field":"toolId",
        ↳"in":"path","message":"\`toolId\` in the path must be an integer, but is
        ↳ \`abc\`."}]}}"
    `);
  });

  test('in a header gets the broken rule', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/tools', { headers: [['x-trace', 'XYZ']] }],
        [
          'GET /v2/tools',
          {
            headers: [
              ['x-trace', 'a1'],
              ['x-trace', 'b2'],
            ],
          },
        ],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools → 400 {"error":{"code":"VALIDATION","text":"\`X-Trace\` in the header
        ↳ must match the pattern ^[a-f0-9]+$, but is \`XYZ\`.","http_status":400,
        ↳"errors":[{"field":"X-Trace","in":"header","message":"\`X-Trace\` in the header must
        ↳ match the pattern ^[a-f0-9]+$, but is \`XYZ\`."}]}}
      GET /v2/tools → 400 {"error":{"code":"VALIDATION","text":"\`X-Trace\` in the header
        ↳ is given 2 times.","http_status":400,"errors":[{"field":"X-Trace","in":"header",
        ↳"message":"\`X-Trace\` in the header is given 2 times."}]}}"
    `);
  });

  test('in its body gets every broken rule in one response', async () => {
    const mock = await mockOf();
    const sendings: Sending[] = [
      { body: {} },
      { body: { name: 'x' } },
      { body: { name: 5, kind: 'saw' } },
      { body: { name: 'x'.repeat(21), kind: 'saw', colour: 'red' } },
      { body: { name: 'x', kind: 'saw', weight: -1, tags: ['ok', 5, null] } },
      { body: [] },
      { body: null },
      { body: 'text' },
      { body: 9007199254740993n },
    ];
    expect(
      await converse(
        mock,
        sendings.map((sending) => ['POST /v2/tools', sending] as const),
      ),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must have the
        ↳ property name. The body must have the property kind.","http_status":422,
        ↳"errors":[{"field":"name","in":"body","message":"The body must have the property
        ↳ name."},{"field":"kind","in":"body","message":"The body must have the property
        ↳ kind."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must have the
        ↳ property kind.","http_status":422,"errors":[{"field":"kind","in":"body",
        ↳"message":"The body must have the property kind."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"\`name\` in the body must
        ↳ be a string, but is an integer.","http_status":422,"errors":[{"field":"name",
        ↳"in":"body","message":"\`name\` in the body must be a string, but is an
        ↳ integer."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must not have
        ↳ the property colour, which the contract does not name. \`name\` in the body must
        ↳ have 20 characters or fewer, but is \`xxxxxxxxxxxxxxxxxxxxx\`.","http_status":422,
        ↳"errors":[{"field":"colour","in":"body","message":"The body must not have the
        ↳ property colour, which the contract does not name."},{"field":"name","in":"body",
        ↳"message":"\`name\` in the body must have 20 characters or fewer, but is
        ↳ \`xxxxxxxxxxxxxxxxxxxxx\`."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"\`weight\` in the body
        ↳ must be 0 or more, but is \`-1\`. \`tags[1]\` in the body must be a string, but is
        ↳ an integer. \`tags[2]\` in the body must be a string, but is null.",
        ↳"http_status":422,"errors":[{"field":"weight","in":"body","message":"\`weight\` in
        ↳ the body must be 0 or more, but is \`-1\`."},{"field":"tags[1]","in":"body",
        ↳"message":"\`tags[1]\` in the body must be a string, but is an integer."},
        ↳{"field":"tags[2]","in":"body","message":"\`tags[2]\` in the body must be a string,
        ↳ but is null."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must be an
        ↳ object, but is an array.","http_status":422,"errors":[{"field":"","in":"body",
        ↳"message":"The body must be an object, but is an array."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must be an
        ↳ object, but is null.","http_status":422,"errors":[{"field":"","in":"body",
        ↳"message":"The body must be an object, but is null."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must be an
        ↳ object, but is a string.","http_status":422,"errors":[{"field":"","in":"body",
        ↳"message":"The body must be an object, but is a string."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must be an
        ↳ object, but is an integer.","http_status":422,"errors":[{"field":"","in":"body",
        ↳"message":"The body must be an object, but is an integer."}]}}"
    `);
  });

  test('with very many errors gets the first of them and their number', async () => {
    const answer = await send(await mockOf(), 'POST /v2/tools', {
      body: { name: 'x', kind: 'saw', tags: Array.from({ length: 1000 }, () => 5) },
    });
    const { error } = jsonOf(answer) as { error: { text: string; errors: unknown[] } };
    expect(error.text).toMatch(
      /^`tags\[0\]` in the body must be a string, but is an integer\. .* \(99\d more\)$/,
    );
    expect(error.errors).toHaveLength(20);
  });

  test('has an unreadable body', async () => {
    const mock = await mockOf();
    const texts = [
      '',
      '{',
      '{"name":"x","kind":"saw",}',
      '{"name":"x","name":"y","kind":"saw"}',
      '{"__proto__":{}}',
      'NaN',
      '1e400',
      '['.repeat(65),
      '\uFEFF{}',
      '"\\ud800"',
    ];
    expect(
      await converse(mock, [
        ...texts.map((text) => ['POST /v2/tools', { body: bytes(text) }] as const),
        ['POST /v2/tools', { body: Uint8Array.of(0x22, 0xff, 0x22) }] as const,
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The request has no body,
        ↳ and needs one as application/json or application/x-www-form-urlencoded.",
        ↳"http_status":422,"errors":[{"field":"","in":"body","message":"The body is
        ↳ required."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected a member name in double quotes or \`}\`, found the end of the text,
        ↳ at line 1, column 2.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected more after the comma, found \`}\` (JSON allows no comma before a
        ↳ closing bracket), at line 1, column 26.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: the member \`name\` is given twice in one object, at line 1, column 13.",
        ↳"http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: the member name \`__proto__\` is not allowed, at line 1, column 2.",
        ↳"http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected a value, found \`NaN\` (JSON has no such number), at line 1, column
        ↳ 1.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: the number \`1e400\` is beyond what a double can hold (1.8e308), at line 1,
        ↳ column 1.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: arrays and objects are nested more than 64 levels deep, at line 1, column
        ↳ 65.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected a JSON value, found a byte order mark (U+FEFF), at line 1, column
        ↳ 1.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: the string holds \`\\\\ud800\`, which is a lone surrogate, at line 1, column
        ↳ 2.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected UTF-8, found an invalid byte, at line 1, column 2.",
        ↳"http_status":422}}"
    `);
  });

  test('has a body of the wrong media type', async () => {
    const mock = await mockOf();
    const body = { name: 'x', kind: 'saw' };
    expect(
      await converse(mock, [
        ['POST /v2/tools', { body, type: 'text/plain' }, 'Accept'],
        ['POST /v2/tools', { body, type: false }, 'Accept'],
        ['POST /v2/tools', { body, type: 'nonsense' }, 'Accept'],
        ['POST /v2/tools', { body, type: 'application/json; charset=latin1' }, 'Accept'],
        ['POST /v2/tools', { body, headers: [['Content-Type', 'application/json']] }, 'Accept'],
        ['PATCH /v2/tools/1', { body, type: 'text/plain' }, 'Accept'],
        ['POST /v2/shelves', { body: { code: 'X' }, type: 'text/plain' }, 'Accept'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 422 application/json, application/x-www-form-urlencoded
        ↳ {"error":{"code":"VALIDATION","text":"The header Content-Type must be
        ↳ application/json or application/x-www-form-urlencoded, but is \`text/plain\`.",
        ↳"http_status":422}}
      POST /v2/tools → 422 application/json, application/x-www-form-urlencoded
        ↳ {"error":{"code":"VALIDATION","text":"The header Content-Type is missing. Send
        ↳ application/json or application/x-www-form-urlencoded.","http_status":422}}
      POST /v2/tools → 422 application/json, application/x-www-form-urlencoded
        ↳ {"error":{"code":"VALIDATION","text":"The header Content-Type must be
        ↳ application/json or application/x-www-form-urlencoded, but is \`nonsense\`.",
        ↳"http_status":422}}
      POST /v2/tools → 422 application/json, application/x-www-form-urlencoded
        ↳ {"error":{"code":"VALIDATION","text":"The charset of the body must be utf-8, but is
        ↳ \`latin1\`.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The header Content-Type
        ↳ is given twice. Send it once.","http_status":422}}
      PATCH /v2/tools/1 → 400 application/json, application/merge-patch+json,
        ↳ application/json-patch+json {"error":{"code":"VALIDATION","text":"The header
        ↳ Content-Type must be application/json or application/merge-patch+json or
        ↳ application/json-patch+json, but is \`text/plain\`.","http_status":400}}
      POST /v2/shelves → 400 application/json {"error":{"code":"VALIDATION","text":"The
        ↳ header Content-Type must be application/json, but is \`text/plain\`.",
        ↳"http_status":400}}"
    `);
  });

  test('is refused by its form fields like any other', async () => {
    const mock = await mockOf();
    const forms = [
      'name=x&kind=hammer',
      'name=x&kind=saw&weight=abc',
      'kind=saw',
      'name=%zz',
      'name=x&kind=saw&weight=1&weight=2',
    ];
    expect(
      await converse(
        mock,
        forms.map(
          (form) =>
            [
              'POST /v2/tools',
              { body: bytes(form), type: 'application/x-www-form-urlencoded' },
            ] as const,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"\`kind\` in the body must
        ↳ be one of saw, axe, file, but is \`hammer\`.","http_status":422,
        ↳"errors":[{"field":"kind","in":"body","message":"\`kind\` in the body must be one of
        ↳ saw, axe, file, but is \`hammer\`."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"\`weight\` in the body
        ↳ must be an integer or empty, but is \`abc\`.","http_status":422,
        ↳"errors":[{"field":"weight","in":"body","message":"\`weight\` in the body must be an
        ↳ integer or empty, but is \`abc\`."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body must have the
        ↳ property name.","http_status":422,"errors":[{"field":"name","in":"body",
        ↳"message":"The body must have the property name."}]}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The form in the body
        ↳ holds a broken percent-escape.","http_status":422}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"\`weight\` in the body is
        ↳ given 2 times.","http_status":422,"errors":[{"field":"weight","in":"body",
        ↳"message":"\`weight\` in the body is given 2 times."}]}}"
    `);
  });

  test('with hostile text gets it back shortened and escaped', async () => {
    const mock = await mockOf();
    const hostile = `\u202E\u0000\r\n<script>${'x'.repeat(5000)}`;
    const answers = await Promise.all([
      send(mock, 'POST /v2/tools', { body: { name: 'x', kind: hostile, [hostile]: 1 } }),
      send(mock, `GET /v2/tools?kind=${encodeURIComponent(hostile)}`),
      send(mock, 'GET /v2/tools', { headers: [['Vouch-Session', hostile]] }),
      send(mock, 'POST /v2/tools', { body: {}, type: hostile }),
    ]);
    expect(answers.map((answer) => show(answer)).join('\n')).toMatchInlineSnapshot(`
      "422 {"error":{"code":"VALIDATION","text":"The body must not have the property
        ↳ U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxx…, which the contract
        ↳ does not name. \`kind\` in the body must be one of saw, axe, file, but is
        ↳ \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`.",
        ↳"http_status":422,"errors":[{"field":"U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxx
        ↳xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…","in":"body","message":"The
        ↳ body must not have the property U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxx
        ↳xxxxxxxx…, which the contract does not name."},{"field":"kind","in":"body",
        ↳"message":"\`kind\` in the body must be one of saw, axe, file, but is
        ↳ \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`."}]}}
      400 {"error":{"code":"VALIDATION","text":"\`kind[0]\` in the query must be one of
        ↳ saw, axe, file, but is \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxx
        ↳xx…\`.","http_status":400,"errors":[{"field":"kind[0]","in":"query",
        ↳"message":"\`kind[0]\` in the query must be one of saw, axe, file, but is
        ↳ \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`."}]}}
      400 {"error":{"code":"VALIDATION","text":"The header Vouch-Session must be 1 to 64
        ↳ letters, digits, dots, underscores and hyphens, but is
        ↳ \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`.",
        ↳"http_status":400}}
      422 {"error":{"code":"VALIDATION","text":"The header Content-Type must be
        ↳ application/json or application/x-www-form-urlencoded, but is
        ↳ \`U+202EU+0000U+000DU+000A<script>xxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`.",
        ↳"http_status":422}}"
    `);
  });

  test('is accepted only with a valid charset and type', async () => {
    const mock = await mockOf();
    for (const type of [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; x=y',
    ]) {
      expect(
        (await send(mock, 'POST /v2/tools', { body: { name: 'x', kind: 'saw' }, type })).status,
      ).toBe(201);
    }
  });

  test('is not refused for unknown parameters', async () => {
    expect((await send(await mockOf(), 'GET /v2/tools?unknown=1&limit=1')).status).toBe(200);
  });

  test('is not refused for an undeclared body', async () => {
    expect(
      (await send(await mockOf(), 'GET /v2/tools/1', { body: bytes('{'), type: 'text/plain' }))
        .status,
    ).toBe(200);
  });
});
