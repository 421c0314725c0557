/** Whether a withdrawal reaches the planner at once follows from PLANNER, as for the workers, and not from where the API forwards requests. */
import assert from 'node:assert/strict';
import { composeTimetable, composition, type TimetableParts } from '../../../api/timetable/compose.ts';
import { parseConfig } from '../../../platform/config.ts';

/** Nothing of it is used before a request comes. */
const UNUSED = { collection: () => ({}), db: {}, models: {} };
const parts = { connection: UNUSED, objects: {}, temporal: {}, environment: 'dev' } as unknown as TimetableParts;

function signalsPlanner(environment: Record<string, string>): boolean {
  const config = parseConfig(composition.config, environment) as TimetableParts['config'];
  return composeTimetable({ ...parts, config }).signalPlanner !== undefined;
}

describe('a withdrawal', () => {
  it('reaches the planner unless PLANNER is off', () => {
    assert.equal(signalsPlanner({}), true);
    assert.equal(signalsPlanner({ PLANNER: 'on' }), true);
    assert.equal(signalsPlanner({ PLANNER: 'off' }), false);
  });

  it('does so where the API forwards nothing, and not for the sake of forwarding', () => {
    assert.equal(signalsPlanner({ PLANNER_URL: '' }), true);
    assert.equal(signalsPlanner({ PLANNER: 'off', PLANNER_URL: 'http://127.0.0.1:8084' }), false);
  });
});
