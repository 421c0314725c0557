/**
 * Uploads hostile archives to the running service. Each must be refused soon, with a readable reason. test/netex reads all of
 * them; here one stands for each error code, and some of the documents, smaller. `npm run test:hostile` uploads all. Caller:
 * uploads.test.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type TimetableClient } from '../../dev/demo/api-client.ts';
import { useFewLines } from '../support/few-lines.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { hostileArchives } from '../support/hostile-archives.ts';
import { hostileDocuments } from '../support/hostile-documents.ts';
import type { Service } from '../support/service.ts';

/** The refusal is due within 15 s; a busy machine may take longer for the test around it. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 100;
const CODESPACE = 'tst';
const STOP_REGISTER = 'nsr';

/** The others fill the memory and the time of the same parser in the same way. */
const SMALLER = hostileDocuments(1 / 5, [
  'elements within each other',
  'MB of text',
  'namespaces',
  'undeclared entities',
]);
/** Only the whole one reaches the limit of memory. */
const WHOLE = hostileDocuments(1, ['equal ids']);
const everything = process.env.HOSTILE_UPLOADS === 'all';
const archives = everything
  ? hostileArchives
  : [...new Map(hostileArchives.map((each) => [each.expectedCode, each])).values()];
const documents = everything ? hostileDocuments() : [...SMALLER, ...WHOLE];

interface Fate {
  readonly state: string;
  readonly errorCode: string | undefined;
  readonly message: string;
}

export function describeHostileUploads(useService: () => Service): void {
  describe('hostile uploads', () => {
    let client: TimetableClient;
    let directory: string;
    let count = 0;
    let slowest = { name: '', seconds: 0 };

    before(async () => {
      directory = temporaryDirectory('hostile');
      client = await useService().client();
      const rest = { name: 'Test', allowedXmlns: ['NSR', 'PEN'], profile: 'timetable', ownerOrganisationId: 1 };
      await client.putCodespace(CODESPACE, { ...rest, xmlns: 'TST' });
      await client.putCodespace(STOP_REGISTER, { ...rest, xmlns: 'NSR' });
    });

    after(() => console.log(`      slowest refusal: ${slowest.name}, ${slowest.seconds.toFixed(1)} s`));

    async function fateOf(bytes: Uint8Array, codespace = CODESPACE): Promise<Fate> {
      count += 1;
      const path = join(directory, `${count}.zip`);
      writeFileSync(path, bytes);
      const correlationId = await client.upload(codespace, path);
      for (;;) {
        const { state } = await client.status(codespace, correlationId);
        if (state !== 'IN_PROGRESS') {
          const failed = (await client.events(codespace, correlationId)).findLast((event) => event.state === 'FAILED');
          return { state, errorCode: failed?.errorCode, message: String(failed?.details?.message ?? '') };
        }
        await delay(LOOK_MS);
      }
    }

    for (const { name, bytes, expectedCode } of archives) {
      it(`refuses ${name}`, async function () {
        this.timeout(PATIENCE_MS);
        const archive = bytes();
        if (archive.length === 0) {
          await assert.rejects(fateOf(archive), (error) => error instanceof ApiError && error.status === 400);
          return;
        }
        const begun = performance.now();
        const fate = await fateOf(archive);
        const seconds = (performance.now() - begun) / 1000;
        if (seconds > slowest.seconds) slowest = { name, seconds };
        assert.deepEqual([fate.state, fate.errorCode], ['FAILED', expectedCode]);
        assert.ok(fate.message.length > 20, `no readable reason: ${fate.message}`);
      });
    }

    for (const { name, bytes } of documents) {
      it(`survives ${name}`, async function () {
        this.timeout(PATIENCE_MS);
        const fate = await fateOf(bytes());
        assert.ok(['FAILED', 'OK'].includes(fate.state));
      });
    }

    it('takes the next good upload', async function () {
      this.timeout(PATIENCE_MS);
      const fate = await fateOf(readFileSync((await useFewLines()).stopRegister), STOP_REGISTER);
      assert.equal(fate.state, 'OK', fate.message);
    });
  });
}
