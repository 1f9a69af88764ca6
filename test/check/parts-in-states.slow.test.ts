import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from './fixture/crud/crud.ts';

type Quirk = 'posts-stay' | 'posts-stay-and-nothing-says-that-they-go' | 'count-stays';

/** Topics, which are made as drafts, and posts, which only open topics take. */
function topics(quirk?: Quirk): Crud {
  const isSaid = quirk !== 'posts-stay-and-nothing-says-that-they-go';
  return crud(
    {
      Topic: {
        fields: {
          title: text,
          stage: { type: 'string', enum: ['draft', 'open'], default: 'draft' },
          postCount: shown({ type: 'integer', description: 'How many posts.' }),
        },
        optional: ['stage'],
        can: 'list create read update delete',
        says: { delete: isSaid ? 'With its posts.' : 'Deletes it.' },
      },
      Post: {
        fields: { topicId: text, body: text },
        can: 'list create read delete',
        refuses: { create: { 409: 'Not now.', 422: 'There is no such topic.' } },
      },
    },
    (rows) => {
      const highest = new Map<string, number>();
      const postsOf = ({ id }: Row): Row[] =>
        rows('posts').filter((post) => post['topicId'] === id);
      return {
        refuse: {
          posts: (post) => {
            const topic = rows('topics').find(({ id }) => id === post['topicId']);
            if (topic === undefined) return 422;
            return topic['stage'] === 'open' ? undefined : 409;
          },
        },
        refuseDeletion: {
          topics: (topic) => {
            const gone = quirk?.startsWith('posts-stay') === true ? [] : postsOf(topic);
            for (const post of gone) rows('posts').splice(rows('posts').indexOf(post), 1);
            return undefined;
          },
        },
        show: {
          topics: (topic) => {
            const max = Math.max(highest.get(topic.id) ?? 0, postsOf(topic).length);
            highest.set(topic.id, max);
            return {
              ...topic,
              postCount: quirk === 'count-stays' ? max : postsOf(topic).length,
            };
          },
        },
      };
    },
  );
}

const alarmsOf = (quirk?: Quirk): Promise<string[]> =>
  topics(quirk).alarms(/^/, { only: ['parent-holds', 'shown-twice-agrees'] });

describe('records that only another state of their parent takes', () => {
  test.each<Quirk | undefined>([undefined, 'posts-stay-and-nothing-says-that-they-go'])(
    'have no finding in a service that keeps its contract: %s',
    async (quirk) => {
      expect(await alarmsOf(quirk)).toEqual([]);
    },
  );

  test('are gone with it if the deletion says so', async () => {
    const lines = await alarmsOf('posts-stay');
    expect(lines.join('\n')).toMatch(/error parent-holds getPost: .*after the one that it belongs/);
  });

  test('are counted until they are removed', async () => {
    const lines = await alarmsOf('count-stays');
    expect(lines.join('\n')).toMatch(/error shown-twice-agrees getTopic: .*postCount is 1 instead/);
  });
});
