/**
 * Checks tickets and receipts of all kinds by veraPDF, the reference implementation of PDF/UA: `npm run check:pdf-ua`. Needs Java and
 * Maven. The tests check the same by a validator that needs neither. Fails when a document breaks a rule.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderReceipt } from '../../activities/receipts/pdf/receipt-pdf.ts';
import { renderTickets } from '../../activities/tickets/pdf/ticket-pdf.ts';
import { manyLines, receiptOf, refund } from '../../test/activities/receipts/pdf/receipts.ts';
import { manyLegs, manyOfAll, nineTravellers, sheetOf, zoneTicket } from '../../test/activities/tickets/pdf/sheets.ts';
import { providePart } from '../setup/parts.mjs';
import { Progress } from '../setup/progress.mjs';
import { findPart, getPart } from '../setup/resolve.mjs';

const OPTIONS = { copy: true, language: 'nno', timeZone: 'Europe/Oslo' } as const;
const DOCUMENTS: Readonly<Record<string, Promise<Uint8Array>>> = {
  'one-traveller': renderTickets([sheetOf('nob')]),
  'nine-travellers': renderTickets([nineTravellers('nno')]),
  'many-legs': renderTickets([manyLegs('eng')]),
  'several-pages': renderTickets([manyOfAll('nob')]),
  'several-tickets': renderTickets([sheetOf('eng', { specimen: true }), zoneTicket('eng')]),
  receipt: renderReceipt(receiptOf(), { ...OPTIONS, copy: false }),
  'copy-of-refund': renderReceipt(refund(), OPTIONS),
  'long-receipt': renderReceipt(manyLines(), OPTIONS),
};

const part = getPart('verapdf');
await providePart(part, new Progress());
const folder = mkdtempSync(join(tmpdir(), 'samferd-pdf-ua-'));
try {
  const paths: string[] = [];
  for (const [name, bytes] of Object.entries(DOCUMENTS)) {
    paths.push(join(folder, `${name}.pdf`));
    writeFileSync(join(folder, `${name}.pdf`), await bytes);
  }
  const program = join(import.meta.dirname, 'Check.java');
  const { status } = spawnSync('java', ['-cp', `${findPart(part)}/*`, program, ...paths], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
