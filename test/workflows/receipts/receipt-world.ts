/**
 * Receipts of real orders with their workflow on a real Temporal server, or on one that skips time, and with real SMTP. Activities can
 * fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { createReceiptActivities } from '../../../activities/receipts/receipt-activities.ts';
import { ReceiptMails } from '../../../activities/receipts/receipt-mails.ts';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { startReceipt } from '../../../activities/receipts/receipt-start.ts';
import { type WantedMail, wantedOf } from '../../../activities/receipts/receipt-store.ts';
import { type ReceiptSweepDependencies, sweepLateReceipts } from '../../../activities/receipts/receipt-sweeps.ts';
import { RENDERER } from '../../../activities/receipts/receipts-parts.ts';
import { sealAddress } from '../../../activities/receipts/sealed-address.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { openMailer } from '../../../platform/mail/smtp-mailer.ts';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import type { ReceiptActivities } from '../../../workflows/receipts/activities.ts';
import { receiptWorkflowId } from '../../../workflows/receipts/messages.ts';
import { SALES_DOCUMENTS_QUEUE } from '../../../workflows/shared/documents-queue.ts';
import type { ReceiptReference } from '../../../workflows/shared/ids.ts';
import { ReceiptFixture } from '../../activities/receipts/receipt-fixture.ts';
import { failingServer, type RunningServer, takingServer } from '../../platform/mail/smtp-servers.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { OURS } from '../../support/sample-orders.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { openReal, openSkipping, type Server } from '../payments/money-world.ts';

type Fault = 'before' | 'after';

export class ReceiptWorld {
  readonly fixture: ReceiptFixture;
  readonly server: Server;
  /** Takes every mail. */
  readonly taking: RunningServer;
  /** Activities of this world that have run. */
  ran = 0;
  /** A server of several test files may still run workflows of another one. */
  readonly #own = new Set<ReceiptReference>();
  readonly #faults = new Map<string, number>();
  readonly #closing: (() => unknown)[] = [];
  #mailer: Mailer;

  /** `works`: false where no workflow is started, which saves the start of a worker. */
  static async open(name: string, { skipping = false, works = true } = {}): Promise<ReceiptWorld> {
    const server = skipping ? await openSkipping() : await openReal();
    const fixture = new ReceiptFixture(name);
    await fixture.open();
    const world = new ReceiptWorld(fixture, server, await takingServer());
    if (works) await world.#startWorker();
    await world.reset();
    return world;
  }

  private constructor(fixture: ReceiptFixture, server: Server, taking: RunningServer) {
    this.fixture = fixture;
    this.server = server;
    this.taking = taking;
    this.#mailer = this.#mailerTo(taking);
  }

  async reset(): Promise<void> {
    await this.fixture.clear();
    await this.setClock();
    this.#faults.clear();
    this.#mailer = this.#mailerTo(this.taking);
    this.taking.mails.length = 0;
    this.ran = 0;
    this.#own.clear();
  }

  async setClock(): Promise<void> {
    this.fixture.now = new Date(await this.server.nowMs());
  }

  /** The mail server answers so from now on. */
  async failWith(reply: string): Promise<void> {
    const failing = await failingServer('RCPT TO', reply);
    this.#closing.push(() => failing.close());
    this.#mailer = this.#mailerTo(failing);
  }

  mend(): void {
    this.#mailer = this.#mailerTo(this.taking);
  }

  breakOn(name: keyof ReceiptActivities, when: Fault, times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** A receipt with a mail to this address, whose workflow is pending. */
  async wanted(email = 'anna@example.org'): Promise<StoredReceipt> {
    return await this.further(await this.fixture.issue(await this.fixture.soldOrder()), email);
  }

  async further({ receipt }: StoredReceipt, email: string): Promise<StoredReceipt> {
    const address = await sealAddress(this.fixture.orders.here.keys, receipt, email);
    const work = { workId: randomUUID(), correlationId: 'c' };
    this.#own.add(receipt.reference);
    return await this.fixture.here.receipts.addMail(receipt.reference, { address }, work);
  }

  async start(stored: StoredReceipt): Promise<void> {
    await startReceipt(this.server.temporal, wantedOf(stored));
  }

  handle({ receipt }: StoredReceipt) {
    return this.server.temporal.client.workflow.getHandle(receiptWorkflowId(receipt));
  }

  async ended(stored: StoredReceipt): Promise<unknown> {
    return await this.handle(stored).result();
  }

  async read({ receipt }: StoredReceipt): Promise<StoredReceipt> {
    return await this.fixture.there.receipts.get(OURS, receipt.reference);
  }

  get sweep(): ReceiptSweepDependencies {
    const { receipts } = this.fixture.here;
    const start = async (wanted: WantedMail) => await startReceipt(this.server.temporal, wanted);
    return { receipts, start, log: this.fixture.orders.here.options.log };
  }

  async sweepLate(): Promise<number> {
    let found = 0;
    await sweepLateReceipts({ ...this.sweep, onLate: (mails) => (found = mails) });
    return found;
  }

  async close(): Promise<void> {
    for (const close of this.#closing.toReversed()) await close();
    this.taking.close();
    await this.server.close();
    await this.fixture.close();
  }

  async #startWorker(): Promise<void> {
    const mails = new ReceiptMails({
      receipts: this.fixture.here.receipts,
      customers: () => this.fixture.customers,
      openKeys: async () => this.fixture.orders.here.keys,
      openMailer: async () => this.#mailer,
      renderer: RENDERER,
    });
    const worker = await Worker.create({
      connection: this.server.native,
      taskQueue: SALES_DOCUMENTS_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      activities: this.#disturbed(createReceiptActivities(mails)),
    });
    const running = worker.run();
    this.#closing.push(async () => {
      worker.shutdown();
      await running;
    });
  }

  #disturbed({ sendReceipt }: ReceiptActivities): ReceiptActivities {
    return {
      sendReceipt: async (input) => {
        if (!this.#own.has(input.reference)) return await sendReceipt(input);
        await this.setClock();
        this.ran += 1;
        this.#throwNext('sendReceipt before');
        const step = await sendReceipt(input);
        this.#throwNext('sendReceipt after');
        return step;
      },
    };
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }

  #mailerTo({ port }: RunningServer): Mailer {
    const from = { name: 'Samferd', address: 'tickets@samferd.example' };
    const config = { MAIL_SERVER: { host: '127.0.0.1', port, secure: false }, MAIL_FROM: from };
    const mailer = openMailer({ ...config, MAIL_TLS_CA_FILE: undefined, ENVIRONMENT: 'development' });
    this.#closing.push(async () => await mailer.close());
    return mailer;
  }
}
