/**
 * A customer pays on a payment page in the whole service: link, form, terminal and back, with the provider's simulator. Caller:
 * sales.test.ts.
 */
import assert from 'node:assert/strict';
import { send } from '../api/support/call.ts';
import { payByCard, submit } from '../support/provider-simulator.ts';
import { everythingKept, findTexts } from '../support/remains.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const SCOPES = ['orders:read', 'orders:write', 'payment-page:read', 'payment-page:write', 'payments:read'];
const PAGES = '/v1/payment-page-orchestrator/payment-page';
const GOOD_CARD = '4111111111111111';
const CHALLENGED_CARD = '4000002500003155';
const REFUSED_CARD = '4000000000000002';

export function describePaidPage(useService: () => Service): void {
  describe('a customer on a payment page', () => {
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
      call(`/v1/orders/${orderId}/fees`, { type: 'MANUAL', price: { amount }, reason: 'of a test' });
    const start = async () => {
      const { id: orderId } = await call('/v1/orders', {});
      await addFee(orderId, '50.00');
      return await call(PAGES, { orderId, orderVersion: 1 });
    };
    const pageOf = (id: string) => call(`${PAGES}/${id}`);
    const untilPage = async (id: string, status: string) =>
      await until(async () => (await pageOf(id)).status === status, {
        what: `a page that is ${status}`,
        timeoutMs: 40_000,
      });

    /** Submits the first form, as a browser without script does, and answers where it leads. */
    const toTerminal = async (url: string): Promise<string> => {
      const html = await (await fetch(url)).text();
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? assert.fail(html);
      const body = new URLSearchParams({ paymentMethod: field('paymentMethod'), formNonce: field('formNonce') });
      const answer = await fetch(`${url}/pay`, { method: 'POST', body, redirect: 'manual' });
      assert.equal(answer.status, 303, await answer.text());
      return answer.headers.get('location') ?? assert.fail('no terminal');
    };

    /** Pays at the terminal, and comes back as the provider says. */
    const pay = async (url: string, card: string) => {
      const back = await payByCard(await toTerminal(url), card);
      assert.ok(back.startsWith(`${url}/return`), back);
      assert.ok((await fetch(back)).ok);
    };

    it('pays, comes back, and has a confirmed order', async () => {
      const { id, orderId, url } = await start();
      await pay(url, GOOD_CARD);
      await untilPage(id, 'PAID');
      const order = await call(`/v1/orders/${orderId}`);
      assert.deepEqual([order.status, order.balance], ['CONFIRMED', '0.00']);
      const { entries } = (await send(`${service.url('providerSimulator')}/ledger`, {})).json;
      const [paymentId] = order.paymentRefs.map((ref: { paymentId: number }) => ref.paymentId);
      const mine = entries.filter(({ reference }: { reference: string }) => reference.startsWith(`${paymentId}/`));
      assert.deepEqual(
        mine.flatMap(({ captures }: { captures: readonly { amountMinor: number }[] }) =>
          captures.map((each) => each.amountMinor),
        ),
        [5_000],
      );
    });

    it('leaves the secret of the link with the provider alone', async () => {
      const { id, url } = await start();
      await pay(url, GOOD_CARD);
      await untilPage(id, 'PAID');
      const { mongoUri, temporalAddress, objectStore, parts, payloadKeys } = service;
      const logs = new Map(parts.map((name) => [name, service.log(name)]));
      const kept = everythingKept({ mongoUri, temporalAddress, objectStore, logs, payloadKeys });
      const found = new Set((await findTexts(kept, [url.split('/').at(-1) ?? ''])).map(({ place }) => place));
      // The database's own log has what the provider's simulator writes.
      const others = [...found].filter((place) => !/simulator|local\.oplog/.test(place));
      assert.deepEqual(others, []);
      assert.ok(found.size > 0, 'the terminal knows where the customer came from');
    });

    it('passes the challenge that the issuer asks for', async () => {
      const { id, url } = await start();
      const terminal = await toTerminal(url);
      const back = await payByCard(terminal, CHALLENGED_CARD);
      const location = async () => (await fetch(back, { redirect: 'manual' })).headers.get('location');
      await until(async () => (await location()) === terminal, { what: 'the way back to the terminal' });
      await submit(`${terminal}/3-d-secure`, { approve: '1' });
      assert.ok((await fetch(back)).ok);
      await untilPage(id, 'PAID');
    });

    it('is refused, and pays with another card', async () => {
      const { id, url } = await start();
      await pay(url, REFUSED_CARD);
      await untilPage(id, 'OPEN');
      await pay(url, GOOD_CARD);
      await untilPage(id, 'PAID');
    });

    it('pays the new amount when the order changes while the terminal is open', async () => {
      const { id, orderId, url } = await start();
      const old = await toTerminal(url);
      await addFee(orderId, '10.00');
      await until(
        async () => {
          const { status, amount } = await pageOf(id);
          return status === 'OPEN' && amount === '60.00';
        },
        { timeoutMs: 40_000 },
      );
      await payByCard(old, GOOD_CARD).catch(() => undefined);
      assert.equal((await call(`/v1/orders/${orderId}`)).status, 'DRAFT');
      await pay(url, GOOD_CARD);
      await untilPage(id, 'PAID');
      assert.equal((await call(`/v1/orders/${orderId}`)).totalAmount, '60.00');
    });
  });
}
