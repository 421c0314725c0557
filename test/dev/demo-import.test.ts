/** Tests the demo data and the demo story against the whole service, as `npm start` and `npm run demo` use them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchToken } from '../../dev/demo/api-client.ts';
import { demoCoverage, ensureDemo, type ImportDemoOptions, importDemo } from '../../dev/demo/import.ts';
import { addDays, todayInOslo } from '../../dev/demo/service-days.ts';
import { watchImport } from '../../dev/demo/watch-import.ts';
import { listenInBox } from '../../dev/mail/in-box.ts';
import { MailBox } from '../../dev/mail/mail-box.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { PARTNER_SCOPES } from '../../dev/stack/development-clients.ts';
import { HELPER_NAMES } from '../../dev/stack/helper-processes.ts';
import { PROCESS_NAMES } from '../../dev/stack/processes.ts';
import { describeServedMetrics } from '../operations/served-metrics.ts';
import { describePrivileges } from '../operations/tried-privileges.ts';
import { temporaryFolder } from '../support/demo-dataset.ts';
import { recordUse } from '../support/recorded-use.ts';
import { Service } from '../support/service.ts';
import { assertPrintedSale } from './printed-sale.ts';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Two ferries that meet: with them an import does all that it does with the whole region. */
const FERRIES = [301, 302];
/** And the express coach that the printed walkthrough sells. */
const WITH_COACH = [...FERRIES, 401];

const INSPECTING = [...PARTNER_SCOPES, 'tickets:validate'];

function runStory(local: string, ...more: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(projectRoot, 'dev/demo-story.ts'), '--local', local, ...more]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('The demo in a running service', () => {
  let service: Service;
  let inBox: Awaited<ReturnType<typeof listenInBox>>;
  let options: ImportDemoOptions;
  const messages: string[] = [];
  const local = temporaryFolder();

  before(async () => {
    inBox = await listenInBox(await MailBox.open(temporaryFolder()), { smtp: 0, http: 0 });
    const processes = [...PROCESS_NAMES, ...HELPER_NAMES];
    const env = { MAIL_SERVER: `smtp://127.0.0.1:${inBox.smtpPort}` };
    service = await Service.start({ planner: true, processes, accounts: true, env });
    await recordUse(service);
    const credentials = await service.credentials();
    const { apiUrl, authUrl, plannerUrl } = service;
    const parties = { operator: credentials, client: credentials };
    options = {
      apiUrl,
      authUrl,
      ...parties,
      lines: FERRIES,
      directory: temporaryFolder(),
      onProgress: (message) => messages.push(message),
    };
    await writeFile(
      join(local, 'endpoints.json'),
      JSON.stringify({ api: apiUrl, auth: authUrl, journeyPlanner: plannerUrl, mail: inBox.url }),
    );
    const partner = { name: 'partner-1', organisationId: 1, ...(await service.clientWith(INSPECTING)) };
    const clients = [{ name: 'timetable-demo', ...credentials }, partner];
    await writeFile(join(local, 'clients.json'), JSON.stringify(clients));
  });

  after(async () => {
    await service?.stop();
    inBox?.close();
  });

  it('is absent at first', async () => {
    assert.deepEqual(await demoCoverage(options), { lastDay: undefined, daysLeft: 0 });
  });

  it('is published by the real upload, register first', async () => {
    assert.equal(await ensureDemo(options), true);
    const published = messages.filter((message) => message.startsWith('Published'));
    assert.deepEqual(published, ['Published the demo stop register', 'Published the demo timetable']);
    const lastDay = addDays(todayInOslo(new Date()), 35);
    assert.deepEqual(await demoCoverage(options), { lastDay, daysLeft: 35 });
  });

  it('is not imported again while enough days remain', async () => {
    assert.equal(await ensureDemo(options), false);
  });

  it('may be imported again, as the same bytes are already there', async () => {
    messages.length = 0;
    await importDemo(options);
    assert.ok(messages.includes('the demo timetable is already published'), messages.join('\n'));
  });

  it('can run its story repeatedly', async () => {
    for (const { report, lines } of [
      { report: '3 files, 136 service journeys', lines: FERRIES },
      { report: '4 files, \\d+ service journeys', lines: WITH_COACH },
    ]) {
      const { code, output } = await runStory(local, '--lines', lines.join());
      assert.equal(code, 0, output);
      assert.match(output, /VALIDATION OK \(\d+ ms\)\n {3}PUBLICATION/);
      assert.match(output, new RegExp(`${report}, valid: true\\n {3}findings: none`));
      assert.match(output, /Downloaded latest\n/);
      assert.match(output, /Reserved\n {3}order [A-Z2-9]{8}, held until/);
      assert.match(output, /409 SOFT_DECLINE/);
      assert.match(output, /is CONFIRMED, balance 0\.00\n {3}the payment is PAID/);
      assert.match(output, /OrderConfirmed/);
      assert.match(output, /CustomerErased/);
      assert.match(output, /the page is COMPLETED/);
      assert.match(output, /in the in-box\n {3}“.*(Kvittering|Billett).*” with .+\.pdf \(\d+ kB\)\n {3}“/);
      assert.ok(output.includes(`look at them: ${inBox.url}`), output);
      assert.match(output, /The provider’s ledger has the credit/);
      assert.match(output, /The receipt of the refund is in the in-box/);
      assert.match(output, /The books of the shift balance/);
      assert.match(output, /All as it should be/);
    }
  });

  it('sells by the printed walkthrough', async () => {
    const { apiUrl, plannerUrl } = service;
    await assertPrintedSale({ apiUrl, plannerUrl, token: await service.token(INSPECTING) });
  });

  it('still counts as the demo after the story', async () => {
    assert.equal((await demoCoverage(options)).daysLeft, 35);
  });

  it('ends its story at the first wrong step, with its name and what to do', async () => {
    const wrong = temporaryFolder();
    const { code, output } = await runStory(wrong);
    assert.equal(code, 1);
    assert.match(output, /endpoints\.json cannot be read\nSamferd does not run from this folder: run `npm start`/);
    const client = { ...(await service.credentials()), name: 'timetable-demo', client_secret: 'wrong' };
    await writeFile(join(wrong, 'endpoints.json'), JSON.stringify({ api: options.apiUrl, auth: options.authUrl }));
    await writeFile(join(wrong, 'clients.json'), JSON.stringify([client]));
    const refused = await runStory(wrong);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /Not as it should be: POST .*\/oauth\/token answered 401: unauthorized_client/);
  });

  it('reports why an import failed', async () => {
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
  describePrivileges(() => service);
});
