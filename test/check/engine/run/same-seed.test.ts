import { describe, expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** Keeps notes for ever: there is no deletion. `doubles` keeps each one twice. */
function notes({ doubles = false } = {}): Crud {
  return crud({ Note: { fields: { text: { ...text, maxLength: 80 } } } }, (rows) => ({
    made: {
      notes: (row) => {
        if (doubles) rows('notes').push({ ...row, id: `${row.id}-again` });
      },
    },
  }));
}

describe('runs with one seed against a service that keeps everything', () => {
  test('report nothing, however often they are repeated', async () => {
    const service = notes();
    for (let run = 1; run <= 3; run += 1)
      expect(await service.alarms(/^/, { seed: 'same' })).toEqual([]);
  });

  test('report a create that makes two records each time', async () => {
    const service = notes({ doubles: true });
    for (let run = 1; run <= 2; run += 1)
      expect((await service.alarms(/^/, { seed: 'same' })).join('\n')).toContain(
        'One create made two records',
      );
  });
});
