import { expect, test } from 'vitest';
import { chooseValues, spread } from '../../../src/check/plan/body-values.ts';
import type { LabelledValue, ValueClass } from '../../../src/values/labelled-value.ts';
import { fc } from '../../property.ts';

const value = fc.record({
  valueClass: fc.constantFrom<ValueClass[]>('minimum', 'maximum', 'enum-value', 'exotic'),
  at: fc.constantFrom('', '/a', '/b', '/b/c'),
  fits: fc.boolean(),
});
const values = fc.array(value, { maxLength: 30 }).map((list) =>
  list.map(({ fits, ...named }, index): LabelledValue => ({
    ...named,
    value: fits,
    label: String(index),
    pointer: '',
  })),
);
const fit = (tried: LabelledValue): LabelledValue | undefined =>
  tried.value === true ? tried : undefined;

/** The same choice, made after everything was fitted. */
function chooseAfterwards(all: readonly LabelledValue[], max: number): LabelledValue[] {
  const fitting = all.flatMap((tried) => fit(tried) ?? []);
  const queues = [...Map.groupBy(fitting, ({ valueClass }) => valueClass).values()].map((group) => {
    const places = [...Map.groupBy(group, ({ at }) => at).values()];
    return group.flatMap((_one, turn) => places.flatMap((place) => place[turn] ?? []));
  });
  const inTurn = fitting.flatMap((_one, turn) => queues.flatMap((queue) => queue[turn] ?? []));
  const chosen = new Set(inTurn.slice(0, max));
  return fitting.filter((one) => chosen.has(one));
}

test('lazy fitting chooses the same values as fitting all of them', () => {
  fc.assert(
    fc.property(values, fc.nat({ max: 12 }), (all, max) => {
      expect(chooseValues(all, max, fit)).toEqual(chooseAfterwards(all, max));
    }),
  );
});

test('chooses one value of each class, and fits no more than necessary', () => {
  const classes = ['minimum', 'maximum', 'enum-value'] as const;
  const all = classes.flatMap((valueClass) =>
    Array.from({ length: 500 }, (_one, index): LabelledValue => ({
      valueClass,
      at: `/${String(index)}`,
      value: index,
      label: '',
      pointer: '',
    })),
  );
  const fitted: LabelledValue[] = [];
  const chosen = chooseValues(all, 3, (tried) => {
    fitted.push(tried);
    return tried.value === 0 ? undefined : tried;
  });
  expect(chosen.map(({ valueClass, at }) => `${valueClass} ${at}`)).toEqual([
    'minimum /1',
    'maximum /1',
    'enum-value /1',
  ]);
  expect(fitted).toHaveLength(6);
});

/** The same shares, given when all places are known. */
function spreadAfterwards(all: readonly LabelledValue[], max: number): LabelledValue[] {
  const fitting = all.flatMap((tried) => fit(tried) ?? []);
  if (fitting.length <= max) return fitting;
  const places = [...Map.groupBy(fitting, ({ at }) => at).values()];
  const share = Math.max(1, Math.floor(max / places.length));
  return places
    .flatMap((place, index) =>
      [
        ...place.slice((index * share) % place.length),
        ...place.slice(0, (index * share) % place.length),
      ].slice(0, share),
    )
    .slice(0, max);
}

test('each place gets its share, as if all places had been searched', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 12 }), (all, max) => {
      const places = [...Map.groupBy(all, ({ at }) => at)].map(([at, own]) => ({
        at,
        values: () => own,
      }));
      expect(spread(places, max, fit)).toEqual(
        spreadAfterwards(
          places.flatMap((place) => place.values()),
          max,
        ),
      );
    }),
  );
});

test('places that would get no share are not searched', () => {
  const asked: number[] = [];
  const places = Array.from({ length: 100 }, (_place, index) => ({
    at: `/${String(index)}`,
    values: () => {
      asked.push(index);
      return [
        {
          valueClass: 'exotic' as const,
          at: `/${String(index)}`,
          value: true,
          label: '',
          pointer: '',
        },
      ];
    },
  }));
  expect(spread(places, 4, fit).map(({ at }) => at)).toEqual(['/0', '/1', '/2', '/3']);
  expect(asked).toEqual([0, 1, 2, 3, 4]);
});
