/** Every recorded history runs through the present workflow code: a change that would break running imports fails here. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { useTracedBundle, useWorkflowBundle } from '../support/bundle.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';
import { type History, listStoredHistories, readStoredHistory } from './stored-history.ts';

/** What is wrong with each history, by its name; undefined where it replays. */
type Outcomes = ReadonlyMap<string, Error | undefined>;

/** One worker for all: to start one takes as long as many replays. */
async function replayAll(histories: AsyncIterable<readonly [string, History]>, { code }: { code: string }) {
  // Where spans of workflows go.
  const sinks = { exporter: { export: { fn: () => undefined, callDuringReplay: false } } };
  const options = { workflowBundle: { code }, sinks, dataConverter: createDataConverter(PAYLOAD_KEYS) };
  const outcomes = new Map<string, Error | undefined>();
  const asked = (async function* () {
    for await (const [workflowId, history] of histories) yield { workflowId, history };
  })();
  for await (const { workflowId, error } of Worker.runReplayHistories(options, asked)) outcomes.set(workflowId, error);
  return outcomes;
}

describe('Recorded histories', function () {
  this.timeout(120_000);
  const names = listStoredHistories();
  let [plain, traced]: Outcomes[] = [];

  async function* stored(): AsyncGenerator<readonly [string, History]> {
    for (const name of names) yield [name, await readStoredHistory(name)];
  }

  before(async () => {
    plain = await replayAll(stored(), await useWorkflowBundle());
    traced = await replayAll(stored(), await useTracedBundle());
  });

  function assertReplayed(outcomes: Outcomes | undefined, name: string): void {
    assert.ok(outcomes, 'The histories have not been replayed');
    assert.ok(outcomes.has(name), `${name} has not been replayed`);
    assert.ifError(outcomes.get(name));
  }

  it('exist', () => assert.ok(names.length >= 50));

  for (const name of names) {
    it(`replay: ${name}`, () => assertReplayed(plain, name));
    it(`replay where workers trace: ${name}`, () => assertReplayed(traced, name));
  }

  it('fail to replay when the workflow calls another activity', async () => {
    const history = await readStoredHistory('dataset-import-published');
    for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
      if (scheduled?.activityType?.name === 'validateFiles') scheduled.activityType.name = 'somethingElse';
    }
    const changed = (async function* () {
      yield ['changed', history] as const;
    })();
    const outcomes = await replayAll(changed, await useWorkflowBundle());
    assert.match(String(outcomes.get('changed')), /[Nn]ondeterminism|does not match/);
  });
});
