/** The demo data and the demo story against the whole service, as `npm start` and `npm run demo` use them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchToken } from '../../dev/demo/api-client.ts';
import { demoCoverage, ensureDemo, type ImportDemoOptions, importDemo } from '../../dev/demo/import.ts';
import { addDays, todayInOslo } from '../../dev/demo/service-days.ts';
import { watchImport } from '../../dev/demo/watch-import.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { PARTNER_SCOPES } from '../../dev/stack/development-clients.ts';
import { PROCESS_NAMES } from '../../dev/stack/processes.ts';
import { describeServedMetrics } from '../operations/served-metrics.ts';
import { temporaryFolder } from '../support/demo-dataset.ts';
import { Service } from '../support/service.ts';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function tellStory(local: string): Promise<Ended> {
  const child = spawn(process.execPath, [join(projectRoot, 'dev/demo-story.ts'), '--local', local]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('The demo in a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let options: ImportDemoOptions;
  const told: string[] = [];
  const local = temporaryFolder();

  before(async () => {
    service = await Service.start({ planner: true, processes: PROCESS_NAMES });
    const credentials = await service.credentials();
    const { apiUrl, authUrl, plannerUrl } = service;
    const parties = { operator: credentials, client: credentials };
    options = {
      apiUrl,
      authUrl,
      ...parties,
      directory: temporaryFolder(),
      onProgress: (message) => told.push(message),
    };
    await writeFile(
      join(local, 'endpoints.json'),
      JSON.stringify({ api: apiUrl, auth: authUrl, journeyPlanner: plannerUrl }),
    );
    const partner = { name: 'partner-1', organisationId: 1, ...(await service.clientWith(PARTNER_SCOPES)) };
    const clients = [{ name: 'timetable-demo', ...credentials }, partner];
    await writeFile(join(local, 'clients.json'), JSON.stringify(clients));
  });

  after(async () => {
    await service?.stop();
  });

  it('is absent at first', async () => {
    assert.deepEqual(await demoCoverage(options), { lastDay: undefined, daysLeft: 0 });
  });

  it('is published through the real upload, register first', async () => {
    assert.equal(await ensureDemo(options), true);
    const published = told.filter((message) => message.startsWith('Published'));
    assert.deepEqual(published, ['Published the demo stop register', 'Published the demo timetable']);
    const lastDay = addDays(todayInOslo(new Date()), 35);
    assert.deepEqual(await demoCoverage(options), { lastDay, daysLeft: 35 });
  });

  it('is left alone while enough days remain', async () => {
    assert.equal(await ensureDemo(options), false);
  });

  it('may be imported again: the same bytes are already there', async () => {
    told.length = 0;
    await importDemo(options);
    assert.ok(told.includes('the demo timetable is already published'), told.join('\n'));
  });

  it('runs its story repeatedly', async () => {
    for (const time of ['first', 'second']) {
      const { code, output } = await tellStory(local);
      assert.equal(code, 0, `${time} time: ${output}`);
      assert.match(output, /VALIDATION OK \(\d+ ms\)\n {3}PUBLICATION/);
      assert.match(output, /56 files, 5166 service journeys, valid: true\n {3}findings: none/);
      assert.match(output, /Downloaded latest\n/);
      assert.match(output, /CustomerErased/);
      assert.match(output, /All as it should be/);
    }
  });

  it('still counts as the demo after the story', async () => {
    assert.equal((await demoCoverage(options)).daysLeft, 35);
  });

  it('ends its story at the first wrong step, saying which and what to do', async () => {
    const wrong = temporaryFolder();
    const { code, output } = await tellStory(wrong);
    assert.equal(code, 1);
    assert.match(output, /endpoints\.json cannot be read\nStart the service with `npm start` first/);
    const client = { ...(await service.credentials()), name: 'timetable-demo', client_secret: 'wrong' };
    await writeFile(join(wrong, 'endpoints.json'), JSON.stringify({ api: options.apiUrl, auth: options.authUrl }));
    await writeFile(join(wrong, 'clients.json'), JSON.stringify([client]));
    const refused = await tellStory(wrong);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /Not as it should be: POST .*\/oauth\/token answered 401: unauthorized_client/);
  });

  it('says why an import failed', async () => {
    const client = await service.client();
    const path = join(options.directory, 'no-archive.zip');
    await writeFile(path, 'This is no zip archive.');
    const correlationId = await client.upload('dem', path);
    const outcome = await watchImport(client, 'dem', correlationId);
    assert.ok(outcome.state === 'FAILED');
    assert.match(outcome.reason, /FILE_CLASSIFICATION failed with ERROR_FILE_NOT_A_ZIP_FILE/);
  });

  it('reports that no server answers', async () => {
    const nowhere = 'http://127.0.0.1:1';
    await assert.rejects(
      fetchToken(nowhere, options.client),
      /POST http:\/\/127.0.0.1:1\/oauth\/token got no answer: /,
    );
  });

  describeServedMetrics(() => service);
});
