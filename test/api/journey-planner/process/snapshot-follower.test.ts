/** Tests the follower of the pointer when search threads refuse a snapshot. */
import assert from 'node:assert/strict';
import { SnapshotFollower } from '../../../../api/journey-planner/snapshot-follower.ts';
import { createNetwork } from '../../../planner/support/network.ts';
import { until } from '../../../support/until.ts';
import { silentLog } from '../../support/parcels.ts';

function snapshot(): { snapshotId: string; bytes: SharedArrayBuffer } {
  const network = createNetwork({ from: '2026-11-23' });
  network.stops('A 59.900 10.700', 'B 59.950 10.750').line('1', ['A 08:00 - B 08:30']);
  const { bytes, snapshotId } = network.build();
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return { snapshotId, bytes: shared };
}

describe('The follower of the pointer', () => {
  it('keeps a refused snapshot out of memory, and opens it when the threads accept it', async () => {
    const { snapshotId, bytes } = snapshot();
    let refusals = 0;
    const follower = new SnapshotFollower({
      findPointer: async () => ({
        build: 1,
        snapshotId,
        sha256: '',
        sizeBytes: bytes.byteLength,
        inputHash: '',
        keyId: '',
        signature: '',
        publishedAt: new Date(),
      }),
      loader: { load: async () => bytes, forgetOthers: async () => {} },
      threads: {
        use: async () => {
          if (refusals++ < 2) throw new Error('no thread starts');
          assert.ok(follower.find(snapshotId), 'known before the threads answer by it');
        },
      },
      log: silentLog,
      everyMs: 1,
    });
    const kept: boolean[] = [];
    follower.metrics = {
      loadFailed: () => kept.push(follower.find(snapshotId) !== undefined),
      swapped: () => {},
      untrusted: () => {},
    } as never;
    follower.start();
    await until(async () => follower.inUse !== undefined);
    await follower.stop();
    assert.deepEqual(kept, [false, false]);
    assert.equal(follower.find(snapshotId), follower.inUse?.timetable);
  });
});
