/**
 * Kills a part of the running service in the middle of each step of an import, and starts it again. The outcome must
 * equal that of an undisturbed import: the same findings, one publication, the same private dataset. Used by
 * kill-matrix.ts, and by its short twin kill.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Report, TimetableClient } from '../../dev/demo/api-client.ts';
import type { PartName, Service } from '../support/service.ts';

export const STEPS = [
  ...(['FILE_TRANSFER', 'FILE_CLASSIFICATION', 'VALIDATION', 'PUBLICATION', 'PRIVATE_EXPORT'] as const),
] as const;
export type Step = (typeof STEPS)[number];
/** Parts of one entry are killed together. */
export const VICTIMS: readonly (readonly PartName[])[] = [
  ['timetableWorker', 'timetableValidationWorker'],
  ['api'],
  ['temporal'],
  ['mongod'],
  ['minio'],
];

export interface KillCase {
  readonly step: Step;
  readonly victims: readonly PartName[];
}

export interface Outcome {
  readonly state: string;
  readonly files: number;
  readonly findings: string;
  readonly publications: number;
  /** Checksum of the `filtered` download: the same day and content give the same bytes. */
  readonly privateDataset: string | undefined;
}

const LOOK_MS = 5;
const RETRY_MS = 250;
const IMPORT_TIMEOUT_MS = 900_000;
/** Offset of the comment length in a zip's end record, from the end of an archive without a comment. */
const COMMENT_LENGTH_AT = -2;

/** An archive with the same content and other bytes, so that it is no duplicate. */
export function variantOf(archive: Buffer, comment: string): Buffer {
  const text = Buffer.from(comment);
  const made = Buffer.concat([archive, text]);
  made.writeUInt16LE(text.length, archive.length + COMMENT_LENGTH_AT);
  return made;
}

interface Followed {
  readonly state: string;
  readonly actions?: Readonly<Record<string, { readonly state: string }>>;
  readonly publishedAt?: Date;
  readonly outbox?: readonly unknown[];
}

/** Runs imports of one archive on one service, undisturbed or with a part killed. */
export class KillRuns {
  readonly #service: Service;
  readonly #codespace: string;
  readonly #archive: Buffer;
  readonly #directory: string;
  readonly #mongo: mongoose.mongo.MongoClient;
  /** Of the current import, because a token for each request costs more than the request. */
  #client: Promise<TimetableClient> | undefined;
  #count = 0;

  constructor(service: Service, codespace: string, archivePath: string, directory: string) {
    this.#service = service;
    this.#codespace = codespace;
    this.#archive = readFileSync(archivePath);
    this.#directory = directory;
    this.#mongo = new mongoose.mongo.MongoClient(service.mongoUri, { serverSelectionTimeoutMS: 2_000 });
  }

  async close(): Promise<void> {
    await this.#mongo.close();
  }

  async undisturbed(): Promise<Outcome> {
    return await this.#outcomeOf(await this.#upload(this.#fresh()));
  }

  async disturbed({ step, victims }: KillCase): Promise<Outcome> {
    const path = this.#fresh();
    const before = await this.#read((db) => this.#imports(db).countDocuments(this.#own));
    const uploading = this.#upload(path);
    const killed = this.#killWhen(victims, async () => (await this.#isAt(step, before)) === true);
    const [correlationId] = await Promise.all([uploading, killed]);
    return await this.#outcomeOf(correlationId);
  }

  /** A new archive. Also forgets the client, whose token does not outlive the whole matrix. */
  #fresh(): string {
    this.#client = undefined;
    this.#count += 1;
    const path = join(this.#directory, `archive-${this.#count}.zip`);
    writeFileSync(path, variantOf(this.#archive, `${Date.now()}-${this.#count}`));
    return path;
  }

  /** Repeats the upload with the same key until an answer, as a careful client does. */
  async #upload(path: string): Promise<string> {
    const key = basename(path) + Math.random();
    for (;;) {
      try {
        const client = await this.#authorised();
        return await client.upload(this.#codespace, path, 'kill-run.zip', key);
      } catch (error) {
        const status = (error as { status?: number }).status;
        // While the database is away, a good token may be refused.
        if (status === 401) this.#client = undefined;
        if (status !== undefined && status < 500 && status !== 409 && status !== 401) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  get #own() {
    return { codespace: this.#codespace };
  }

  #imports(db: mongoose.mongo.Db): mongoose.mongo.Collection<Followed> {
    return db.collection<Followed>('timetable_imports');
  }

  async #read<Result>(query: (db: mongoose.mongo.Db) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await query(this.#mongo.db('samferd'));
      } catch {
        await delay(RETRY_MS);
      }
    }
  }

  /** True once the import that was added after `before` others is in the step. */
  async #isAt(step: Step, before: number): Promise<boolean> {
    const found = await this.#read((db) =>
      this.#imports(db).findOne(this.#own, {
        sort: { beganAt: 1 },
        skip: before,
        projection: { state: 1, actions: 1 },
      }),
    );
    if (!found) return false;
    if (step === 'FILE_TRANSFER') return true;
    if (found.state === 'OK' || found.state === 'FAILED') return true;
    return found.actions?.[step]?.state !== undefined;
  }

  async #killWhen(victims: readonly PartName[], isTime: () => Promise<boolean>): Promise<void> {
    while (!(await isTime())) await delay(LOOK_MS);
    for (const victim of victims) await this.#service.kill(victim);
    for (const victim of victims) await this.#service.restart(victim);
  }

  async #outcomeOf(correlationId: string): Promise<Outcome> {
    const deadline = Date.now() + IMPORT_TIMEOUT_MS;
    let state = 'IN_PROGRESS';
    while (state === 'IN_PROGRESS') {
      if (Date.now() > deadline) throw new Error(`Import ${correlationId} has not ended`);
      await delay(RETRY_MS);
      state = await this.#query(async (client) => (await client.status(this.#codespace, correlationId)).state);
    }
    const report = await this.#query((client) => client.report(this.#codespace, correlationId));
    const published = await this.#read((db) => this.#imports(db).findOne({ _id: correlationId } as object));
    return {
      state,
      files: report.files.length,
      findings: JSON.stringify(withoutNames(report)),
      publications: published?.outbox?.length ?? 0,
      privateDataset: (await this.#query((client) => client.downloadFiltered(this.#codespace)))?.sha256,
    };
  }

  async #authorised(): Promise<TimetableClient> {
    this.#client ??= this.#service.client();
    try {
      return await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  async #query<Result>(query: (client: TimetableClient) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await query(await this.#authorised());
      } catch (error) {
        if (((error as { status?: number }).status ?? 500) < 500) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}

/** The parts of a report that must not differ between two imports of one archive. */
function withoutNames(report: Report): object {
  const { valid, files, findingsPerRule } = report;
  // The member `new` depends on the import before.
  const findings = report.findings.map((finding) => ({ ...finding, new: undefined }));
  return { valid, files, findingsPerRule, findings };
}
