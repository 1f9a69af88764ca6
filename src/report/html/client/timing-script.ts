/**
 * The run over time and how long answers took, drawn from the exchanges; each drawing has its
 * table.
 */
export const timingScript = String.raw`
const drawing = { width: 960, height: 240, left: 56, right: 12, top: 10, bottom: 28 };
const mostBins = 48;

/* As wide as its words can be read, and scrolled in its own frame where the screen is narrower. */
function figure(id, { title, desc, height = drawing.height }, ...content) {
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': 'Drawing: ' + title }, s('svg', { viewBox: '0 0 ' + drawing.width + ' ' + height, role: 'img', class: 'plot', 'aria-labelledby': id + '-title ' + id + '-desc' }, s('title', { id: id + '-title' }, title), s('desc', { id: id + '-desc' }, desc), ...content));
}

function label(x, y, text, anchor = 'middle') {
  return s('text', { x, y, 'text-anchor': anchor }, text);
}

function legend(names) {
  return h('p', { class: 'legend' }, names.map((name) => h('span', { class: classKinds[name] ?? 'none' }, name)));
}

/* The exchanges by when they were over: as many bins as can be told apart, each with its counts by class of status. */
function binsOf(rows) {
  const last = Math.max(1, rows.reduce((most, { at }) => Math.max(most, at), 0));
  const count = Math.max(1, Math.min(mostBins, rows.length));
  const bins = Array.from({ length: count }, (_, index) => ({ from: (last * index) / count, to: (last * (index + 1)) / count, total: 0, counts: {} }));
  for (const { at, outcome } of rows) {
    const bin = bins[Math.min(count - 1, Math.floor((at / last) * count))];
    bin.total += 1;
    bin.counts[classOf(outcome)] = (bin.counts[classOf(outcome)] ?? 0) + 1;
  }
  return bins;
}

function binBars({ counts, from, to, total }, names, { x, width, scale, base }) {
  let y = base;
  const told = duration(from) + ' to ' + duration(to) + ': ' + (total === 0 ? 'nothing' : names.filter((name) => counts[name]).map((name) => counts[name] + ' × ' + name).join(', '));
  return s('g', {}, s('title', {}, told), names.filter((name) => counts[name]).map((name) => {
    const height = counts[name] * scale;
    y -= height;
    return s('rect', { x, y, width, height, class: 'fill ' + (classKinds[name] ?? 'none') });
  }));
}

function timelineFigure(rows) {
  const { width, height, left, right, top, bottom } = drawing;
  const bins = binsOf(rows);
  const names = [...countValues(rows, ({ outcome }) => [classOf(outcome)]).keys()].sort();
  const most = Math.max(...bins.map(({ total }) => total));
  const [step, base] = [(width - left - right) / bins.length, height - bottom];
  const end = bins[bins.length - 1].to;
  return [legend(names),
    figure('timeline', { title: 'Exchanges over time', desc: countOf(rows.length, 'exchange') + ' in ' + duration(end) + ', at most ' + most + ' of them in ' + duration(end / bins.length) + '; the table below has the same numbers.' },
      s('path', { class: 'axis', d: 'M' + left + ' ' + top + 'V' + base + 'H' + (width - right) }), label(left - 6, top + 10, String(most), 'end'), label(left - 6, base, '0', 'end'),
      [0, 0.25, 0.5, 0.75, 1].map((share) => label(left + share * (width - left - right), height - 8, share === 0 ? '0' : duration(end * share), share === 1 ? 'end' : share === 0 ? 'start' : 'middle')),
      bins.map((bin, index) => binBars(bin, names, { x: left + index * step + 0.5, width: Math.max(1, step - 1), scale: (base - top) / most, base }))),
    details('The same as a table', table('Exchanges over time', ['from', 'to', 'exchanges', ...names], bins.filter(({ total }) => total > 0).map(({ from, to, total, counts }) => h('tr', {}, [duration(from), duration(to), total, ...names.map((name) => counts[name] ?? 0)].map((value) => h('td', { class: 'number' }, String(value)))))))];
}

/* How long a millisecond is drawn: each power of ten as wide as the next, for answers differ a thousandfold. */
function timeScale(most) {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(most, 10))));
  return { powers: Array.from({ length: top + 2 }, (_, index) => 10 ** (index - 1)), place: (ms, from, to) => from + ((Math.log10(Math.max(ms, 0.1)) + 1) / (top + 1)) * (to - from) };
}

const mostLines = 40;

function latencyFigure(timed) {
  const shown = timed.slice(0, mostLines);
  const [from, to, rowHeight] = [300, drawing.width - 24, 26];
  const height = shown.length * rowHeight + 34;
  const { powers, place } = timeScale(Math.max(...shown.map(({ max }) => max)));
  const x = (ms) => place(ms, from, to);
  return [h('p', { class: 'legend' }, h('span', { class: 'kept' }, 'p50'), h('span', { class: 'warning' }, 'p95'), h('span', { class: 'error' }, 'slowest')),
    figure('latency', { height, title: 'How long answers took, by operation', desc: 'The slowest of all took ' + duration(Math.max(...timed.map(({ max }) => max))) + ', by ' + titleOf(timed[0].id) + '. The scale is logarithmic; the table below has the numbers.' },
      powers.map((ms) => [s('path', { class: 'grid', d: 'M' + x(ms) + ' 4V' + (height - 26) }), label(x(ms), height - 8, duration(ms))]),
      shown.map(({ id, p50, p95, max, count }, index) => {
        const y = index * rowHeight + 16;
        const name = titleOf(id);
        return s('g', {}, s('title', {}, name + ': p50 ' + duration(p50) + ', p95 ' + duration(p95) + ', slowest ' + duration(max) + ' of ' + count), label(from - 12, y + 4, name.length > 38 ? name.slice(0, 37) + '…' : name, 'end'), s('path', { class: 'span', d: 'M' + x(p50) + ' ' + y + 'H' + x(max) }), [[max, 'error'], [p95, 'warning'], [p50, 'kept']].map(([ms, kind]) => s('circle', { cx: x(ms), cy: y, r: 5, class: 'fill ' + kind })));
      })),
    timed.length > mostLines ? h('p', { class: 'dim' }, 'Drawn are the slowest ' + mostLines + ' of ' + countOf(timed.length, 'operation') + '.') : '',
    details('The same as a table', table('How long answers took, by operation', ['operation', 'answers', 'p50', 'p95', 'slowest'], timed.map(({ id, count, p50, p95, max }) => h('tr', {}, h('td', {}, link(['operation', id], titleOf(id))), [count.toLocaleString('en-US'), duration(p50), duration(p95), duration(max)].map((value) => h('td', { class: 'number' }, value))))))];
}

function timingView() {
  const rows = allRows();
  if (rows.length === 0) return empty('Nothing was sent, so that there are no times.');
  const timed = [...durationsByOperation()].map(([id, sorted]) => ({ id, count: sorted.length, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), max: sorted[sorted.length - 1], ...summary.latency?.[id] })).sort((left, right) => right.max - left.max);
  return h('section', {}, h('h2', {}, 'Exchanges over time'), timelineFigure(rows), h('h2', {}, 'How long answers took'), latencyFigure(timed));
}
`;
