import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/json/value.ts';
import { applyJsonPatch, mergePatch } from '../../src/mock/records/patch/json-patch.ts';
import { fc } from '../property.ts';

describe('a merge patch', () => {
  // RFC 7396, appendix A.
  test.each<[JsonValue, JsonValue, JsonValue]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  test('keeps a member called __proto__ a member', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__":{"a":1}}') as JsonValue);
    expect(Object.keys(patched as object)).toEqual(['__proto__']);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe('a JSON patch is bounded', () => {
  const grown: JsonValue = { a: { b: 'x'.repeat(1_000) } };
  const doubled = Array.from({ length: 24 }, (_, index) => ({
    op: 'copy',
    from: '',
    path: `/c${String(index)}`,
  }));

  test('in the size of its result, after each step', () => {
    const patched = applyJsonPatch(grown, doubled);
    expect(patched).toMatchObject({
      ok: false,
      isTest: false,
      reason: expect.stringMatching(
        /^step \d+ of the patch does not apply: the record would be longer than 1048576 bytes$/,
      ) as unknown,
    });
  });

  test('by a given limit', () => {
    expect(
      applyJsonPatch({ a: 1 }, [{ op: 'add', path: '/b', value: 'x'.repeat(100) }], {
        maxBytes: 60,
      }),
    ).toMatchObject({ ok: false });
    expect(
      applyJsonPatch({ a: 1 }, [{ op: 'add', path: '/b', value: 'x'.repeat(30) }], {
        maxBytes: 60,
      }),
    ).toMatchObject({ ok: true });
  });

  test('but replaced and removed values free space', () => {
    const steps = Array.from({ length: 50 }, () => [
      { op: 'add', path: '/b', value: 'x'.repeat(30) },
      { op: 'remove', path: '/b' },
    ]).flat();
    expect(applyJsonPatch({ a: 1 }, steps, { maxBytes: 60 })).toEqual({
      ok: true,
      value: { a: 1 },
    });
  });

  test('in its nesting depth', () => {
    const steps = Array.from({ length: 100 }, () => [
      { op: 'add', path: '/w', value: {} },
      { op: 'move', from: '/a', path: '/w/a' },
      { op: 'move', from: '/w', path: '/a' },
    ]).flat();
    expect(applyJsonPatch({ a: {} }, steps)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('more than 64 levels deep') as unknown,
    });
  });

  test('in its work', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`k${String(index)}`, 1]),
    );
    const steps = Array.from({ length: 20_000 }, (_, index) => ({
      op: 'add',
      path: '/k0',
      value: index,
    }));
    expect(applyJsonPatch(wide, steps)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('more work than one request may take') as unknown,
    });
  });
});

