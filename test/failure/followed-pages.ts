/**
 * Payment pages follow their orders in the whole service, with each process's own rights, also across deaths. Caller:
 * sales.test.ts.
 */
import assert from 'node:assert/strict';
import { send } from '../api/support/call.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const SCOPES = ['orders:read', 'orders:write', 'payment-page:read', 'payment-page:write'];
const PAGES = '/v1/payment-page-orchestrator/payment-page';
/** From the answer about the order to the page's. */
const FOLLOWED_WITHIN_MS = 5_000;

export function describeFollowedPages(useService: () => Service): void {
  describe('payment pages in the service', () => {
    let service: Service;
    let token: string;

    before(async () => {
      service = useService();
      token = await service.token(SCOPES);
    });

    const call = async (path: string, body?: object) => {
      const answer = await send(`${service.apiUrl}${path}`, { token, ...(body && { body }) });
      assert.ok(answer.status < 300, `${path}: ${answer.text}`);
      return answer.json;
    };
    const addFee = (orderId: string, amount: string) =>
      call(`/v1/orders/${orderId}/fees`, { type: 'MANUAL', price: { amount }, reason: 'changed by hand' });
    const start = async () => {
      const { id: orderId } = await call('/v1/orders', {});
      await addFee(orderId, '50.00');
      return await call(PAGES, { orderId, orderVersion: 1 });
    };
    const pageOf = (id: string) => call(`${PAGES}/${id}`);
    /** Milliseconds until the page is as it should be. */
    const timeUntil = async (id: string, isRight: (page: Awaited<ReturnType<typeof pageOf>>) => boolean) => {
      const began = performance.now();
      await until(async () => isRight(await pageOf(id)));
      return performance.now() - began;
    };

    it('take over the amount within five seconds', async () => {
      const { id, orderId, amount } = await start();
      assert.equal(amount, '50.00');
      await addFee(orderId, '25.00');
      const tookMs = await timeUntil(id, (page) => page.amount === '75.00');
      assert.ok(tookMs < FOLLOWED_WITHIN_MS, `${tookMs} ms`);
    });

    it('end with their order, and leave it no page', async () => {
      const { id, orderId } = await start();
      await call(`/v1/orders/${orderId}/cancel`, {});
      const tookMs = await timeUntil(id, ({ status }) => status === 'CANCELLED');
      assert.ok(tookMs < FOLLOWED_WITHIN_MS, `${tookMs} ms`);
    });

    it('follow what happened while the events worker was dead', async () => {
      const { id, orderId } = await start();
      await service.kill('eventsWorker');
      await addFee(orderId, '1.00');
      await service.restart('eventsWorker');
      await timeUntil(id, (page) => page.amount === '51.00');
    });

    it('are changed and closed by the worker, also after its death', async () => {
      const { id } = await start();
      await service.kill('paymentPagesWorker');
      const options = { token, method: 'POST', headers: { 'idempotency-key': id } };
      const close = () => send(`${service.apiUrl}${PAGES}/${id}/cancel`, options);
      const closing = close();
      await service.restart('paymentPagesWorker');
      // Temporal needs ten seconds to notice the death; a repeat joins the work.
      const first = await closing;
      const answer = first.status === 503 ? await close() : first;
      assert.equal(answer.json.status, 'CANCELLED', answer.text);
    });
  });
}
