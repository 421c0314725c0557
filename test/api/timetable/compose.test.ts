/**
 * PLANNER alone decides whether a withdrawal is signalled to the planner, as in the workers. The address for forwarding
 * does not matter.
 */
import assert from 'node:assert/strict';
import { composeTimetable, composition, type TimetableParts } from '../../../api/timetable/compose.ts';
import { parseConfig } from '../../../platform/config.ts';
import { PLANNER_PUBLIC_KEYS } from '../../support/planner-keys.ts';

/** The composition uses none of these members before a request comes. */
const UNUSED = { collection: () => ({}), db: {}, models: {} };
const parts = { connection: UNUSED, objects: {}, temporal: {}, environment: 'dev' } as unknown as TimetableParts;

function signalsPlanner(environment: Record<string, string>): boolean {
  const config = parseConfig(composition.config, { PLANNER_PUBLIC_KEYS, ...environment }) as TimetableParts['config'];
  return composeTimetable({ ...parts, config }).signalPlanner !== undefined;
}

describe('a withdrawal', () => {
  it('reaches the planner unless PLANNER is off', () => {
    assert.equal(signalsPlanner({}), true);
    assert.equal(signalsPlanner({ PLANNER: 'on' }), true);
    assert.equal(signalsPlanner({ PLANNER: 'off' }), false);
  });

  it('reaches it independently of the address for forwarding', () => {
    assert.equal(signalsPlanner({ PLANNER_URL: '' }), true);
    assert.equal(signalsPlanner({ PLANNER: 'off', PLANNER_URL: 'http://127.0.0.1:8084' }), false);
  });
});
