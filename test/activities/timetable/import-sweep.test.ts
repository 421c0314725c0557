/** Tests what the sweep starts and removes, on a real database, object store and Temporal without workers. */
import assert from 'node:assert/strict';
import { startDatasetImport } from '../../../activities/timetable/dataset-import-start.ts';
import {
  removeWorkLeftovers,
  type SweepDependencies,
  startLostImports,
  startPendingImports,
  startWantedRefreshes,
  sweepImports,
} from '../../../activities/timetable/import-sweep.ts';
import { uploadKey, workPrefix } from '../../../activities/timetable/object-keys.ts';
import { createLog } from '../../../platform/log.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import {
  type DatasetImportInput,
  datasetImportWorkflowId,
  datasetRefreshWorkflowId,
} from '../../../workflows/timetable/messages.ts';
import { LINE_FILE } from '../../support/netex-samples.ts';
import { useTemporal } from '../../support/stack.ts';
import { ImportFixture } from './import-fixture.ts';

const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const MINUTE_MS = 60_000;

describe('The sweep', () => {
  let world: ImportFixture;
  let temporal: TemporalClient;
  const started: DatasetImportInput[] = [];

  before(async () => {
    world = await ImportFixture.open();
    const { address } = await useTemporal();
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  });
  after(async () => {
    // The next test file has workers on this queue, so no workflow may be left.
    for (const input of started)
      await handleOf(input)
        .terminate()
        .catch(() => undefined);
    await temporal?.close();
    await world?.close();
  });

  const dependencies = (laterMs = 0): SweepDependencies => ({
    imports: world.imports,
    receipts: world.receipts,
    versions: world.versions,
    codespaces: world.codespaces,
    privateDatasets: world.privateDatasets,
    objects: world.objects,
    temporal,
    log: createLog({ level: 'silent', name: 'test' }),
    now: () => new Date(Date.now() + laterMs),
  });

  const handleOf = ({ codespace, correlationId }: DatasetImportInput) =>
    temporal.client.workflow.getHandle(datasetImportWorkflowId(codespace, correlationId));

  async function receive(): Promise<DatasetImportInput> {
    const input = await world.receive({ 'a.xml': LINE_FILE });
    started.push(input);
    return input;
  }

  const statusOf = async (input: DatasetImportInput) => (await handleOf(input).describe()).status.name;

  it('starts pending imports once, also with several sweeps at once', async () => {
    const input = await receive();
    await Promise.all([1, 2, 3].map(() => startPendingImports(dependencies(MINUTE_MS))));
    assert.equal(await statusOf(input), 'RUNNING');
    const { runId } = await handleOf(input).describe();
    assert.deepEqual(await world.imports.listPendingStarts(new Date(Date.now() + MINUTE_MS), 10), []);
    await startPendingImports(dependencies(MINUTE_MS));
    assert.equal((await handleOf(input).describe()).runId, runId);
  });

  it('leaves a new receipt to its handler', async () => {
    const input = await receive();
    await startPendingImports(dependencies());
    await assert.rejects(statusOf(input), { name: 'WorkflowNotFoundError' });
  });

  it('keeps imports pending that it cannot start, and throws when many fail', async () => {
    const input = await receive();
    const away = { TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS };
    const unreachable = new TemporalClient(away);
    for (let count = 0; count < 5; count++) await receive();
    await assert.rejects(startPendingImports({ ...dependencies(MINUTE_MS), temporal: unreachable }));
    await unreachable.close();
    const pending = await world.imports.listPendingStarts(new Date(Date.now() + MINUTE_MS), 100);
    assert.ok(pending.some(({ correlationId }) => correlationId === input.correlationId));
    await sweepImports(dependencies(MINUTE_MS));
    assert.equal(await statusOf(input), 'RUNNING');
  });

  it('restarts a terminated workflow of an import that had not ended', async () => {
    const input = await receive();
    await startDatasetImport(temporal, input);
    await handleOf(input).terminate('by an operator');
    await startLostImports(dependencies());
    assert.equal(await statusOf(input), 'TERMINATED');
    await startLostImports(dependencies(2 * MINUTE_MS));
    assert.equal(await statusOf(input), 'RUNNING');
  });

  it('looks for lost imports among all open ones, not only the oldest', async () => {
    const inputs: DatasetImportInput[] = [];
    for (let count = 0; count < 120; count++) inputs.push(await receive());
    await startLostImports(dependencies(2 * MINUTE_MS));
    for (const input of [inputs[0], inputs.at(-1)]) assert.equal(input && (await statusOf(input)), 'RUNNING');
  });

  it('starts the refresh of a version once that a withdrawal has made the latest again', async () => {
    const published: DatasetImportInput[] = [];
    await world.putCodespace('wdr');
    for (let count = 0; count < 2; count++) {
      const input = await world.receive({ 'a.xml': LINE_FILE }, 'wdr');
      await world.imports.recordAction(input.codespace, input.correlationId, 'VALIDATION', { state: 'OK' });
      await world.imports.publish(input.codespace, input.correlationId);
      await world.imports.complete(input.codespace, input.correlationId);
      published.push(input);
    }
    const { codespace, correlationId } = published[1] as DatasetImportInput;
    await world.versions.withdraw(codespace, (await world.imports.get(codespace, correlationId)).importKey);
    await Promise.all([1, 2].map(() => startWantedRefreshes(dependencies())));
    const handle = temporal.client.workflow.getHandle(datasetRefreshWorkflowId(codespace));
    assert.equal((await handle.describe()).status.name, 'RUNNING');
    assert.deepEqual(await world.privateDatasets.listWanted(10), []);
    // A withdrawal while the refresh still runs must not be lost, as the refresh may have read the versions before it.
    const [first] = published as [DatasetImportInput];
    const third = await world.receive({ 'a.xml': LINE_FILE }, 'wdr');
    await world.imports.recordAction(third.codespace, third.correlationId, 'VALIDATION', { state: 'OK' });
    await world.imports.publish(third.codespace, third.correlationId);
    await world.versions.withdraw(codespace, (await world.imports.get(codespace, third.correlationId)).importKey);
    await startWantedRefreshes(dependencies());
    assert.deepEqual(await world.privateDatasets.listWanted(10), [first]);
    const { runId } = await handle.describe();
    await handle.terminate('it ends here');
    await startWantedRefreshes(dependencies());
    assert.deepEqual(await world.privateDatasets.listWanted(10), []);
    const next = await handle.describe();
    assert.deepEqual([next.status.name, next.runId === runId], ['RUNNING', false]);
    await handle.terminate('the test ends here');
  });

  it('leaves working files of a published version to its refresh for a day', async () => {
    const input = await receive();
    await world.imports.recordAction(input.codespace, input.correlationId, 'VALIDATION', { state: 'OK' });
    await world.imports.publish(input.codespace, input.correlationId);
    await world.imports.complete(input.codespace, input.correlationId);
    const prefix = workPrefix(input.codespace, input.correlationId);
    await world.objects.put(`${prefix}m/results/1`, new Uint8Array(1), 'text/plain');
    const left = async () => (await world.contents(prefix)).size;
    await removeWorkLeftovers(dependencies(20 * MINUTE_MS));
    assert.equal(await left(), 1);
    await removeWorkLeftovers(dependencies(25 * 60 * MINUTE_MS));
    assert.equal(await left(), 0);
  });

  it('leaves ended imports alone', async () => {
    const input = await receive();
    const failure = { action: 'VALIDATION', errorCode: 'DATASET_INVALID' } as const;
    await world.imports.fail(input.codespace, input.correlationId, failure);
    await sweepImports(dependencies(MINUTE_MS));
    await startLostImports(dependencies(2 * MINUTE_MS));
    await assert.rejects(statusOf(input), { name: 'WorkflowNotFoundError' });
  });

  it('removes old working files of ended imports, not of running ones', async () => {
    const [ended, running] = [await receive(), await receive()];
    const write = async ({ codespace, correlationId }: DatasetImportInput) =>
      world.objects.put(`${workPrefix(codespace, correlationId)}m/results/1`, new Uint8Array(1), 'text/plain');
    await Promise.all([ended, running].map(write));
    const failure = { action: 'VALIDATION', errorCode: 'DATASET_INVALID' } as const;
    await world.imports.fail(ended.codespace, ended.correlationId, failure);
    const left = async (input: DatasetImportInput) =>
      (await world.contents(workPrefix(input.codespace, input.correlationId))).size;
    await removeWorkLeftovers(dependencies());
    assert.deepEqual([await left(ended), await left(running)], [1, 1]);
    await Promise.all([
      removeWorkLeftovers(dependencies(20 * MINUTE_MS)),
      removeWorkLeftovers(dependencies(20 * MINUTE_MS)),
    ]);
    assert.deepEqual([await left(ended), await left(running)], [0, 1]);
    assert.ok(await world.objects.head(uploadKey(ended.codespace, ended.correlationId)));
  });
});
