/**
 * Replays every recorded history through the present workflow code. A change that would break running imports fails
 * here.
 */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../../platform/temporal/temporal.ts';
import { useTracedBundle, useWorkflowBundle } from '../support/bundle.ts';
import { type History, listStoredHistories, readStoredHistory } from './stored-history.ts';

/** The error of each history, by its name; undefined where it replays. */
type Outcomes = ReadonlyMap<string, Error | undefined>;

/** Uses one worker for all: its start takes as long as many replays. */
async function replayAll(histories: AsyncIterable<readonly [string, History]>, { code }: { code: string }) {
  // Receives the spans of workflows.
  const sinks = { exporter: { export: { fn: () => undefined, callDuringReplay: false } } };
  // Without the codec: the payloads of recorded histories are not sealed.
  const dataConverter = { failureConverterPath: FAILURE_CONVERTER_PATH };
  const options = { workflowBundle: { code }, sinks, dataConverter };
  const outcomes = new Map<string, Error | undefined>();
  const replayed = (async function* () {
    for await (const [workflowId, history] of histories) yield { workflowId, history };
  })();
  for await (const { workflowId, error } of Worker.runReplayHistories(options, replayed))
    outcomes.set(workflowId, error);
  return outcomes;
}

describe('recorded histories', () => {
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
    it(`replay in workers with tracing: ${name}`, () => assertReplayed(traced, name));
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
