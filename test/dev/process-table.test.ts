/** Tests the reader of the system's process table. */
import assert from 'node:assert/strict';
import { findAgeSeconds } from '../../dev/stack/process-table.ts';

describe('The process table', () => {
  it('returns the age of a process', () => {
    const age = findAgeSeconds(process.pid);
    assert.ok(age !== undefined && Math.abs(age - process.uptime()) < 2, `${age} beside ${process.uptime()}`);
  });

  it('returns no age for a missing process', () => {
    assert.equal(findAgeSeconds(2 ** 30), undefined);
  });
});
