/**
 * `npm run test:remains [-- PEOPLE]`: creates, changes and searches many customers, who pay, get tickets and receipts, and their money
 * back. Erases them, then searches every file of the servers, all logs and two back-ups for their texts. What the payment provider keeps
 * is no part of it: the simulator has a database server of its own. Then rolls the oplog over, and reports what is left of the
 * wrapped copies of their keys. Some minutes; `remains.test.ts` is the short twin. Exit code 1 when a text or a copy in
 * the oplog is left.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import { readBsonFile } from '../../ops/backup/bson-file.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { MailGate } from '../support/mail-gate.ts';
import type { Needle } from '../support/many-texts.ts';
import { SIMULATOR_SECRET, startSimulatorFor } from '../support/provider-simulator.ts';
import { findBytesInFiles, findInFiles, listFiles } from '../support/raw-files.ts';
import { Service } from '../support/service.ts';
import { stopServers } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { RememberedPerson } from './remembered-person.ts';

const HOUR_MS = 3_600_000;
const NOTE_BYTES = 8 * 1024 * 1024;
/** More than the oplog holds. */
const NOTES = 40;
/** Enough for the server to look again whether old entries may go: it does so when a tenth of the oplog is written. */
const NOTES_IN_BETWEEN = 4;
const ROLLED_OVER_WITHIN_MS = 480_000;

const copies = temporaryDirectory('remains-run');
const report = (line: string) => void process.stdout.write(`${new Date().toTimeString().slice(0, 8)}  ${line}\n`);

async function live(service: Service, index: number): Promise<RememberedPerson> {
  const person = await RememberedPerson.meet(service);
  if (index % 2 === 0) {
    await person.createPermanent();
    await person.change('PERMANENT');
    await person.lookUp(await person.read());
  } else {
    await person.createTemporary(new Date(Date.now() + HOUR_MS));
    await person.change('TEMPORARY');
    await person.convert();
  }
  await person.addItems();
  await person.addCards();
  await person.order();
  await person.wasNamed();
  await person.pay();
  await person.payByCard();
  await person.askForReceipts();
  await person.travel();
  await person.stayAtHome();
  return person;
}

async function backUpData(service: Service, name: string): Promise<void> {
  const { mongoUri: mongodbUri, customerKeysUri, objectStore } = service;
  const places = { mongodbUri, customerKeysUri, objectStore: objectStore as unknown as Places['objectStore'] };
  for (const kind of ['data', 'customer-keys'] as const) {
    const folder = new BackupFolder(join(copies, `${name}-${kind}`), newBackupKeys());
    const { collections } = await backUp(places, kind, folder, () => undefined);
    if (kind === 'customer-keys') continue;
    for (const each of collections) {
      const documents = await Array.fromAsync(readBsonFile(folder.collectionFile(each.name)));
      await writeFile(join(copies, `${name}-${each.name}.opened`), Buffer.concat(documents));
    }
  }
}

/** Writes notes until the oplog has no entry from before. Answers whether it has none within the time. */
async function rollOplogOver(client: mongo.MongoClient, needles: readonly Needle[]): Promise<boolean> {
  const data = 'x'.repeat(NOTE_BYTES);
  const write = async (notes: number) => {
    for (let note = 0; note < notes; note += 1)
      await client.db('admin').command({ appendOplogNote: 1, data: { data } });
  };
  await write(NOTES);
  const wrapped = needles.map(({ bytes }) => bytes);
  const left = () =>
    client
      .db('local')
      .collection('oplog.rs')
      .countDocuments({ 'o.wrapped': { $in: wrapped } });
  for (const giveUpAt = Date.now() + ROLLED_OVER_WITHIN_MS; Date.now() < giveUpAt; await delay(5_000)) {
    if ((await left()) === 0) return true;
    // Entries after the last checkpoint stay.
    await client.db('admin').command({ fsync: 1 });
    await write(NOTES_IN_BETWEEN);
  }
  return false;
}

async function run(service: Service, count: number): Promise<boolean> {
  const people: RememberedPerson[] = [];
  for (let index = 0; index < count; index += 1) people.push(await live(service, index));
  const personal = people.flatMap(({ texts }) => texts.personal);
  const [data, keys] = [await connectMongo(service.mongoUri), await connectMongo(service.customerKeysUri)];
  try {
    const documents = await keys.collection('subject_keys').find().toArray();
    const needles = documents.map(({ subject, wrapped }) => ({
      text: String(subject),
      form: 'wrapped key',
      bytes: Buffer.from(wrapped.buffer),
    }));
    await backUpData(service, 'before');
    for (const person of people) await person.delete('PERMANENT');
    const erased = () => data.collection('customer_profiles').countDocuments({ status: 'ERASED', outbox: [] });
    await until(async () => (await erased()) === count, { timeoutMs: 120_000, what: 'the erasures' });
    await backUpData(service, 'after');
    await data.db?.admin().command({ fsync: 1 });

    const begunAt = performance.now();
    const found = [...(await findInFiles(service.directory, personal)), ...(await findInFiles(copies, personal))];
    const files = (await listFiles(service.directory)).length + (await listFiles(copies)).length;
    const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1);
    report(`${count} people, ${personal.length} texts, ${files} files in ${seconds} s: ${found.length} found`);
    for (const { text, form, place } of found.slice(0, 20)) report(`  ${place}: ${text} (${form})`);
    const numbers = people.map(({ customerNumber }) => customerNumber);
    report(`files with a customer's number, as a check of the search: ${await countPlaces(service, numbers)}`);

    report(`wrapped keys in files before the oplog rolled over: ${await countKeys(service, needles)}`);
    const rolledOver = await rollOplogOver(data.getClient(), needles);
    await data.db?.admin().command({ fsync: 1 });
    report(
      `${rolledOver ? 'The oplog rolled over' : 'The oplog did NOT roll over'}; wrapped keys in files: ${await countKeys(service, needles)}`,
    );
    return found.length === 0 && rolledOver;
  } finally {
    await Promise.all([data.close(), keys.close()]);
  }
}

async function countPlaces(service: Service, texts: readonly string[]): Promise<number> {
  return new Set((await findInFiles(service.directory, texts)).map(({ place }) => place)).size;
}

async function countKeys(service: Service, needles: readonly Needle[]): Promise<number> {
  return new Set((await findBytesInFiles(service.directory, needles)).map(({ text }) => text)).size;
}

const processes = [
  ...(['salesCustomersWorker', 'eventsWorker', 'salesDocumentsWorker'] as const),
  ...(['salesOrdersWorker', 'salesPaymentsWorker'] as const),
];
const [mails, provider] = [await MailGate.open(), await startSimulatorFor('remains-provider')];
const env = {
  MAIL_SERVER: mails.url,
  PAYMENT_SIMULATOR_URL: provider.url,
  PAYMENT_SIMULATOR_SECRET: SIMULATOR_SECRET,
};
const service = await Service.start({ timetable: false, processes, env, readableFiles: true });
try {
  process.exitCode = (await run(service, Number(process.argv[2] ?? 30))) ? 0 : 1;
} finally {
  await service.stop();
  await mails.close();
  await provider.stop();
  await stopServers();
}
