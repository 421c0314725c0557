/** Every recorded history runs through the present workflow code: a change that would break running imports fails here. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { useTracedBundle, useWorkflowBundle } from '../support/bundle.ts';
import { PAYLOAD_KEYS } from './import-workers.ts';
import { historyFromText } from './stored-history.ts';

const FOLDER = join(import.meta.dirname, '../histories');

describe('Recorded histories', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

  async function replay(text: string, use = useWorkflowBundle): Promise<void> {
    const { code } = await use();
    // Where spans of workflows go.
    const sinks = { exporter: { export: { fn: () => undefined, callDuringReplay: false } } };
    const options = { workflowBundle: { code }, sinks, dataConverter: createDataConverter(PAYLOAD_KEYS) };
    await Worker.runReplayHistory(options, historyFromText(text));
  }

  const read = async (file: string) => await readFile(join(FOLDER, file), 'utf8');

  it('are there', () => assert.ok(files.length >= 10));

  for (const file of files) {
    it(`replay: ${file}`, async () => replay(await read(file)));
    it(`replay where workers trace: ${file}`, async () => replay(await read(file), useTracedBundle));
  }

  it('would tell of a workflow that no longer does the same', async () => {
    const text = await read('dataset-import-published.json');
    const other = text.replaceAll('"name": "validateFiles"', '"name": "somethingElse"');
    assert.notEqual(other, text);
    await assert.rejects(replay(other), /[Nn]ondeterminism|does not match/);
  });
});
