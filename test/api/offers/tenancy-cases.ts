/** Tests whose offers are whose, until when, and through which channel they are sold. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OFFERS_COLLECTION } from '../../../activities/offers/offer-document.ts';
import { COAST, FOREIGN_CHANNEL, OWN_CHANNEL, SHARED_CHANNEL } from './catalogue.ts';
import { type OffersServer, OPERATOR, OTHER_PARTNER, PARTNER } from './support.ts';

const DAY = { travellers: [{ id: 't1', age: 34 }], authority: COAST, travelDate: '2026-11-24' };
const through = (channel: string) => ({ 'service-distribution-channel': channel });

export function describeTenancy(serverOf: () => OffersServer): void {
  describe('offers of an organisation', () => {
    let server: OffersServer;
    before(() => {
      server = serverOf();
    });

    async function findOne(headers: Readonly<Record<string, string>> = {}) {
      const { status, body } = await server.search('authority', DAY, headers);
      assert.equal(status, 200, JSON.stringify(body));
      const [offer] = body.offers;
      assert.ok(offer);
      return offer;
    }

    it('are read by it as they were found', async () => {
      const offer = await findOne();
      const { status, body, headers } = await server.get(offer.id);
      assert.deepEqual([status, body], [200, offer]);
      assert.equal(headers.get('expires'), new Date(offer.expiresAt).toUTCString());
    });

    it('are absent for another, exactly as unknown ones', async () => {
      const { id } = await findOne();
      const asked = [await server.get(id, { authorization: OTHER_PARTNER }), await server.get(randomUUID())];
      const [foreign, unknown] = asked.map(({ status, body: { code, detail } }) => ({ status, code, detail }));
      assert.deepEqual(foreign, unknown);
      assert.deepEqual([foreign?.status, foreign?.code], [404, 'NOT_FOUND']);
      assert.equal((await server.get(id, { authorization: OPERATOR })).status, 200);
      assert.equal((await server.get('no-uuid')).body.code, 'INVALID_IDENTIFIER');
    });

    it('are absent once they have expired', async () => {
      const { id } = await findOne();
      server.clock.ms += 1_800_000 - 1;
      assert.equal((await server.get(id)).status, 200);
      server.clock.ms += 1;
      assert.equal((await server.get(id)).status, 404);
      server.clock.ms -= 1_800_000;
    });

    it('need the scope', async () => {
      const authorization = 'Bearer partner/1/orders:read';
      const answers = [
        await server.search('zones', DAY, { authorization }),
        await server.get(randomUUID(), { authorization }),
      ];
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'INSUFFICIENT_SCOPE']);
      assert.equal((await server.search('zones', DAY, { authorization: '' })).status, 401);
    });

    it('of a repeated request are the same, and stored once', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const collection = OFFERS_COLLECTION.open(server.connection);
      const before = await collection.countDocuments();
      const first = await server.search('authority', DAY, key);
      const second = await server.search('authority', DAY, key);
      assert.deepEqual(second.body, first.body);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal(await collection.countDocuments(), before + 1);
    });

    describe('through a channel', () => {
      const all = { ...DAY, travellers: [{ id: 't1', age: 34, productIds: ['foreign', 'bus-day'] }] };
      async function reasonThrough(headers: Readonly<Record<string, string>>) {
        const { status, body } = await server.search('authority', all, headers);
        assert.equal(status, 200, JSON.stringify(body));
        return Object.fromEntries(body.unavailableProducts.map(({ productId, reason }) => [productId, reason]));
      }

      it('are those of the organisations that share it', async () => {
        assert.deepEqual(await reasonThrough(through(OWN_CHANNEL)), { foreign: 'NOT_IN_CHANNEL' });
        assert.deepEqual(await reasonThrough(through(SHARED_CHANNEL)), { foreign: 'NEEDS_JOURNEY' });
        const two = { authorization: OTHER_PARTNER };
        assert.deepEqual(await reasonThrough({ ...two, ...through(SHARED_CHANNEL) }), { foreign: 'NEEDS_JOURNEY' });
        assert.deepEqual(await reasonThrough({ ...two, ...through(FOREIGN_CHANNEL) }), {
          ...{ 'bus-day': 'NOT_IN_CHANNEL', foreign: 'NEEDS_JOURNEY' },
        });
      });

      it('that is not named are those of the default one', async () => {
        assert.deepEqual(await reasonThrough({ authorization: PARTNER }), { foreign: 'NOT_IN_CHANNEL' });
        assert.deepEqual((await reasonThrough({ authorization: OTHER_PARTNER }))['bus-day'], 'NOT_IN_CHANNEL');
      });

      it('that is unknown, or not granted, are refused', async () => {
        for (const [headers, status, code] of [
          [through('TST:DistributionChannel:None'), 400, 'UNKNOWN_DISTRIBUTION_CHANNEL'],
          [through('none'), 400, 'UNKNOWN_DISTRIBUTION_CHANNEL'],
          [through(FOREIGN_CHANNEL), 403, 'DISTRIBUTION_CHANNEL_FORBIDDEN'],
          [{ authorization: 'Bearer third/3/offers:search' }, 403, 'DISTRIBUTION_CHANNEL_FORBIDDEN'],
        ] as const) {
          const answer = await server.search('authority', DAY, headers);
          assert.deepEqual([answer.status, answer.body.code], [status, code]);
        }
      });
    });
  });
}
