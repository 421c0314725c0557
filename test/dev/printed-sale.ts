/** Runs the blocks of the walkthrough of sales and payments as they are printed, in one shell. Caller: demo-import.test.ts. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../dev/setup/resolve.mjs';

export interface SaleShell {
  readonly apiUrl: string;
  readonly plannerUrl: string;
  readonly token: string;
}

/** Throws when a command fails, a variable is empty that a later one needs, or a block prints something else. */
export async function assertPrintedSale(shell: SaleShell): Promise<void> {
  const printed = await runBlocks(shell);
  const [
    ,
    ,
    legs = '',
    offers = '',
    reserved = '',
    changed = '',
    seats = '',
    webhook = '',
    paid = '',
    captured = '',
    end = '',
    link = '',
    page = '',
    closed = '',
    settled = '',
    sent = '',
    checked = '',
  ] = printed;
  assert.match(legs, /"serviceJourneyId":"DEM:ServiceJourney:401-/);
  assert.match(offers, /Ekspressbuss spar \d+\.\d\d/);
  assert.match(reserved, /etag: "1\.1".*"seatNumber":"\d+[A-D]"/s);
  assert.match(changed, /"orderLineIds":\["[0-9a-f-]{36}"\]/);
  // The story has sold a few of the 68 seats, and this sale one.
  assert.match(seats, /^\s*6[0-7]\n.*OrderLineUpdated/s);
  assert.match(webhook, /^\s*[0-9a-f-]{36}\n/);
  assert.match(paid, /^\s*http:\/\/127\.0\.0\.1:\d+\/terminal\/\S+\n/);
  assert.match(captured, /responseCode=OK\nSOFT_DECLINE\n\S+responseCode=OK\nCAPTURED\n/);
  assert.match(end, /^\s*CONFIRMED\n.*OrderConfirmed/s);
  assert.match(link, /^\s*http:\/\/127\.0\.0\.1:\d+\/[A-Z2-9]{8}\/\S+\n/);
  assert.match(page, /^\s*OPEN\nDRAFT\n/);
  assert.match(closed, /^\s*CANCELLED\n/);
  assert.match(sent, /^\s*%PDF-1\.\d\[ 1 \]\n1\n/);
  assert.match(checked, /^\s*ECDSA_P256_SHA256\n\[ '(BEFORE_VALIDITY)' \]\n/);
  assert.match(settled, /^\s*CAPTURED\nCONFIRMED\nCLOSED\nentryId,.*\r\n.*,book\/PAYMENTCARD,.*\r\n.*,receivables,/);
}

async function runBlocks({ apiUrl, plannerUrl, token }: SaleShell): Promise<readonly string[]> {
  const page = await readFile(join(projectRoot, 'docs/first-steps.md'), 'utf8');
  const [, section = ''] = /^## Sell a seat$(.*?)^## Watch the workflows$/ms.exec(page) ?? [];
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const script = ['set -euo pipefail', `API=${apiUrl}`, blocks.join('\necho "<end>"\n')]
    .join('\n')
    .replace('http://127.0.0.1:8084', plannerUrl)
    .replace('$(npm run -s token -- partner-1)', token);
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return stdout.split('<end>');
}
