/**
 * Payloads that an attacker with access to Temporal has made or moved. A worker refuses them: its workflow task fails
 * with the reason, and no activity runs.
 */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { startProfileErasure } from '../../../activities/customers/profile-erasure-start.ts';
import { startTemporaryProfile } from '../../../activities/customers/temporary-profile-start.ts';
import { openPayload, parsePayloadKeys } from '../../../platform/temporal/payload-codec.ts';
import { profileErasureWorkflowId, SALES_CUSTOMERS_QUEUE } from '../../../workflows/customers/messages.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { CustomerWorkers } from './customer-workers.ts';
import { CustomerWorld } from './customer-world.ts';

const IDENTITY = 'intruder';
const namespace = 'default';
const plain = (value: unknown) => defaultPayloadConverter.toPayload(value);

describe('payloads that this service did not seal for the workflow', () => {
  let workers: CustomerWorkers;
  /** Without the codec. */
  let intruder: Client;

  before(async () => {
    workers = await CustomerWorkers.open();
    intruder = new Client({ connection: workers.temporal.client.connection, namespace, identity: IDENTITY });
  });
  after(() => workers?.close());

  const erasing = (): CustomerWorld => {
    const world = workers.add(new CustomerWorld());
    world.delete();
    return world;
  };

  async function start(workflowId: string, input: Payload): Promise<void> {
    await intruder.workflowService.startWorkflowExecution({
      namespace,
      workflowId,
      workflowType: { name: 'profileErasure' },
      taskQueue: { name: SALES_CUSTOMERS_QUEUE },
      input: { payloads: [input] },
      requestId: workflowId,
      identity: IDENTITY,
    });
  }

  /** The reason of the first workflow task that failed. */
  async function refusal(workflowId: string): Promise<string> {
    const handle = intruder.workflow.getHandle(workflowId);
    let failure: Payload | null | undefined;
    await until(async () => {
      const { events } = await handle.fetchHistory();
      const failed = events?.find(({ workflowTaskFailedEventAttributes: attributes }) => attributes);
      failure = failed?.workflowTaskFailedEventAttributes?.failure?.encodedAttributes;
      return Boolean(failure);
    });
    await handle.terminate();
    const opened = openPayload(parsePayloadKeys(PAYLOAD_KEYS), failure as Payload, { namespace, workflowId });
    return Buffer.from(opened.data ?? []).toString();
  }

  it('start no workflow', async () => {
    const { input, calls } = erasing();
    const workflowId = profileErasureWorkflowId(input.customerNumber);
    await start(workflowId, plain(input));
    assert.match(await refusal(workflowId), /encoding \\"json\/plain\\" instead of binary\/sealed/);
    assert.deepEqual(calls, []);
  });

  it('start no workflow with the input of another', async () => {
    const [victim, other] = [erasing(), erasing()];
    await startProfileErasure(workers.temporal, victim.input);
    await workers.erased(victim);
    const { events } = await workers.erasureHandle(victim.input).fetchHistory();
    const [moved] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const workflowId = profileErasureWorkflowId(other.input.customerNumber);
    const calls = victim.calls.length;
    await start(workflowId, moved as Payload);
    assert.match(await refusal(workflowId), /A payload of the workflow erase\/\d+ is in the workflow erase\/\d+/);
    assert.deepEqual([victim.calls.length, other.calls], [calls, []]);
  });

  it('do not arrive as a signal', async () => {
    const world = workers.add(new CustomerWorld(Date.now() + 3_600_000));
    await startTemporaryProfile(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > 0);
    const { workflowId } = workers.handle(world.input);
    await intruder.workflow.getHandle(workflowId).signal('eraseNow', 'forged');
    assert.match(await refusal(workflowId), /encoding \\"json\/plain/);
    assert.equal(world.state, 'TEMPORARY');
  });

  it('are no result of an activity', async () => {
    const world = erasing();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.onCall = async (name) => {
      if (name === 'eraseArea') await held;
    };
    await startProfileErasure(workers.temporal, world.input);
    await until(() => world.callsOf('eraseArea') > 1);
    const { workflowId } = workers.erasureHandle(world.input);
    const { raw } = await intruder.workflow.getHandle(workflowId).describe();
    for (const { activityId } of raw.pendingActivities ?? []) {
      await intruder.workflowService.respondActivityTaskCompletedById({
        namespace,
        workflowId,
        activityId: activityId ?? null,
        result: { payloads: [plain(null)] },
        identity: IDENTITY,
      });
    }
    const reason = await refusal(workflowId);
    release();
    assert.match(reason, /encoding \\"json\/plain/);
    assert.equal(world.state, 'ENDING');
  });
});
