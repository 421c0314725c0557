/** How much an order may hold, so that what is paid can be confirmed. */
import assert from 'node:assert/strict';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { MAX_CONTENT_BYTES, MAX_LINE_PRODUCTS } from '../../workflows/orders/rules/order-limits.ts';
import { draftOrder, NOW, sampleLine } from '../support/sample-orders.ts';

const add = (order: Order, lines: readonly ReturnType<typeof sampleLine>[]) => addLines(order, { lines }, NOW).order;
const textOf = (length: number) => sampleLine({ description: [{ lang: 'nob', value: 'a'.repeat(length) }] });

describe('the content of an order', () => {
  it('stays below its limit, whatever texts its lines have', () => {
    const half = Math.floor(MAX_CONTENT_BYTES / 2);
    const full = add(draftOrder(), [textOf(half), textOf(half - 10_000)]);
    assert.throws(() => add(full, [textOf(10_000)]), { code: 'VALIDATION_FAILED', message: /6 MB/ });
    const norwegian = sampleLine({ description: [{ lang: 'nob', value: 'å'.repeat(half) }] });
    assert.throws(() => add(draftOrder(), [norwegian]), { code: 'VALIDATION_FAILED' });
  });

  it('has a bounded number of products on each line', () => {
    const [product = assert.fail()] = sampleLine().fareProducts;
    const withProducts = (count: number) => sampleLine({ fareProducts: Array.from({ length: count }, () => product) });
    add(draftOrder(), [withProducts(MAX_LINE_PRODUCTS)]);
    assert.throws(() => add(draftOrder(), [sampleLine(), withProducts(MAX_LINE_PRODUCTS + 1)]), {
      message: /^\/orderLines\/1\/fareProducts must leave the line with at most 100 products/,
    });
  });
});
