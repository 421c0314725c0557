/** What the kill runs rest on: the times of the kills repeat by their seed, and the watch of the ledger sees money that is paid twice. */
import assert from 'node:assert/strict';
import { faultsOf } from './ledger-watch.ts';
import { planKills } from './random-kills.ts';

const VICTIMS = ['api', 'mongod', 'temporal'] as const;

describe('planned kills', () => {
  it('are the same for a seed, and others for another', () => {
    assert.deepEqual(planKills(VICTIMS, 12, 'one'), planKills(VICTIMS, 12, 'one'));
    assert.notDeepEqual(planKills(VICTIMS, 12, 'one'), planKills(VICTIMS, 12, 'two'));
  });

  it('kill each part as often as the others, one after the other, at uneven times', () => {
    const kills = planKills(VICTIMS, 12, 'one');
    const counts = Map.groupBy(kills, ({ victim }) => victim);
    assert.deepEqual(
      VICTIMS.map((victim) => counts.get(victim)?.length),
      [4, 4, 4],
    );
    const shares = kills.map(({ share }) => share);
    assert.deepEqual(
      shares,
      shares.toSorted((one, other) => one - other),
    );
    assert.ok(shares.every((share) => share >= 0 && share < 1));
    const gaps = new Set(shares.slice(1).map((share, at) => (share - (shares[at] ?? 0)).toFixed(3)));
    assert.ok(gaps.size > 6, [...gaps].join());
    assert.notDeepEqual(
      kills.map(({ victim }) => victim),
      Array.from(kills, (_, at) => VICTIMS[at % VICTIMS.length]),
    );
  });
});

describe('the watch of a ledger', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 12, 0, second));
  const movement = (amountMinor: number, idempotencyKey: string, second: number) => ({
    ...{ amountMinor, idempotencyKey, at: at(second) },
  });
  const entry = (
    captures: readonly ReturnType<typeof movement>[],
    refunds: readonly ReturnType<typeof movement>[],
  ) => ({
    ...{ reference: '1/2', currency: 'NOK', captures, refunds, disputes: [] },
  });

  it('finds nothing where at most what was taken is paid back', () => {
    const refunds = [movement(200, 'cr-1-2', 2), movement(100, 'cr-2-2', 3)];
    assert.deepEqual(faultsOf(entry([movement(300, 'cap-2-1', 1)], refunds)), []);
  });

  it('finds the refund that has paid back too much', () => {
    const refunds = [movement(300, 'cr-1-2', 2), movement(1, 'cr-2-2', 3)];
    assert.deepEqual(faultsOf(entry([movement(300, 'cap-2-1', 1)], refunds)), [
      '1/2: at cr-2-2 301 were paid back of 300',
    ]);
  });

  it('finds money that was paid back before it was taken', () => {
    assert.deepEqual(faultsOf(entry([movement(300, 'cap-2-1', 5)], [movement(300, 'cr-1-2', 4)])), [
      '1/2: at cr-1-2 300 were paid back of 0',
    ]);
  });

  it('finds a second capture', () => {
    const twice = [movement(300, 'cap-2-1', 1), movement(300, 'cap-2-2', 2)];
    assert.deepEqual(faultsOf(entry(twice, [])), ['1/2 was captured 2 times']);
  });
});
