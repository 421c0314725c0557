/**
 * What a paid order with one ticket and one receipt costs the whole service: workflows as Temporal lists them, writes as the
 * database counts them. docs/decisions/0297 says which writes the budget means.
 */
import assert from 'node:assert/strict';
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import type { Connection } from 'mongoose';
import { submitForm } from '../../../dev/demo/terminal-forms.ts';
import { HAS_EVENTS } from '../../../platform/events/outbox-index.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { PagedOrders } from '../../support/paged-orders.ts';
import { until } from '../../support/until.ts';
import { type WorkflowCost, workflowsOfOrder } from '../../support/workflows-of-order.ts';
import { documentsOf, isRelayed, tellWritten, WriteProfile, type Written } from '../../support/written-documents.ts';

const MOST = { workflows: 2, tasks: 14, activities: 8, writes: 20 };
/** By a payment page. */
const MORE = { workflows: 1, tasks: 4 };
/** Of everything but leases: also creation of the payment, reports of the provider, relay, ledger and event log. */
const MOST_OF_ALL = 60;

/** What the order, its payment and its delivery are stored in. */
const AGGREGATES = ['orders', 'payments', 'ticket_groups', 'ticket_mails', 'receipts'];
const OF_THE_WORK = new Set([...AGGREGATES, 'seating_arrangements', 'seating_carriages']);
/** Written all the time, or of the timetable that was published a moment ago, whatever is sold. */
const IDLE = new Set(['event_leases', 'disabled_clients', 'journey_comparisons', 'compared_journeys']);
/** The sweep gives a slow workflow more time, as on a busy machine. */
const POSTPONED = '"$set":{"startAt"';
const CARD = { cardNumber: '4111111111111111' };

export function describeWholeOrderBudget(useOrders: () => PagedOrders): void {
  describe('the cost of a paid order to the whole service', function () {
    this.timeout(240_000);
    let world: PagedOrders;
    let connection: Connection;
    let temporal: TemporalConnection;
    before(async () => {
      world = useOrders();
      connection = await connectMongo(world.service.mongoUri);
      temporal = await TemporalConnection.connect({ address: world.service.temporalAddress });
    });
    after(async () => {
      await temporal.close();
      await connection.close();
    });

    /** Both mails are there, the workflows have ended, and the relay has moved every event. */
    async function delivered(order: { readonly orderId: string; readonly email: string }, workflows: number) {
      const isMailed = async () => (await world.mailsTo(order.email)).length === 2;
      await until(isMailed, { what: 'ticket and receipt' });
      const costs = await workflowsOfOrder(new Client({ connection: temporal }), order.orderId, workflows);
      await relayed();
      return costs;
    }

    async function relayed(): Promise<void> {
      const areMoved = async () => {
        const found = AGGREGATES.map((name) => connection.collection(name).countDocuments(HAS_EVENTS));
        return (await Promise.all(found)).every((count) => count === 0);
      };
      await until(areMoved, { what: 'empty outboxes' });
    }

    it('is within its budget, and so are all writes of the database', async () => {
      const order = await world.reserve();
      await relayed();
      const profile = await WriteProfile.start(connection);
      const { path } = await world.createPayment(order);
      const { length: created } = await profile.written();
      await world.payAtTerminal({ path });
      await world.capture({ path });
      const costs = await delivered(order, MOST.workflows);
      const written = (await profile.written()).filter((each) => !isIdle(each));
      const ofTheWork = (await profile.written()).slice(created).filter(isOfTheWork);
      await profile.stop();
      const all = documentsOf(written);
      assert.deepEqual(kindsOf(costs), ['capture', 'deliver']);
      assertWithin({ ...sumOf(costs), writes: documentsOf(ofTheWork) }, MOST);
      assert.ok(all <= MOST_OF_ALL, `${all} writes: ${tellWritten(written)}`);
      process.stdout.write(`      of the work: ${tellWritten(ofTheWork)}\n      all ${all}: ${tellWritten(written)}\n`);
    });

    it('is one workflow and four tasks more by a payment page', async () => {
      const page = await world.create();
      const email = await world.addContact(page);
      await submitForm(await submitForm(page.url), 'pay', CARD);
      const costs = await delivered({ ...page, email }, MOST.workflows + MORE.workflows);
      assert.deepEqual(kindsOf(costs), ['capture', 'deliver', 'payment-page']);
      const { workflows, tasks, activities } = sumOf(costs);
      const most = { workflows: MOST.workflows + MORE.workflows, tasks: MOST.tasks + MORE.tasks };
      assertWithin({ workflows, tasks }, most);
      process.stdout.write(`      by page: ${JSON.stringify({ workflows, tasks, activities })}\n`);
    });
  });
}

function isIdle({ collection, command }: Written): boolean {
  return IDLE.has(collection) || command.includes(POSTPONED);
}

function isOfTheWork(written: Written): boolean {
  return OF_THE_WORK.has(written.collection) && !isIdle(written) && !isRelayed(written);
}

function kindsOf(costs: readonly WorkflowCost[]): readonly (string | undefined)[] {
  return costs.map(({ workflowId }) => workflowId.split('/')[0]);
}

function sumOf(costs: readonly WorkflowCost[]) {
  return {
    workflows: costs.length,
    tasks: costs.reduce((sum, { tasks }) => sum + tasks, 0),
    activities: costs.reduce((sum, { activities }) => sum + activities, 0),
  };
}

function assertWithin<Name extends string>(cost: Record<Name, number>, most: Record<Name, number>): void {
  for (const name of Object.keys(most) as Name[])
    assert.ok(cost[name] <= most[name], `${name}: ${JSON.stringify(cost)}`);
}
