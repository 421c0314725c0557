/** Every recorded history runs through the present workflow code: a change that would break running imports fails here. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { useTracedBundle, useWorkflowBundle } from '../support/bundle.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';
import { type History, listStoredHistories, readStoredHistory } from './stored-history.ts';

describe('Recorded histories', () => {
  const names = listStoredHistories();

  async function replay(history: History, use = useWorkflowBundle): Promise<void> {
    const { code } = await use();
    // Where spans of workflows go.
    const sinks = { exporter: { export: { fn: () => undefined, callDuringReplay: false } } };
    const options = { workflowBundle: { code }, sinks, dataConverter: createDataConverter(PAYLOAD_KEYS) };
    await Worker.runReplayHistory(options, history);
  }

  it('exist', () => assert.ok(names.length >= 50));

  for (const name of names) {
    it(`replay: ${name}`, async () => replay(await readStoredHistory(name)));
    it(`replay where workers trace: ${name}`, async () => replay(await readStoredHistory(name), useTracedBundle));
  }

  it('fail to replay when the workflow calls another activity', async () => {
    const history = await readStoredHistory('dataset-import-published');
    for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
      if (scheduled?.activityType?.name === 'validateFiles') scheduled.activityType.name = 'somethingElse';
    }
    await assert.rejects(replay(history), /[Nn]ondeterminism|does not match/);
  });
});
