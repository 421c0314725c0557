/**
 * Makes feeds with random changes of cells, like those of real broken feeds. Caller: the test that validates their
 * conversion.
 */
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { type Tables, TOWN } from './small-feed.ts';

const VALUES = [
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '-1',
  '200',
  '700',
  '1101',
  '1e5',
  '40.7',
  '-74',
  'A',
  'B',
  'S',
  'T1',
  'T2',
  'R1',
  'WK',
  '08:00:00',
  '08:05:30',
  '25:61:00',
  '99:00:00',
  '20261124',
  '20250101',
  'FF',
  'http://x y',
  'ø & <b>',
  '\u0001x',
  '\u{1f600}',
  'a'.repeat(300),
  '"',
  '2026-11-24',
  '12:00',
  'SH',
  'Z',
  'V1',
  ' ',
];

export interface ChangedFeed {
  readonly tables: Tables;
  readonly description: string;
}

/** Yields the same feeds for the same seed. */
export function* changedFeeds(seed: number, count: number): Generator<ChangedFeed> {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const feeds: readonly (readonly [string, Tables])[] = Object.entries(FEATURE_FEEDS);
  for (let number = 0; number < count; number++) {
    const [name, own] = pick(feeds);
    const tables: Record<string, string> = {};
    for (const [table, text] of Object.entries({ ...TOWN, ...own })) if (typeof text === 'string') tables[table] = text;
    const changes = [name];
    for (let change = below(3); change >= 0; change--) {
      const table = pick(Object.keys(tables));
      const rows = tables[table]?.split('\n') ?? [];
      const row = below(rows.length);
      const cells = rows[row]?.split(',') ?? [];
      const cell = below(cells.length);
      cells[cell] = pick(VALUES);
      changes.push(`${table}.txt line ${row + 1} cell ${cell + 1}: ${JSON.stringify(cells[cell])}`);
      rows[row] = cells.join(',');
      tables[table] = rows.join('\n');
    }
    yield { tables, description: changes.join('; ') };
  }
}
