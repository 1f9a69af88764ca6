import { expect, test } from 'vitest';
import { drawBars } from '../../bench/picture/draw-bars.ts';
import type { BarPicture } from '../../bench/picture/picture.ts';
import { readXml, type XmlNode } from '../report/read-xml.ts';

const picture: BarPicture = {
  title: 'Requests & answers',
  description: 'Requests per second; "more" is better.',
  groups: [
    {
      title: 'GET /pets?a=1&b=<2>',
      bars: [
        {
          label: 'vouch',
          value: 200,
          text: '0.74 of bare',
          own: true,
          spread: { lowest: 190, highest: 210 },
        },
        { label: "O'Rival <5>\u0000", value: 100, text: '0.37 of bare' },
        { label: 'absent', text: 'not installed: needs Java' },
      ],
    },
  ],
  footnote: '2030-01-01, 2 cores',
};

/** The picture as a reader of XML has it; the reader throws where it is not well-formed. */
function draw(changed: Partial<BarPicture> = {}): XmlNode {
  return readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${drawBars({ ...picture, ...changed })}`);
}

function named(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

test('a picture is well-formed XML with escaped labels', () => {
  const svg = draw();
  const texts = named(svg, 'text').map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining([
      'Requests & answers',
      'GET /pets?a=1&b=<2>',
      "O'Rival <5>",
      '0.37 of bare',
      'not installed: needs Java',
      '2030-01-01, 2 cores',
    ]),
  );
});

test('screen readers get the title and every figure', () => {
  const svg = draw();
  expect(svg.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title description' });
  expect(named(svg, 'title').map(({ text }) => text)).toEqual(['Requests & answers']);
  expect(named(svg, 'desc')[0]?.text).toBe(
    'Requests per second; "more" is better. GET /pets?a=1&b=<2>: vouch 0.74 ' +
      "of bare; O'Rival <5> 0.37 of bare; absent not installed: needs Java.",
  );
});

test('lengths are proportional to values, and a missing value has no bar', () => {
  const [own = 0, rival = 0, ...others] = widthsOf(draw());
  expect(own / rival).toBeCloseTo(2, 1);
  expect(others).toEqual([]);
});

test('on a logarithmic scale the smallest value is visible', () => {
  const bars = [1, 10, 100].map((value) => ({
    label: String(value),
    value,
    text: `${String(value)} ms`,
  }));
  const [least = 0, middle = 0, max = 0] = widthsOf(
    draw({ scale: 'logarithmic', groups: [{ title: 'start', bars }] }),
  );
  expect(least).toBeGreaterThan(20);
  expect(middle - least).toBeCloseTo(max - middle, 0);
});

test('a picture has dark colors in a dark color scheme', () => {
  expect(named(draw(), 'style')[0]?.text).toContain('prefers-color-scheme: dark');
});

function widthsOf(svg: XmlNode): number[] {
  return named(svg, 'rect')
    .filter(({ attributes }) => attributes['class']?.startsWith('bar'))
    .map(({ attributes }) => Number(attributes['width']));
}

test('long labels and figures are not cut off', () => {
  const bars = [
    {
      label: 'A rival with a name that is far longer than others',
      value: 100,
      text: '16 of 16; no false positive, 1,311 requests in 20.4 s',
    },
    { label: 'B', value: 20, text: 'little' },
  ];
  const svg = draw({ groups: [{ title: 'detected', bars }] });
  const [label, ...rest] = named(svg, 'text').filter(({ text }) =>
    bars.some((bar) => bar.label === text || bar.text === text),
  );
  expect(Number(label?.attributes['x'])).toBeGreaterThan((bars[0]?.label.length ?? 0) * 8);
  expect(Number(rest[0]?.attributes['x']) + (bars[0]?.text.length ?? 0) * 8).toBeLessThan(
    Number(svg.attributes['width']),
  );
});
