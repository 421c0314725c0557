/**
 * When a build takes over, and how it treats a dead build, case by case. On a real server:
 * test/failure/worker-versions.test.ts.
 */
import assert from 'node:assert/strict';
import { createLog } from '../../platform/log.ts';
import { mustTakeOver, type VersioningMode, VersionTakeOver } from '../../platform/temporal/version-take-over.ts';
import type { KnownVersion, WorkerDeployment, WorkerVersion } from '../../platform/temporal/worker-versions.ts';

const OWN = 'new';
const NOW = new Date('2026-11-22T12:00:00Z');
const STRANDED_MS = 150_000;

function deployment(current: string | undefined, own?: KnownVersion['status'], old?: KnownVersion['status']) {
  const versions = [...(own ? [{ buildId: OWN, status: own }] : []), ...(old ? [{ buildId: 'old', status: old }] : [])];
  return { name: 'role', current, versions, conflictToken: new Uint8Array([1]) } satisfies WorkerDeployment;
}

describe('a build of a worker', () => {
  const cases: [string, VersioningMode, WorkerDeployment, boolean][] = [
    ['takes over as the first build of all', 'by-command', deployment(undefined, 'NEW'), true],
    ['waits until one of its workers has polled', 'once', deployment(undefined), false],
    ['takes over once as a new build', 'once', deployment('old', 'NEW', 'CURRENT'), true],
    [
      'leaves the work to the current build after it was current itself',
      'once',
      deployment('newer', 'DRAINING'),
      false,
    ],
    [
      'stays superseded when it starts again after a return to the old build',
      'once',
      deployment('old', 'DRAINED', 'CURRENT'),
      false,
    ],
    ['waits for a command as a new build', 'by-command', deployment('old', 'NEW', 'CURRENT'), false],
    ['takes nothing over as the current build', 'once', deployment(OWN, 'CURRENT'), false],
    [
      'leaves the work to workers without a version after it was current',
      'by-command',
      deployment(undefined, 'DRAINING'),
      false,
    ],
    [
      'leaves the work to workers without a version after it was current',
      'once',
      deployment(undefined, 'DRAINED'),
      false,
    ],
    [
      'leaves the work to workers without a version as a new build',
      'by-command',
      deployment(undefined, 'NEW', 'DRAINED'),
      false,
    ],
    ['takes over from workers without a version as a new build', 'once', deployment(undefined, 'NEW', 'DRAINED'), true],
    ['takes over again when the server has lost all its data', 'at-start', deployment(undefined, 'NEW'), true],
  ];
  for (const [name, mode, seen, expected] of cases) {
    it(`${name} (${mode})`, () => assert.equal(mustTakeOver(seen, OWN, mode), expected));
  }

  /**
   * A process of the build. The returned function runs one turn after so many seconds; the second argument is the last
   * poll of the other build.
   */
  function processOf(mode: VersioningMode, seen: WorkerDeployment) {
    let done: string[] = [];
    let [now, lastPoll]: [Date, Date | undefined] = [NOW, undefined];
    const takeOver = new VersionTakeOver({
      version: { deployment: 'role', buildId: OWN },
      mode,
      strandedMs: STRANDED_MS,
      now: () => now,
      log: createLog({ level: 'silent', name: 'test' }),
      versions: {
        findDeployment: async () => seen,
        makeCurrent: async ({ buildId }, how) =>
          void done.push(`${buildId} is made current ${how === 'unseen' ? how : ''}`.trim()),
        lastPollOf: async () => lastPoll,
        release: async ({ buildId }: WorkerVersion) => {
          done.push(`${buildId} is released`);
          return 1;
        },
      },
    });
    return async (afterSeconds: number, polledAtSecond?: number): Promise<string[]> => {
      done = [];
      now = new Date(NOW.getTime() + afterSeconds * 1_000);
      lastPoll = polledAtSecond === undefined ? undefined : new Date(NOW.getTime() + polledAtSecond * 1_000);
      await takeOver.turn();
      return done;
    };
  }

  const turn = async (mode: VersioningMode, seen: WorkerDeployment, polledSecondsAgo?: number) =>
    await processOf(mode, seen)(0, polledSecondsAgo === undefined ? undefined : -polledSecondsAgo);

  it('leaves the workflows of another build to it while that build polls', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100, 150, 200]) assert.deepEqual(await at(second, Math.min(second, 60)), []);
    assert.deepEqual(await at(249, 60), []);
    assert.deepEqual(await at(250, 60), ['old is released']);
    assert.deepEqual(await turn('once', deployment(OWN, 'CURRENT', 'DRAINED')), []);
  });

  it('does not treat another build as dead for the time in which neither reached the server', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    assert.deepEqual(await at(0, -10), []);
    assert.deepEqual(await at(190, -10), [], 'after three minutes without a connection to the server');
    assert.deepEqual(await at(200, 195), []);
  });

  it('waits equally long when the server knows no poll, as after its start', async () => {
    const at = processOf('by-command', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100, 149]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(150), ['old is released']);
  });

  it('waits anew after a poll of the other build, and after a gap in its own checks', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(145, 140), []);
    for (const second of [155, 205, 255, 304]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(365), [], 'more than a minute without a check');
    for (const second of [415, 465, 514]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(515), ['old is released']);
  });

  it('becomes current again after a rollback when the current build has not polled for long', async () => {
    const at = processOf('once', deployment('old', 'DRAINED', 'CURRENT'));
    for (const second of [0, 50, 100, 149]) assert.deepEqual(await at(second, -20), []);
    assert.deepEqual(await at(150, -20), ['new is made current']);
  });

  it('leaves the work to the current build while that build polls', async () => {
    const at = processOf('once', deployment('old', 'DRAINING', 'CURRENT'));
    for (const second of [0, 60, 120, 180, 240, 300]) assert.deepEqual(await at(second, second - 55), []);
  });

  it('waits for the current build when it starts first after a pause of all workers', async () => {
    const at = processOf('once', deployment('old', 'DRAINED', 'CURRENT'));
    assert.deepEqual(await at(0, -3_600), []);
    assert.deepEqual(await at(10, 5), []);
    assert.deepEqual(await at(60, 5), []);
  });

  it('waits for a command after a rollback in mode by-command', async () => {
    const at = processOf('by-command', deployment('old', 'DRAINED', 'CURRENT'));
    for (const second of [0, 50, 100, 150, 200]) assert.deepEqual(await at(second), []);
  });

  it('treats dead builds only while it is the current one', async () => {
    assert.deepEqual(await turn('once', deployment('newer', 'DRAINING', 'DRAINING')), []);
  });

  it('takes all work over at once on one machine', async () => {
    const seen = deployment(OWN, 'CURRENT', 'DRAINING');
    assert.deepEqual(await turn('at-start', seen, 0), ['new is made current unseen', 'old is released']);
  });

  it('does nothing in mode off', async () => {
    assert.deepEqual(await turn('off', deployment(undefined, 'NEW', 'DRAINING')), []);
  });
});
