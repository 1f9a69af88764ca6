/** How the page reads its data: blocks of JSON, each read when it is wanted and not before. */
export const dataScript = String.raw`
function readBlock(id) {
  const block = document.getElementById(id);
  return block === null ? undefined : JSON.parse(block.textContent);
}

const end = readBlock('end');
const run = end.run;
const summary = end.summary;
/* What a baseline accepts comes last. */
const findings = [...end.findings.filter(({ accepted }) => accepted === undefined), ...end.findings.filter(({ accepted }) => accepted !== undefined)];
const operationsById = new Map(summary.operations.map((operation) => [operation.id, operation]));
let knownRows;

/* Every exchange in short. at: when it was over, in milliseconds from the start of the run; one after the other where nobody took the time. */
function allRows() {
  if (knownRows !== undefined) return knownRows;
  let spent = 0;
  knownRows = [...document.querySelectorAll('script[data-rows]')].flatMap((block) => JSON.parse(block.textContent)).map(([number, operation, phase, title, method, target, outcome, ms, at]) => {
    spent += ms;
    return { number, operation, phase, title, method, target, outcome, ms, at: at ?? spent };
  });
  return knownRows;
}

/* An exchange in full, or undefined where the report had no room for it. */
function exchangeNumber(number) {
  const block = document.querySelector('script[data-details="' + Math.floor(number / end.step) + '"]');
  return block === null ? undefined : JSON.parse(block.textContent)[number % end.step];
}

/* 2xx, or that there was no answer. */
function classOf(outcome) {
  return typeof outcome === 'number' ? Math.floor(outcome / 100) + 'xx' : 'no answer';
}

const classKinds = { '1xx': 'note', '2xx': 'kept', '3xx': 'note', '4xx': 'warning', '5xx': 'error', 'no answer': 'none' };

function kindOf(outcome) {
  return typeof outcome === 'number' ? classKinds[classOf(outcome)] ?? 'error' : 'error';
}

const longestTitle = 200;

function titleOf(id) {
  const operation = operationsById.get(id);
  return shortened(operation === undefined ? id : operation.method + ' ' + operation.path, longestTitle);
}
`;
