import type { Direction, Schema } from '../contract/model.ts';
import { joinPointer, valueAt } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import {
  type Baseline,
  baselineOf,
  defaultSeed,
  isValid,
  placeValue,
  withoutMember,
} from './baseline.ts';
import type { Site } from './build-value.ts';
import { otherForms } from './forms.ts';
import {
  describePlace,
  distinctValues,
  type LabelledValue,
  moveLabelled,
} from './labelled-value.ts';
import { propertyPlace } from './mutation.ts';
import { plainValue } from './plain-value.ts';
import { rememberValues } from './remember-values.ts';
import { siteEdges } from './site-edges.ts';
import { requiredOf } from './view-keywords.ts';

/**
 * The plain value moved to every edge of its schema, one place at a time: bounds, lengths in code
 * points, enum values, formats, types, branches, optional members left out. Each is valid; none
 * comes twice; the outermost places come first. Empty where no valid value is found. The same seed
 * gives the same values.
 */
export function boundaryValues(
  schema: Schema,
  direction: Direction,
  seed: string | number = defaultSeed,
): readonly LabelledValue[] {
  return remembered(schema, direction, seed);
}

const remembered = rememberValues('boundary', makeBoundaryValues, moveLabelled);

function makeBoundaryValues(
  schema: Schema,
  direction: Direction,
  seed: string | number,
): LabelledValue[] {
  const baseline = baselineOf(schema, direction, seed);
  if (baseline === undefined) return [];
  const moved = baseline.sites.flatMap((site) => edgesAt(site, baseline));
  const missing = baseline.sites.flatMap((site) => missingAt(site, baseline));
  const others = otherForms(schema, baseline.value, direction).flatMap((form) =>
    boundaryValues(form, direction, seed).filter(
      ({ at, value }) => at !== '' && isValid(value, baseline),
    ),
  );
  return distinctValues(
    [...moved, ...missing, ...wholeValues(baseline), ...others],
    baseline.value,
  );
}

function edgesAt(site: Site, baseline: Baseline): LabelledValue[] {
  return siteEdges(site, baseline).flatMap(({ candidates, valueClass, says, pointer }) => {
    for (const part of candidates) {
      const value = baseline.place(site.at, part);
      if (isValid(value, baseline))
        return [
          {
            value,
            label: `${describePlace(site.at)} ${says(part)}`,
            valueClass,
            at: site.at,
            pointer,
          },
        ];
    }
    return [];
  });
}

/** Each optional member left out of the fullest value. */
function missingAt({ at, view }: Site, baseline: Baseline): LabelledValue[] {
  const value = valueAt(baseline.full, at);
  if (!isJsonObject(value)) return [];
  const required = requiredOf(view);
  return Object.keys(value).flatMap((name) => {
    const without = placeValue(
      { base: baseline.full, full: baseline.full, at },
      withoutMember(value, name),
    );
    if (required.has(name) || !isValid(without, baseline)) return [];
    const place = joinPointer(at, name);
    return [
      {
        value: without,
        label: `${describePlace(place)} is left out`,
        valueClass: 'optional-missing' as const,
        at: place,
        pointer: propertyPlace(view, name),
      },
    ];
  });
}

function wholeValues({ schema, direction, full, seed }: Baseline): LabelledValue[] {
  const only = plainValue(schema, { seed, direction, required: 'only' });
  const whole = { at: '', pointer: schema.pointer };
  if (!isJsonObject(full)) return [];
  return [
    ...(only.ok
      ? [
          {
            ...whole,
            value: only.value,
            label: 'the value has required members only',
            valueClass: 'required-only' as const,
          },
        ]
      : []),
    {
      ...whole,
      value: full,
      label: 'the value has every optional member',
      valueClass: 'all-optional' as const,
    },
  ];
}