describe('a JSON patch', () => {
  const document: JsonValue = { a: 1, list: ['x', 'y'], deep: { b: { c: true } }, 'with/slash': 0 };

  // RFC 6902, appendix A, and its edges.
  test.each<[JsonValue[], JsonValue]>([
    [[], document],
    [[{ op: 'add', path: '/n', value: 2 }], { ...document, n: 2 }],
    [[{ op: 'add', path: '/a', value: 2 }], { ...document, a: 2 }],
    [[{ op: 'add', path: '/list/1', value: 'n' }], { ...document, list: ['x', 'n', 'y'] }],
    [[{ op: 'add', path: '/list/2', value: 'n' }], { ...document, list: ['x', 'y', 'n'] }],
    [[{ op: 'add', path: '/list/-', value: 'n' }], { ...document, list: ['x', 'y', 'n'] }],
    [[{ op: 'add', path: '', value: 5 }], 5],
    [[{ op: 'replace', path: '', value: { z: 1 } }], { z: 1 }],
    [[{ op: 'remove', path: '/list/0' }], { ...document, list: ['y'] }],
    [[{ op: 'remove', path: '/deep/b' }], { ...document, deep: {} }],
    [
      [{ op: 'replace', path: '/deep/b/c', value: null }],
      { ...document, deep: { b: { c: null } } },
    ],
    [[{ op: 'replace', path: '/with~1slash', value: 1 }], { ...document, 'with/slash': 1 }],
    [[{ op: 'move', from: '/deep/b', path: '/b' }], { ...document, deep: {}, b: { c: true } }],
    [[{ op: 'move', from: '/list/0', path: '/list/1' }], { ...document, list: ['y', 'x'] }],
    [[{ op: 'copy', from: '/list', path: '/other' }], { ...document, other: ['x', 'y'] }],
    [[{ op: 'test', path: '/deep', value: { b: { c: true } } }], document],
    [[{ op: 'test', path: '', value: document }], document],
  ])('%j makes %j', (steps, value) => {
    expect(applyJsonPatch(document, steps)).toEqual({ ok: true, value });
  });

  test('that does not apply names the step and the reason', () => {
    const wrong: JsonValue[] = [
      5,
      {},
      { op: 'add', path: 'a', value: 1 },
      { op: 'add', path: '/n' },
      { op: 'add', path: '/none/n', value: 1 },
      { op: 'add', path: '/list/3', value: 1 },
      { op: 'add', path: '/list/01', value: 1 },
      { op: 'add', path: '/a/b', value: 1 },
      { op: 'replace', path: '/none', value: 1 },
      { op: 'replace', path: '/list/-', value: 1 },
      { op: 'remove', path: '/none' },
      { op: 'remove', path: '/list/2' },
      { op: 'remove', path: '' },
      { op: 'remove', path: '/__proto__' },
      { op: 'move', path: '/a' },
      { op: 'move', from: '/none', path: '/a' },
      { op: 'move', from: '', path: '/a' },
      { op: 'test', path: '/a', value: 2 },
      { op: 'test', path: '/none', value: null },
      { op: 'explode', path: '/a' },
    ];
    const reasons = wrong
      .map((step) => applyJsonPatch(document, [{ op: 'test', path: '/a', value: 1 }, step]))
      .map((patched) => (patched.ok ? 'applied' : patched.reason));
    expect(reasons.join('\n')).toMatchInlineSnapshot(`
      "step 1 of the patch does not apply: it is no object
      step 1 of the patch does not apply: its \`path\` is no JSON Pointer
      step 1 of the patch does not apply: its \`path\` is no JSON Pointer
      step 1 of the patch does not apply: it has no \`value\`
      step 1 of the patch does not apply: there is nothing at \`/none/n\`
      step 1 of the patch does not apply: there is nothing at \`/list/3\`
      step 1 of the patch does not apply: there is nothing at \`/list/01\`
      step 1 of the patch does not apply: there is nothing at \`/a/b\`
      step 1 of the patch does not apply: there is nothing at \`/none\`
      step 1 of the patch does not apply: there is nothing at \`/list/-\`
      step 1 of the patch does not apply: there is nothing at \`/none\`
      step 1 of the patch does not apply: there is nothing at \`/list/2\`
      step 1 of the patch does not apply: it would remove the whole
      step 1 of the patch does not apply: there is nothing at \`/__proto__\`
      step 1 of the patch does not apply: there is nothing at its \`from\`
      step 1 of the patch does not apply: there is nothing at its \`from\`
      step 1 of the patch does not apply: it would remove the whole
      step 1 of the patch does not apply: \`/a\` is not what it tests for
      step 1 of the patch does not apply: \`/none\` is not what it tests for
      step 1 of the patch does not apply: its \`op\` must be add, remove, replace, move,
        ↳ copy or test"
    `);
  });

  test('never throws, and never changes its input', () => {
    const step = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
        path: fc.constantFrom(
          '',
          '/',
          '/a',
          '/list',
          '/list/0',
          '/list/-',
          '/deep/b',
          '/__proto__',
          '/constructor',
        ),
        from: fc.constantFrom('', '/a', '/list/1', '/deep'),
        value: fc.jsonValue(),
      },
      { requiredKeys: ['op'] },
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const before = JSON.stringify(document);
        expect(applyJsonPatch(document, steps as JsonValue[])).toHaveProperty('ok');
        expect(JSON.stringify(document)).toBe(before);
      }),
    );
  });
});
