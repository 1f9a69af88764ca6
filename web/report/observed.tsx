import type { ComponentChildren, VNode } from 'preact';
import { Badge } from '../shared/elements.tsx';
import { FixDocument } from '../shared/fix-document.tsx';
import { countOf } from '../shared/text.ts';
import { data, nameOf, summary } from './data.ts';
import { Empty, Table } from './list.tsx';

const { gaps, skipped, left, crashed, differences } = data;
const skippedFindings = summary.skippedFindings ?? [];
const identities = summary.identities ?? [];
const workflows = summary.workflows ?? [];

/** The number of observations besides the findings. */
export const observedCount =
  gaps.length +
  skipped.length +
  skippedFindings.length +
  left.length +
  crashed.length +
  identities.length +
  workflows.length;

/**
 * Observations that are not findings: gaps of the contract, skipped operations, left records,
 * internal errors.
 */
export function ObservedView(): VNode {
  return (
    <section>
      {observedCount === 0 ? <Empty>Nothing besides the findings.</Empty> : undefined}
      <Group
        title="Gaps of the contract, and what was seen there"
        items={gaps.map(({ id, message, observed, overlay }) => (
          <>
            <WithRemark remark={`Seen: ${observed} (${id})`}>{message}</WithRemark>
            <FixDocument overlay={overlay} />
          </>
        ))}
      />
      <Group
        title="Operations without requests"
        items={skipped.map(({ operation, reason }) => (
          <>
            <b>{nameOf(operation)}</b>
            {`: ${reason}`}
          </>
        ))}
      />
      <WorkflowGroup />
      <AccessGroup />
      <Group
        title="Findings that the configuration skips"
        items={skippedFindings.map(({ check, operation, message, reason, until }) => (
          <WithRemark
            remark={`Skipped ${until === undefined ? 'for good' : `until ${until}`}: ${reason}`}
          >
            <b>{check}</b>
            {` on ${operation}: ${message}`}
          </WithRemark>
        ))}
      />
      <Group
        title="Records left behind"
        items={left.map(({ operation, record, reason }) => `${record} of ${operation}: ${reason}`)}
      />
      <Group
        title="Internal errors of vouch"
        items={crashed.map(({ check, message, stack }) => (
          <>
            {`The check ${check} crashed: ${message}`}
            <pre tabIndex={0}>{stack}</pre>
          </>
        ))}
      />
    </section>
  );
}

/** The user's workflows, each with its steps. */
function WorkflowGroup(): VNode {
  return (
    <Group
      title="Workflows"
      items={workflows.map(({ id, outcome, reason, steps }) => (
        <>
          <b>{id}</b> {outcome === 'not-run' ? 'was not run' : outcome}
          {reason === undefined ? '' : `: ${reason}`}
          <ul class="plain">
            {steps.map((step) => (
              <li>
                {`${step.id}: ${step.operation ?? ''} ${String(step.status ?? '')} ${step.outcome}`}
                {step.reason === undefined ? '' : `: ${step.reason}`}
              </li>
            ))}
          </ul>
        </>
      ))}
    />
  );
}

/** Who could do what: an entry for each identity. */
function AccessGroup(): VNode {
  return (
    <Group
      title="Who could do what"
      items={identities.map(({ name, state, operations }) => (
        <WithRemark remark={accessWords(operations)}>
          <b>{name}</b>
          {state === 'asked' ? '' : ` (${state})`}
        </WithRemark>
      ))}
    />
  );
}

/** What one identity was allowed and refused, by operation. */
function accessWords(operations: Readonly<Record<string, string>>): string {
  const byAccess = Map.groupBy(Object.entries(operations), ([, access]) => access);
  const parts = [...byAccess].map(
    ([access, own]) => `${access}: ${own.map(([id]) => id).join(', ')}`,
  );
  return parts.length === 0 ? 'not asked' : parts.join('; ');
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly ComponentChildren[];
}

function Group({ title, items }: GroupProps): VNode | null {
  if (items.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="plain">
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    </>
  );
}

interface WithRemarkProps {
  readonly remark: string;
  readonly children: ComponentChildren;
}

function WithRemark({ remark, children }: WithRemarkProps): VNode {
  return (
    <>
      {children}
      <br />
      <span class="dim">{remark}</span>
    </>
  );
}

/** The differences between the responses of two deployments, by operation. */
export function DifferencesView(): VNode {
  if (differences.length === 0) return <Empty>The deployments do not differ.</Empty>;
  const byOperation = Map.groupBy(differences, ({ operation }) => nameOf(operation));
  return (
    <section>
      <h2>{data.differencesTitle}</h2>
      <p class="dim">Differences are not findings: both deployments may conform.</p>
      <Table caption="Differences" heads={['severity', 'in what', 'here', 'there', 'seen']}>
        {[...byOperation].flatMap(([name, alike]) => [
          <tr>
            <th scope="rowgroup" class="rowgroup" colSpan={5}>
              {name}
            </th>
          </tr>,
          ...alike.map(({ severity, place, left: here, right: there, count, trying }) => (
            <tr>
              <td>
                <Badge kind={severity}>{severity}</Badge>
              </td>
              <td>{place}</td>
              <td>{here}</td>
              <td>{there}</td>
              <td>{`${countOf(count, 'time')}: ${trying}`}</td>
            </tr>
          )),
        ])}
      </Table>
    </section>
  );
}
