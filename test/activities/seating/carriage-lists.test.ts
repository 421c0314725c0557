/** Which reads of a run's carriages may answer a caller who has none of its own. */
import assert from 'node:assert/strict';
import { CarriageLists } from '../../../activities/seating/carriage-lists.ts';
import type { CarriageDocument } from '../../../activities/seating/seating-model.ts';
import type { ReservationId } from '../../../workflows/shared/ids.ts';

const MINE = ['mine' as ReservationId];

describe('The lists of carriages that callers share', () => {
  let reads: string[];
  let nowMs: number;
  let lists: CarriageLists;
  beforeEach(() => {
    reads = [];
    nowMs = 5;
    const list = async (runId: string) => {
      reads.push(runId);
      return [{ runId }] as unknown as readonly CarriageDocument[];
    };
    lists = new CarriageLists({ list }, () => nowMs);
  });

  it('answer callers who had asked before the read began', async () => {
    const before = lists.ask();
    const read = lists.read('run');
    const during = lists.ask();
    const carriages = await read;
    assert.equal(lists.findSince('run', before, MINE), carriages);
    assert.equal(lists.findSince('run', during, MINE), undefined);
    assert.equal(lists.findSince('other run', before, MINE), undefined);
    assert.deepEqual(reads, ['run']);
  });

  it('are forgotten after a second', async () => {
    const asked = lists.ask();
    await lists.read('run');
    nowMs += 1_000;
    assert.ok(lists.findSince('run', asked, MINE));
    nowMs += 1;
    assert.equal(lists.findSince('run', asked, MINE), undefined);
    await lists.read('other run');
    nowMs -= 500;
    assert.equal(lists.findSince('run', asked, MINE), undefined);
  });

  it('answer no repeat of a request that has held seats since', async () => {
    const asked = lists.ask();
    await lists.read('run');
    lists.noteHeld('run', MINE);
    lists.noteHeld('never read', MINE);
    assert.equal(lists.findSince('run', asked, MINE), undefined);
    assert.ok(lists.findSince('run', asked, ['another' as ReservationId]));
  });
});
