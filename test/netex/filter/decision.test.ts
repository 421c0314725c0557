/** The decision over hand-made facts: shapes that real datasets lack, and that must not take quadratic time. */
import assert from 'node:assert/strict';
import { COMMON_FILE, DatasetFacts, RESTRICTED } from '../../../netex/filter/dataset-facts.ts';
import { Decision } from '../../../netex/filter/decision.ts';
import { filterWindow } from '../../../netex/filter/filter-window.ts';
import {
  ANCHOR,
  ASSIGNED_DAY_TYPE,
  ASSIGNED_PERIOD,
  BEGINS_ON,
  BLOCK_JOURNEY,
  ENDS_ON,
  LOOSE,
  NEEDED,
  ON_DAY,
  RUNS_ON,
} from '../../../netex/filter/reference-roles.ts';
import { References } from '../../../netex/filter/references.ts';
import { ServiceCalendar } from '../../../netex/filter/service-calendar.ts';

const LENGTH = 100_000;
const window = filterWindow('2026-11-21');

/** A common file, number 0, with entities of a kind numbered from 1 to `count`. */
function factsOf(kind: string, count: number): DatasetFacts {
  const facts = new DatasetFacts();
  facts.addEntity('', { flags: 0, file: 0, outer: 0, frame: 0 });
  for (let number = 0; number < count; number++) add(facts, kind);
  return facts;
}

function add(facts: DatasetFacts, kind: string): number {
  facts.addEntity(kind, { flags: COMMON_FILE, file: 0, outer: 0, frame: 0 });
  return facts.size - 1;
}

/** Adds a dated journey that runs in the window and arrives this many days later. */
function addRunning(facts: DatasetFacts, daysLater: number): number {
  const day = add(facts, 'OperatingDay');
  facts.day.set(day, window.from + 30);
  const journey = add(facts, 'DatedServiceJourney');
  facts.addReference(journey, ON_DAY, day);
  facts.lastDay.set(journey, daysLater);
  return journey;
}

/** Adds a journey on a UIC period whose ends are operating days. Returns the number of the period. */
function addPeriodic(facts: DatasetFacts, days: readonly [number, number], bits: string): number {
  const period = add(facts, 'UicOperatingPeriod');
  for (const [role, date] of [
    [ENDS_ON, days[1]],
    [BEGINS_ON, days[0]],
  ] as const) {
    const day = add(facts, 'OperatingDay');
    facts.day.set(day, date);
    facts.addReference(period, role, day);
  }
  facts.dayBits.set(period, bits);
  const dayType = add(facts, 'DayType');
  const assignment = add(facts, 'DayTypeAssignment');
  facts.addReference(assignment, ASSIGNED_DAY_TYPE, dayType);
  facts.addReference(assignment, ASSIGNED_PERIOD, period);
  facts.addReference(add(facts, 'ServiceJourney'), RUNS_ON, dayType);
  return period;
}

describe('the days of a UIC period', () => {
  const days = [window.from - 3, window.from + 3] as const;
  for (const [bits, isKept] of [
    ['1110000', false],
    ['1110010', true],
    ['0001000', true],
    ['0000000', false],
    ['111', false],
  ] as const) {
    it(`are those of its bits when it names operating days: ${bits}`, () => {
      const facts = factsOf('', 0);
      addPeriodic(facts, days, bits);
      assert.equal(new Decision(facts, window, 'private').isKept(facts.size - 1), isKept);
    });
  }

  it('are read once, for any number of assignments', () => {
    const facts = factsOf('', 0);
    const period = addPeriodic(facts, days, '0011');
    const calendar = new ServiceCalendar(facts, new References(facts), window);
    assert.deepEqual(calendar.spanOfPeriod(period), [window.from - 1, window.from]);
    assert.equal(calendar.spanOfPeriod(period), calendar.spanOfPeriod(period));
  });
});

describe('the closure of kept elements', () => {
  it('is found in linear time for a chain of satellites in any order, and for one about them all', () => {
    for (const step of [1, -1]) {
      const facts = factsOf('NoticeAssignment', LENGTH);
      const aboutAll = add(facts, 'NoticeAssignment');
      const last = step > 0 ? LENGTH : 1;
      for (let number = 1; number <= LENGTH; number++) {
        if (number !== last) facts.addReference(number, ANCHOR, number + step);
        facts.addReference(aboutAll, ANCHOR, number);
      }
      const kept = new Decision(facts, window, 'private');
      assert.ok(kept.isKept(1) && kept.isKept(LENGTH) && kept.isKept(aboutAll));

      facts.flags.set(last, COMMON_FILE | RESTRICTED);
      const shown = new Decision(facts, window, 'public');
      assert.ok(!shown.isKept(1) && !shown.isKept(LENGTH) && !shown.isKept(aboutAll));
      assert.equal(shown.reasonFor(aboutAll), 'restricted');
    }
  }).timeout(30_000);

  it('keeps an element without an anchor for any of its references', () => {
    const facts = factsOf('NoticeAssignment', 3);
    facts.addReference(1, LOOSE, 2);
    facts.addReference(2, ANCHOR, 2);
    const running = addRunning(facts, 0);
    assert.equal(new Decision(facts, window, 'private').isKept(1), false);
    facts.addReference(1, LOOSE, running);
    assert.equal(new Decision(facts, window, 'private').isKept(1), true);
  });

  it('begins as early as the earliest member of a block of blocks', () => {
    const facts = factsOf('Block', 3);
    facts.addReference(1, LOOSE, 2);
    facts.addReference(2, LOOSE, 3);
    facts.addReference(2, BLOCK_JOURNEY, addRunning(facts, 1));
    facts.addReference(3, BLOCK_JOURNEY, addRunning(facts, 2));
    const decision = new Decision(facts, window, 'private');
    assert.deepEqual(
      [1, 2, 3].map((block) => decision.isKept(block) && decision.lookBackOf(block)),
      [2, 2, 2],
    );
  });

  it('counts an element as restricted rather than as vehicle schedule where it needs both, in any order', () => {
    for (const order of [0, 1]) {
      const facts = factsOf('Notice', 2);
      facts.flags.set(1, COMMON_FILE | RESTRICTED);
      const targets = [1, add(facts, 'DeadRun')];
      for (const place of [order, 1 - order]) facts.addReference(2, NEEDED, targets[place]);
      assert.equal(new Decision(facts, window, 'public').reasonFor(2), 'restricted');
    }
  });
});
