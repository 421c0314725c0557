/** Refuses an order whose content is too large for its document. Pure. */
import type { ServiceError } from '../../shared/service-error.ts';
import { invalid } from './guards.ts';
import type { OrderContent } from './order.ts';
import { MAX_CONTENT_BYTES, MAX_LINE_PRODUCTS } from './order-limits.ts';

/** Of an element of a document: its type, the end of its name, and the length of its value. */
const ELEMENT_BYTES = 8;
const NUMBER_BYTES = 8;

export function assertContentFits({ orderLines, travellers, fees }: OrderContent): void {
  const at = orderLines.findIndex(({ fareProducts }) => fareProducts.length > MAX_LINE_PRODUCTS);
  if (at !== -1) throw tooManyProducts(at);
  if (sizeOf([orderLines, travellers, fees]) <= MAX_CONTENT_BYTES) return;
  const most = `${MAX_CONTENT_BYTES / 1_000_000} MB`;
  throw invalid(
    '/orderLines',
    'TOO_LARGE',
    `must leave the order below ${most}: shorten its texts, or make another order`,
  );
}

function tooManyProducts(at: number): ServiceError {
  const detail = `must leave the line with at most ${MAX_LINE_PRODUCTS} products`;
  return invalid(`/orderLines/${at}/fareProducts`, 'MAX_ITEMS', detail);
}

/** What it takes as BSON; a little more rather than less. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return bytesOf(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return NUMBER_BYTES;
  let bytes = ELEMENT_BYTES;
  for (const [key, each] of Object.entries(value)) bytes += ELEMENT_BYTES + key.length + sizeOf(each);
  return bytes;
}

/** As UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff ? 2 : 1;
  }
  return bytes;
}
