/**
 * Every operation on a receipt, asked by another organisation: the answer is that of one which does not exist. With the right to
 * every organisation it is that of the owner.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import { OPERATOR, OTHER, type ReceiptsServer, startReceipts } from './support.ts';

const { operations } = loadDocument(new URL('../../../api/receipts/openapi.yaml', import.meta.url), 'Service');

describe('receipts of another organisation', () => {
  let server: ReceiptsServer;
  let ours: StoredReceipt;
  before(async () => {
    server = await startReceipts('receipts-tenancy', { sends: false });
    ours = await server.world.fixture.issue(await server.world.fixture.soldOrder());
  });
  after(async () => await server.close());

  const shown = async (path: string, token: string, body?: object) => {
    const { status, json } = await server.call(path, { token, ...(body && { body }) });
    const { code, title, detail, totalItems } = json ?? {};
    return { status, code, title, detail, totalItems };
  };
  /** Asked for what is ours, and for what is not there. */
  const pairs = () => {
    const { reference, orderId } = ours.receipt;
    const bodyFor = (id: string) => ({ orderId: id, orderVersion: 1, distribution: { email: 'x@example.org' } });
    const pathsFor = (id: string, order: string) =>
      [
        [`/v1/receipts/${id}`],
        [`/v1/receipts/${id}/pdf`],
        [`/v1/receipts?orderId=${order}`],
        [`/v1/receipts/type?orderId=${order}&orderVersion=1`],
        ['/v1/receipts/send', bodyFor(order)],
      ] as const;
    return pathsFor(reference, orderId).map((each, at) => [each, pathsFor(randomUUID(), 'AAAAAAAA')[at]] as const);
  };

  it('are asked for by every operation', () => assert.equal(pairs().length, operations.length));

  it('are as absent ones', async () => {
    for (const [[path, body], absent] of pairs()) {
      assert.ok(absent);
      const answer = await shown(path, OTHER, body);
      assert.deepEqual(answer, await shown(absent[0], OTHER, absent[1]), path);
      assert.ok(answer.status === 404 || answer.totalItems === 0, path);
    }
    const { document } = await server.world.read(ours);
    assert.deepEqual(document, ours.document, 'nothing was written');
  });

  it('are reached with the right to every organisation', async () => {
    for (const [[path, body]] of pairs()) {
      if (path.endsWith('/pdf')) continue;
      const { status, totalItems } = await shown(path, OPERATOR, body);
      assert.ok(status < 300 && (totalItems ?? 1) === 1, `${path} ${status}`);
    }
  });
});
