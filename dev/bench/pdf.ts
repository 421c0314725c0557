/**
 * Measures tickets as PDF: `npm run bench:pdf -- 1000`. Documents of one ticket with one traveller, one after the other: processor time
 * of each, the share of its barcode's symbol, how long the event loop stands still, peak memory. Then one of nine travellers, and a
 * receipt. Fails when a ticket takes longer than is allowed.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { renderReceipt } from '../../activities/receipts/pdf/receipt-pdf.ts';
import { renderTickets } from '../../activities/tickets/pdf/ticket-pdf.ts';
import { drawAztec } from '../../barcode/aztec.ts';
import { receiptOf } from '../../test/activities/receipts/pdf/receipts.ts';
import { barcodeOf, nineTravellers, sheetOf } from '../../test/activities/tickets/pdf/sheets.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { peakMegabytes } from './memory.ts';

const TICKETS = Number(process.argv[2] ?? 1_000);
const OTHERS = 100;
const ALLOWED_MS = 60;
const OCTETS = 260;
const RECEIPT = { copy: false, language: 'nob', timeZone: 'Europe/Oslo' } as const;

/** Milliseconds of processor time each: the machine may be busy with other work. */
async function measure(times: number, make: (count: number) => unknown): Promise<number> {
  const begun = process.cpuUsage();
  for (let count = 0; count < times; count += 1) await make(count);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000 / times;
}

function ticketOf(count: number) {
  const name = `Kari Nordmann ${count}`;
  return sheetOf('nob', {
    orderId: `K7PQ${1_000 + count}`,
    travellers: [{ name, userType: 'Voksen', entitlements: [] }],
    barcode: barcodeOf(OCTETS, name),
  });
}

const firstMs = await measure(1, () => renderTickets([ticketOf(0)]));
let bytes = 0;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const ticketMs = await measure(TICKETS, async (count) => {
  bytes += (await renderTickets([ticketOf(count)])).length;
});
delays.disable();
const symbolMs = await measure(OTHERS, (count) => drawAztec(barcodeOf(OCTETS, String(count))));
const nineMs = await measure(OTHERS, () => renderTickets([nineTravellers('nob')]));
const receiptMs = await measure(OTHERS, () => renderReceipt(receiptOf(), RECEIPT));

const ms = (value: number) => `${value.toFixed(1)} ms`;
expectThat(`${TICKETS} tickets: ${ms(ticketMs)} of processor time each`, ticketMs <= ALLOWED_MS);
console.log(`     the first, which opens the typeface: ${ms(firstMs)}`);
console.log(`     the symbol alone: ${ms(symbolMs)}, ${((100 * symbolMs) / ticketMs).toFixed(0)} %`);
console.log(`     event loop: p99 ${ms(delays.percentile(99) / 1e6)}, most ${ms(delays.max / 1e6)}`);
console.log(
  `     ${(bytes / TICKETS / 1_000).toFixed(1)} kB each; peak memory of the process ${peakMegabytes(process.pid)} MB`,
);
console.log(`     nine travellers: ${ms(nineMs)}; a receipt: ${ms(receiptMs)}`);
process.exitCode = hasFailed() ? 1 : 0;
