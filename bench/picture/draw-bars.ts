import { barLength, lowestOf, highestOf, type Scale } from './scale.ts';
import { escapeXml, wrapText } from './text.ts';
import type { Bar, BarGroup, BarPicture } from './picture.ts';

const usualWidth = 820;
const largestWidth = 1_000;
const margin = 20;
const usualLabels = 220;
/** The longest bar, or half of that where what is written beside the bars needs the room. */
const barWidths = [330, 165] as const;
/** About as wide as a character is in the widest of the fonts. */
const characterWidth = 8.4;
const row = 26;
const lineHeight = 18;

/**
 * Light as it stands, dark where the reader's system is; the fonts are those that the system reads
 * in.
 */
const style = `
    text { fill: #1f2328; font: 14px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans',
      sans-serif; }
    .title { font-size: 18px; font-weight: 600; }
    .group { font-weight: 600; }
    .quiet { fill: #59636e; font-size: 13px; }
    .own { font-weight: 600; }
    .back { fill: #ffffff; }
    .bar { fill: #8c959f; }
    .bar.own { fill: #0a6c4d; }
    .spread { stroke: #1f2328; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .quiet { fill: #9198a1; }
      .back { fill: #0d1117; }
      .bar { fill: #656c76; }
      .bar.own { fill: #3fb28b; }
      .spread { stroke: #f0f6fc; }
    }`;

/**
 * A picture of bars as an SVG document: each with its label, its figure and the spread of its
 * rounds.
 */
export function drawBars(picture: BarPicture): string {
  const layout = layOut(picture);
  const { width } = layout;
  const head = wrapText(picture.description, 110);
  const top = margin + 30 + head.length * lineHeight;
  const { parts, bottom } = drawGroups(picture, top, layout);
  const height = bottom + (picture.footnote === undefined ? 0 : row) + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ` +
      `${String(height)}" width="${String(width)}" height="${String(height)}" ` +
      'role="img" aria-labelledby="title description">',
    `  <title id="title">${escapeXml(picture.title)}</title>`,
    `  <desc id="description">${escapeXml(describe(picture))}</desc>`,
    `  <style>${style}\n  </style>`,
    `  <rect class="back" width="${String(width)}" height="${String(height)}" rx="8"/>`,
    text(margin, margin + 16, 'title', picture.title),
    ...head.map((line, index) => text(margin, margin + 40 + index * lineHeight, 'quiet', line)),
    ...parts,
    ...(picture.footnote === undefined
      ? []
      : [text(margin, bottom + row, 'quiet', picture.footnote)]),
    '</svg>',
    '',
  ].join('\n');
}

/** What the bars say, as text: a screen reader has the description only. */
function describe({ description, groups }: BarPicture): string {
  return [
    description,
    ...groups.map(
      ({ title, bars }) =>
        `${title}: ${bars.map(({ label, text: said }) => `${label} ${said}`).join('; ')}.`,
    ),
  ].join(' ');
}

/** How wide the picture and its columns are: as usual, and wider where a text would be cut off. */
interface Layout {
  readonly width: number;
  readonly labelWidth: number;
  readonly barWidth: number;
}

function layOut({ groups, scale = 'linear', ownScales = false }: BarPicture): Layout {
  const bars = groups.flatMap((group) => group.bars);
  const labelWidth = Math.ceil(
    Math.max(usualLabels, ...bars.map(({ label }) => label.length * characterWidth + 10)),
  );
  const layouts = barWidths.map((barWidth) => {
    const ends = groups.flatMap((group) => {
      const compared = ownScales ? group.bars : bars;
      const axis: Scale = {
        kind: scale,
        lowest: lowestOf(compared),
        highest: highestOf(compared),
        length: barWidth,
      };
      return group.bars.map(
        ({ value = 0, spread, text: said }) =>
          barLength(Math.max(value, spread?.highest ?? 0), axis) + said.length * characterWidth,
      );
    });
    return {
      width: Math.ceil(Math.max(usualWidth, 2 * margin + labelWidth + 8 + Math.max(0, ...ends))),
      labelWidth,
      barWidth,
    };
  });
  const fitting = layouts.find(({ width }) => width <= largestWidth) ?? layouts.at(-1);
  return fitting ?? { width: usualWidth, labelWidth, barWidth: barWidths[0] };
}

function drawGroups(
  { groups, scale = 'linear', ownScales = false }: BarPicture,
  top: number,
  layout: Layout,
): { parts: string[]; bottom: number } {
  const all = groups.flatMap(({ bars }) => bars);
  let y = top;
  const parts = groups.flatMap((group) => {
    const bars = ownScales ? group.bars : all;
    const drawn = drawGroup(group, y, {
      kind: scale,
      lowest: lowestOf(bars),
      highest: highestOf(bars),
      length: layout.barWidth,
      left: margin + layout.labelWidth,
    });
    y += (group.bars.length + 1.5) * row;
    return drawn;
  });
  return { parts, bottom: y };
}

/** A scale, and where its bars begin. */
interface Axis extends Scale {
  readonly left: number;
}

function drawGroup({ title, bars }: BarGroup, y: number, scale: Axis): string[] {
  return [
    text(margin, y + row, 'group', title),
    ...bars.flatMap((bar, index) => drawBar(bar, y + (index + 1.4) * row, scale)),
  ];
}

function drawBar(
  { label, value, text: said, spread, own = false }: Bar,
  y: number,
  scale: Axis,
): string[] {
  const { left } = scale;
  const length = value === undefined ? 0 : barLength(value, scale);
  const ends =
    spread === undefined
      ? undefined
      : ([barLength(spread.lowest, scale), barLength(spread.highest, scale)] as const);
  const middle = y + row / 2;
  return [
    `  <text x="${String(left - 10)}" y="${place(middle + 5)}" ` +
      `text-anchor="end"${own ? ' class="own"' : ''}>${escapeXml(label)}</text>`,
    ...(value === undefined
      ? []
      : [
          `  <rect class="bar${own ? ' own' : ''}" x="${String(left)}" ` +
            `y="${place(y + 4)}" width="${place(Math.max(length, 1))}" ` +
            `height="${String(row - 8)}" rx="2"/>`,
        ]),
    ...(ends === undefined
      ? []
      : [
          `  <line class="spread" x1="${place(left + ends[0])}" ` +
            `x2="${place(left + ends[1])}" y1="${place(middle)}" ` +
            `y2="${place(middle)}"/>`,
        ]),
    text(
      left + Math.max(length, ends?.[1] ?? 0) + 8,
      middle + 5,
      value === undefined ? 'quiet' : own ? 'own' : '',
      said,
    ),
  ];
}

function text(x: number, y: number, name: string, content: string): string {
  return (
    `  <text x="${place(x)}" ` +
    `y="${place(y)}"${name === '' ? '' : ` class="${name}"`}>${escapeXml(content)}</text>`
  );
}

/** A tenth of a pixel is as exact as a picture has to be. */
function place(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}
