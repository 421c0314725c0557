/** A planner process with a wrong configuration must not start, and must name the fault. */
import assert from 'node:assert/strict';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { PLANNER_PUBLIC_KEYS } from '../../../support/planner-keys.ts';

const RIGHT = {
  ENVIRONMENT: 'development',
  PORT: '0',
  MONGODB_URI: 'mongodb://localhost/x',
  S3_ENDPOINT: 'http://localhost:1',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
  PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  PLANNER_PUBLIC_KEYS,
};

describe('Configuration of the planner process', () => {
  it('is read from variables', () => {
    assert.equal(readPlannerConfig({ ...RIGHT, TIME_ZONE: 'Europe/Helsinki' }).TIME_ZONE, 'Europe/Helsinki');
  });

  it('trusts no proxy by default, also not on the same machine', () => {
    const { TRUSTED_PROXIES: trusts } = readPlannerConfig({ ...RIGHT, ENVIRONMENT: 'production' });
    assert.deepEqual(['127.0.0.1', '::1', '10.0.0.1'].map(trusts), [false, false, false]);
  });

  for (const [name, value] of [
    ['TIME_ZONE', 'Norway time'],
    ['PLANNER_THREADS', '0'],
    ['PLANNER_POLL_MS', '1'],
    ['PLANNER_ID_KEYS', 'test:short'],
    ['PLANNER_PUBLIC_KEYS', 'test:short'],
    ['HEADER_PREFIX', 'two words'],
  ] as const) {
    it(`stops the start at a wrong ${name}, and names it`, () => {
      assert.throws(() => readPlannerConfig({ ...RIGHT, [name]: value }), new RegExp(`${name}: `));
    });
  }
});
