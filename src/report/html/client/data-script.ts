/** How the page reads its data: blocks of JSON, each read when it is wanted and not before. */
export const dataScript = String.raw`
function readBlock(id) {
  const block = document.getElementById(id);
  return block === null ? undefined : JSON.parse(block.textContent);
}

const end = readBlock('end');
const run = end.run;
const findings = end.findings;
const summary = end.summary;
let knownRows;

/* Every exchange in short: number, operation, phase, what was tried, method, target, status or fault, milliseconds. */
function allRows() {
  knownRows ??= [...document.querySelectorAll('script[data-rows]')].flatMap((block) => JSON.parse(block.textContent)).map(([number, operation, phase, title, method, target, outcome, ms]) => ({ number, operation, phase, title, method, target, outcome, ms }));
  return knownRows;
}

/* An exchange in full, or undefined where the report had no room for it. */
function exchangeNumber(number) {
  const block = document.querySelector('script[data-details="' + Math.floor(number / end.step) + '"]');
  return block === null ? undefined : JSON.parse(block.textContent)[number % end.step];
}
`;
