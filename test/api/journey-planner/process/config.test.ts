/** A planner process that is configured wrongly does not start, and says what is wrong. */
import assert from 'node:assert/strict';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';

const RIGHT = {
  ENVIRONMENT: 'development',
  PORT: '0',
  MONGODB_URI: 'mongodb://localhost/x',
  S3_ENDPOINT: 'http://localhost:1',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
  PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
};

describe('Configuration of the planner process', () => {
  it('is read', () => {
    assert.equal(readPlannerConfig({ ...RIGHT, TIME_ZONE: 'Europe/Helsinki' }).TIME_ZONE, 'Europe/Helsinki');
  });

  for (const [name, value] of [
    ['TIME_ZONE', 'Norway time'],
    ['PLANNER_THREADS', '0'],
    ['PLANNER_POLL_MS', '1'],
    ['PLANNER_ID_KEYS', 'test:short'],
    ['HEADER_PREFIX', 'two words'],
  ] as const) {
    it(`stops at a wrong ${name}, by its name`, () => {
      assert.throws(() => readPlannerConfig({ ...RIGHT, [name]: value }), new RegExp(`${name}: `));
    });
  }
});
