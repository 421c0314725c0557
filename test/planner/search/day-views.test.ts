/** Views of days are made once for searches of the same days, also about days on which the clock changes. */
import assert from 'node:assert/strict';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { DayViews, viewsOfDay } from '../../../planner/search/day-views.ts';
import { createNetwork } from '../support/network.ts';

const DAY_MS = 86_400_000;
const dayOf = (date: string) => (Date.parse(date) / DAY_MS) as ServiceDay;

describe('views of days', () => {
  const network = createNetwork({ from: '2026-10-15', to: '2026-10-31' }).stops('A 59.0 10.0', 'B 59.3 10.0');
  const { transit } = network.line('1', ['A 08:00 - B 08:30', 'A 30:00 - B 30:30']).open();
  const viewsOf = (first: string) =>
    Array.from({ length: 5 }, (_, after) => viewsOfDay(transit, (dayOf(first) + after) as ServiceDay)).flat();

  it('are kept for a search of a whole day, though each day about a clock change has two', () => {
    const days = viewsOf('2026-10-21');
    assert.equal(days.length, 9);
    const views = new DayViews(transit);
    const made = days.map((day) => views.get(day));
    assert.equal(new Set(made).size, days.length);
    for (const [index, day] of days.entries()) assert.equal(views.get(day), made[index]);
  });

  it('are forgotten when other days are searched', () => {
    const views = new DayViews(transit);
    const [day = assert.fail(), ...others] = [...viewsOf('2026-10-15'), ...viewsOf('2026-10-26')];
    const made = views.get(day);
    for (const other of others) views.get(other);
    assert.notEqual(views.get(day), made);
  });
});
