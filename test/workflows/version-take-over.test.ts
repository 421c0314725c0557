/** When a build takes over, and what it does about a dead one, told case by case; on a real server: test/failure/worker-versions.test.ts. */
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
    ['that is the first of all takes over', 'by-command', deployment(undefined, 'NEW'), true],
    ['that no worker has asked for work yet waits', 'once', deployment(undefined), false],
    ['that is new takes over once', 'once', deployment('old', 'NEW', 'CURRENT'), true],
    ['that was current before leaves it to the one that is', 'once', deployment('newer', 'DRAINING'), false],
    ['that was taken back stays so when it starts again', 'once', deployment('old', 'DRAINED', 'CURRENT'), false],
    ['that is new waits for a command', 'by-command', deployment('old', 'NEW', 'CURRENT'), false],
    ['that is current has nothing to take', 'once', deployment(OWN, 'CURRENT'), false],
    ['that was current leaves it to workers without a version', 'by-command', deployment(undefined, 'DRAINING'), false],
    ['that was current leaves it to workers without a version', 'once', deployment(undefined, 'DRAINED'), false],
    ['that is new leaves it to those without a version', 'by-command', deployment(undefined, 'NEW', 'DRAINED'), false],
    ['that is new takes over from workers without a version', 'once', deployment(undefined, 'NEW', 'DRAINED'), true],
    ['takes over again when the server has lost everything', 'at-start', deployment(undefined, 'NEW'), true],
  ];
  for (const [name, mode, seen, expected] of cases) {
    it(`${name} (${mode})`, () => assert.equal(mustTakeOver(seen, OWN, mode), expected));
  }

  /** A process of the build, and what it does at a turn so many seconds later, when a worker of the other build last asked so long before. */
  function processOf(mode: VersioningMode, seen: WorkerDeployment) {
    let done: string[] = [];
    let [now, asked]: [Date, Date | undefined] = [NOW, undefined];
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
        lastAsked: async () => asked,
        release: async ({ buildId }: WorkerVersion) => {
          done.push(`${buildId} is released`);
          return 1;
        },
      },
    });
    return async (afterSeconds: number, askedAtSecond?: number): Promise<string[]> => {
      done = [];
      now = new Date(NOW.getTime() + afterSeconds * 1_000);
      asked = askedAtSecond === undefined ? undefined : new Date(NOW.getTime() + askedAtSecond * 1_000);
      await takeOver.turn();
      return done;
    };
  }

  const turn = async (mode: VersioningMode, seen: WorkerDeployment, askedSecondsAgo?: number) =>
    await processOf(mode, seen)(0, askedSecondsAgo === undefined ? undefined : -askedSecondsAgo);

  it('leaves the workflows of another to it while it asks for work', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100, 150, 200]) assert.deepEqual(await at(second, Math.min(second, 60)), []);
    assert.deepEqual(await at(249, 60), []);
    assert.deepEqual(await at(250, 60), ['old is released']);
    assert.deepEqual(await turn('once', deployment(OWN, 'CURRENT', 'DRAINED')), []);
  });

  it('does not take the workers of another for dead that the server could not hear, as it could not itself', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    assert.deepEqual(await at(0, -10), []);
    assert.deepEqual(await at(190, -10), [], 'after three minutes without a way to the server');
    assert.deepEqual(await at(200, 195), []);
  });

  it('waits as long when the server remembers no poll, as after its start', async () => {
    const at = processOf('by-command', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100, 149]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(150), ['old is released']);
  });

  it('begins to wait again when the other asks, and when it could not look itself', async () => {
    const at = processOf('once', deployment(OWN, 'CURRENT', 'DRAINING'));
    for (const second of [0, 50, 100]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(145, 140), []);
    for (const second of [155, 205, 255, 304]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(365), [], 'a minute and more without a look');
    for (const second of [415, 465, 514]) assert.deepEqual(await at(second), []);
    assert.deepEqual(await at(515), ['old is released']);
  });

  it('that was taken back to gets the work again when it has seen no worker of the current one for long', async () => {
    const at = processOf('once', deployment('old', 'DRAINED', 'CURRENT'));
    for (const second of [0, 50, 100, 149]) assert.deepEqual(await at(second, -20), []);
    assert.deepEqual(await at(150, -20), ['new is made current']);
  });

  it('that was current leaves it to the one that is, while that asks for work', async () => {
    const at = processOf('once', deployment('old', 'DRAINING', 'CURRENT'));
    for (const second of [0, 60, 120, 180, 240, 300]) assert.deepEqual(await at(second, second - 55), []);
  });

  it('that starts first after a pause of all workers waits for those of the current one', async () => {
    const at = processOf('once', deployment('old', 'DRAINED', 'CURRENT'));
    assert.deepEqual(await at(0, -3_600), []);
    assert.deepEqual(await at(10, 5), []);
    assert.deepEqual(await at(60, 5), []);
  });

  it('that was taken back to waits for a command where only commands count', async () => {
    const at = processOf('by-command', deployment('old', 'DRAINED', 'CURRENT'));
    for (const second of [0, 50, 100, 150, 200]) assert.deepEqual(await at(second), []);
  });

  it('looks after dead ones only while it is the current one', async () => {
    assert.deepEqual(await turn('once', deployment('newer', 'DRAINING', 'DRAINING')), []);
  });

  it('takes all over at once on one machine', async () => {
    const seen = deployment(OWN, 'CURRENT', 'DRAINING');
    assert.deepEqual(await turn('at-start', seen, 0), ['new is made current unseen', 'old is released']);
  });

  it('does nothing where builds are only named', async () => {
    assert.deepEqual(await turn('off', deployment(undefined, 'NEW', 'DRAINING')), []);
  });
});
